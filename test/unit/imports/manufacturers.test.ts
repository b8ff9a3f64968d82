import { expect, test } from 'vitest'
import { createSpelling } from '../../../src/imports/manufacturers.ts'
import { createManufacturerNames, readAliases } from '../../../src/products/manufacturer-names.ts'

test('a manufacturer is spelled as in the catalog, else as usual, else as in the first row', () => {
  const spell = createSpelling(createManufacturerNames(), ['Hewlett-Packard', 'HP', 'zapf'])
  expect(['hp', 'HP Inc.', 'Zapf GmbH', 'wdc', 'New Co', 'NEW', '!'].map(spell)).toEqual([
    'Hewlett-Packard',
    'Hewlett-Packard',
    'zapf',
    'Western Digital',
    'New Co',
    'New Co',
    '!',
  ])
})

test('the organization’s table takes precedence over the catalog', () => {
  const table = readAliases('HP = Hewlett-Packard | Compaq')
  const spell = createSpelling(createManufacturerNames(table), ['Hewlett-Packard', 'Compaq'])
  expect(['COMPAQ', 'hewlett packard', 'hp'].map(spell)).toEqual(['HP', 'HP', 'HP'])
})
