import { expect, test } from 'vitest'
import * as imported from '../../../src/formats/rows/fields.ts'
import {
  choiceOf,
  columnAt,
  columnsOf,
  mappingsOf,
} from '../../../storefront/src/console/import/columns.ts'
import {
  labelOf,
  NAMED_FIELDS,
  OFFER_FIELDS,
  PRODUCT_FIELDS,
} from '../../../storefront/src/console/import/fields.ts'
import type { Sample } from '../../../storefront/src/console/types.ts'

const sample: Sample = {
  success: true,
  error: null,
  columns: [
    ['SKU', 'A-1', 'A-2'],
    ['Betrag', '9,50', '8,20'],
    ['Shelf', '4', '5'],
  ],
  mappings: [
    { column: 0, field: 'id', attribute: null, confidence: 1 },
    { column: 1, field: 'vendor.cost', attribute: null, confidence: 0.6 },
  ],
  detected: null,
  becomes: [
    { column: 0, heading: 'SKU', field: 'id', attribute: null, values: 2 },
    { column: 1, heading: 'Betrag', field: 'attribute', attribute: 'Betrag', values: 2 },
  ],
}

const columns = columnsOf(sample)
const given = columns.map((column) => column.given)

test('a column has the mapping of the file, with a weak guess beside it', () => {
  expect(columns).toEqual([
    {
      index: 0,
      heading: 'SKU',
      values: ['A-1', 'A-2'],
      given: { field: 'id', attribute: null },
      confidence: 1,
      perhaps: null,
    },
    {
      index: 1,
      heading: 'Betrag',
      values: ['9,50', '8,20'],
      given: { field: 'attribute', attribute: 'Betrag' },
      confidence: null,
      perhaps: { column: 1, field: 'vendor.cost', attribute: null, confidence: 0.6 },
    },
    {
      index: 2,
      heading: 'Shelf',
      values: ['4', '5'],
      given: { field: 'attribute', attribute: 'Shelf' },
      confidence: null,
      perhaps: null,
    },
  ])
})

test('without headings, only confident guesses are applied', () => {
  const { becomes: _, ...bare } = sample
  expect(columnsOf(bare).map(({ given: { field } }) => field)).toEqual(['id', null, null])
})

test('mappings are sent only once a column is changed, and then all of them', () => {
  expect(mappingsOf(columns, given)).toEqual([])
  const changed = [
    given[0]!,
    choiceOf('vendor.cost', columns[1]!, given[1]!),
    choiceOf('facet', columns[2]!, given[2]!),
  ]
  const mappings = mappingsOf(columns, changed)
  expect(mappings).toEqual([
    { column: 0, field: 'id', attribute: null },
    { column: 1, field: 'vendor.cost', attribute: null },
    { column: 2, field: 'facet', attribute: 'Shelf' },
  ])
  expect(columnAt('mappings[2].field', mappings)).toBe(2)
  expect(columnAt('fileUrl', mappings)).toBeUndefined()
  expect(mappingsOf(columns, [given[0]!, choiceOf('', columns[1]!, given[1]!), given[2]!])).toEqual(
    [
      { column: 0, field: 'id', attribute: null },
      { column: 2, field: 'attribute', attribute: 'Shelf' },
    ],
  )
})

test('exactly the fields that a mapping accepts can be selected', () => {
  const names = (fields: object) => Object.keys(fields).sort()
  expect(names(PRODUCT_FIELDS)).toEqual(names(imported.IMPORTED_PRODUCT_FIELDS))
  expect(names(OFFER_FIELDS)).toEqual(
    names(imported.IMPORTED_OFFER_FIELDS)
      .map((field) => `vendor.${field}`)
      .sort(),
  )
  expect(names(NAMED_FIELDS)).toEqual(names(imported.NAMED_FIELDS))
  expect(labelOf('constructor', null)).toBe('constructor')
  expect(labelOf('facet', 'Colour')).toBe('Facet “Colour”')
})
