import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainProduct, READ_FIELDS } from '../../../src/formats/jsonl/plain-product.ts'
import { checked, jsonRow } from '../../../src/formats/jsonl/product-line.ts'
import { BadRow } from '../../../src/formats/rows/mapped-row.ts'
import { limits } from '../../../src/limits.ts'
import { ProductBody } from '../../../src/products/schemas.ts'

const long = (max: number) =>
  fc.constantFrom('x'.repeat(max), 'x'.repeat(max + 1), ` ${'x'.repeat(max)}`)
const texts = fc.oneof(
  { weight: 40, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: 'binary' }) },
  fc.constantFrom(
    '',
    ' ',
    '.',
    '..',
    ' . ',
    ' a ',
    '\ud800',
    'a\u0000',
    '\u007f',
    '\u001f',
    '\n\t',
  ),
  long(limits.nameLength),
  long(limits.productNameLength),
  long(limits.valueLength),
)
const names = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom('Colour', 'Size', 'Länge', '1') },
  { weight: 1, arbitrary: texts },
)
const numbers = fc.oneof(
  { weight: 20, arbitrary: fc.nat() },
  fc.double(),
  fc.constantFrom(-0, 0, -1, 1e308),
)
const anything = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null), fc.jsonValue())

/** Mostly valid values, and sometimes any other. */
const mostly = (wanted: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 40, arbitrary: wanted }, { weight: 1, arbitrary: anything })
const text = mostly(texts)
const list = (entry: fc.Arbitrary<unknown>) => mostly(fc.array(entry, { maxLength: 3 }))
const named = (entry: fc.Arbitrary<unknown>) => mostly(fc.dictionary(names, entry, { maxKeys: 3 }))
const part = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  mostly(
    fc.oneof({ weight: 8, arbitrary: fc.record(fields) }, fc.record(fields, { requiredKeys: [] })),
  )
const vendorName = mostly(
  fc.oneof({ weight: 20, arbitrary: fc.uuid() }, fc.constantFrom('Acme', ' Acme', '')),
)

const products = fc.record(
  {
    ...Object.fromEntries(
      ['id', 'description', 'manufacturer', 'manufacturerPartNumber', 'name', 'image', 'unspsc']
        .concat(['segment', 'category', 'subCategory', 'groupId'])
        .map((name) => [name, text]),
    ),
    msrp: mostly(numbers),
    images: list(
      part({ id: text, url: text, name: text, type: text, isCustom: mostly(fc.boolean()) }),
    ),
    vendors: list(
      part({
        ...{ vendorName, vendorPartNumber: text, name: text, status: text, cost: mostly(numbers) },
        ...{ onHand: mostly(numbers), inStock: mostly(fc.boolean()) },
      }),
    ),
    attributes: named(text),
    filters: named(mostly(numbers)),
    facets: named(text),
    options: named(text),
    links: list(part({ type: text, value: text, recommended: mostly(fc.boolean()) })),
    upcs: list(text),
    tags: anything,
    isFavorite: anything,
  },
  { requiredKeys: [] },
)

const outcome = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    if (error instanceof BadRow) return error.message
    throw error
  }
}

describe('a line of JSON', () => {
  test('is parsed as the schema parses it', () => {
    fc.assert(
      fc.property(products, (product) => {
        const line = JSON.stringify(product)
        expect(outcome(() => jsonRow(line))).toEqual(outcome(() => checked(JSON.parse(line))))
      }),
      { numRuns: 3_000 },
    )
  })

  test('has all fields of the schema', () => {
    const fields = Object.keys(ProductBody.shape).toSorted()
    expect([...READ_FIELDS].toSorted()).toEqual(fields)
    const { patch } = plainProduct({ id: 'A1' })!
    expect([...Object.keys(patch), 'id', 'vendors'].toSorted()).toEqual(fields)
  })

  test('takes the fast path in some of these cases', () => {
    const taken = fc.sample(products, 1_000).filter((product) => plainProduct(product))
    expect(taken.length).toBeGreaterThan(20)
  })

  test('with an ordinary product does not need the schema', () => {
    const product = {
      id: 'A1',
      name: 'Desk "Oak"\n80 cm',
      msrp: 12.5,
      images: [{ url: 'https://a.test/1.png' }],
      vendors: [{ vendorName: 'Acme', cost: 9, onHand: 2 }, { vendorName: 'Bolt' }],
      attributes: { Colour: 'brown' },
      filters: { Width: 80 },
      facets: { Colour: 'brown' },
      links: [{ type: 'manual', value: 'https://a.test/1.pdf' }],
      upcs: ['0123', '0123'],
      tags: ['new'],
      favorite: { user: true },
      version: 3,
    }
    const change = plainProduct(product)
    expect(change).toEqual(checked(product))
    expect(change?.patch.upcs).toEqual(['0123'])
  })

  test.each(['.', ' .. '])('cannot have %j as its id', (id) => {
    expect(() => jsonRow(JSON.stringify({ id }))).toThrow('id: must not be . or ..')
  })
})
