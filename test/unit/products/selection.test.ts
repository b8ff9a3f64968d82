import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Selection,
  selectableFields,
  selected,
  selectionOf,
  sourceOf,
  withEmptyFields,
} from '../../../src/products/selection.ts'

const known = selectableFields(
  z.object({
    id: z.string(),
    name: z.string().nullable(),
    vendors: z.array(z.object({ vendorName: z.string(), cost: z.number() })).optional(),
    attributes: z.record(z.string(), z.string()),
    notes: z.array(z.object({ text: z.string() })),
  }),
)
const of = (...fields: string[]): Selection => selectionOf({ fields, compact: false }, known)!

const product = {
  id: 'p',
  name: null,
  vendors: [{ vendorName: 'a', cost: 1 }],
  attributes: { 'Max. load': '2 kg', Max: '3' },
  notes: [],
}

describe('a selection', () => {
  test('of no fields keeps everything', () => {
    expect(selectionOf({ fields: [], compact: false }, known)).toBeNull()
    expect(selected(product, null)).toBe(product)
    expect(sourceOf('org', null)).toEqual(['product', 'annotations.org', 'pictures'])
  })

  test('keeps the id and the named fields, in the order of the product', () => {
    expect(Object.entries(selected(product, of('notes', 'name')))).toEqual([
      ['id', 'p'],
      ['name', null],
      ['notes', []],
    ])
  })

  test('treats the text after the first dot as a name', () => {
    expect(selected(product, of('attributes.Max. load', 'vendors.cost'))).toEqual({
      id: 'p',
      vendors: [{ cost: 1 }],
      attributes: { 'Max. load': '2 kg' },
    })
  })

  test('of an object keeps everything in it', () => {
    for (const fields of [
      ['vendors', 'vendors.cost'],
      ['vendors.cost', 'vendors'],
    ]) {
      expect(selected(product, of(...fields))).toEqual({ id: 'p', vendors: product.vendors })
    }
  })

  test('refuses unknown fields', () => {
    expect(() => of('name', 'vendors.costs')).toThrow(
      'fields[1]: unknown field "vendors.costs"; did you mean "vendors.cost"?',
    )
    expect(() => of('name.first')).toThrow('fields[0]: unknown field "name.first"; there are none')
    expect(() => of('constructor')).toThrow('unknown field')
  })

  test('reads the fields that it shows, of its own organization only', () => {
    expect(sourceOf('org', of('notes', 'vendors.cost', 'attributes.*'), ['msrp'])).toEqual([
      'annotations.org.notes',
      'product.attributes',
      'product.groupId',
      'product.id',
      'product.msrp',
      'product.notes',
      'product.options',
      'product.vendors.cost',
      'product.vendors.vendorName',
    ])
    const read = withEmptyFields({ product: { id: 'p' } as never })
    expect(read.product).toMatchObject({ id: 'p', vendors: [], attributes: {}, name: null })
  })

  test('that is compact omits null and empty fields, but no entries of lists', () => {
    const compact = selectionOf({ fields: [], compact: true }, known)
    const full = { ...product, links: [{ type: null }], zero: 0, no: false, group: { id: null } }
    expect(selected(full, compact)).toEqual({
      id: 'p',
      vendors: product.vendors,
      attributes: product.attributes,
      links: [{}],
      zero: 0,
      no: false,
    })
  })
})
