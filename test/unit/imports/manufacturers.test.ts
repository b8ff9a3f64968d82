import { expect, test, vi } from 'vitest'
import { createSpelling } from '../../../src/imports/manufacturers.ts'
import { limits } from '../../../src/limits.ts'
import { inSteps } from '../../../src/platform/in-steps.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import { createManufacturerNames, readAliases } from '../../../src/products/manufacturer-names.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

test('a manufacturer is spelled as in the catalog, else as usual, else as in the first row', () => {
  const spell = atOnce(createSpelling(createManufacturerNames(), ['Hewlett-Packard', 'HP', 'zapf']))
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
  const spell = atOnce(
    createSpelling(createManufacturerNames(table), ['Hewlett-Packard', 'Compaq']),
  )
  expect(['COMPAQ', 'hewlett packard', 'hp'].map(spell)).toEqual(['HP', 'HP', 'HP'])
})

test('a catalog with thousands of long names lets others run, and normalizes each once', async () => {
  // One character that is spelled out as 18.
  const known = Array.from({ length: 4_000 }, (_, at) =>
    `${at}`.padEnd(limits.nameLength, '\ufdfa'),
  )
  const work = async () => {
    const names = createManufacturerNames()
    const form = vi.fn(names.form)
    await inSteps(createSpelling({ ...names, form }, known))
    expect(form).toHaveBeenCalledTimes(known.length)
  }
  await expectStepsBelow(100, work)
})
