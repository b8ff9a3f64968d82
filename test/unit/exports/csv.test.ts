import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writerOf } from '../../../src/exports/job.ts'
import {
  columnsOf,
  defaultHeadings,
  FIXED,
  headingsIn,
} from '../../../src/formats/csv/product-columns.ts'
import { csvWriter } from '../../../src/formats/csv/writer.ts'
import { mappedRow } from '../../../src/formats/rows/mapped-row.ts'
import { escapeFormula, unescapeFormula } from '../../../src/platform/csv-text.ts'
import { type ProductView, viewProduct } from '../../../src/products/view.ts'
import { productOf, type Sketch } from '../../support/catalog.ts'
import { matchHeader } from '../../support/recognized-columns.ts'

const viewer = { organization: 'acme', username: 'ada', keyType: 'full' } as const
const view = (sketch: Sketch) => viewProduct({ product: productOf(sketch, 'tools') }, viewer)
const csvOf = (headings: readonly string[], delimiter = ',') => {
  const { head, write } = csvWriter.open({ headings, delimiter, byteOrderMark: false }, headings)
  return { head, write: (product: ProductView) => [...write(product)].join('') }
}
const rows = (sketch: Sketch, headings: string, delimiter?: string) =>
  csvOf(headingsIn(headings), delimiter).write(view(sketch))

describe('a csv file', () => {
  test('has a row for each offer, with headings that imports recognize', () => {
    const csv = csvOf(
      headingsIn('id,name,vendor.vendorName,vendor.cost,vendor.inStock,facet:Color'),
    )
    expect(csv.head).toBe('id,name,vendor.vendorName,vendor.cost,vendor.inStock,facet:Color\r\n')
    const desk: Sketch = {
      id: 'A1',
      name: 'Desk',
      facets: { Color: 'red' },
      vendors: [
        { vendorName: 'Nord', cost: 12.5, inStock: true },
        { vendorName: 'Süd', cost: null },
      ],
    }
    expect(csv.write(view(desk))).toBe('A1,Desk,Nord,12.5,true,red\r\nA1,Desk,Süd,,false,red\r\n')
  })

  test('has each column once, however its heading is spaced', () => {
    const { head } = csvOf(headingsIn('facet: Color,facet:Color,id,facet:  Color,attribute:Color'))
    expect(head).toBe('facet:Color,id,attribute:Color\r\n')
  })

  test('has one row for a product without offers, or without columns of offers', () => {
    expect(rows({ id: 'A1', name: 'Desk' }, 'id,vendor.cost,name')).toBe('A1,,Desk\r\n')
    const two = [{ vendorName: 'Nord' }, { vendorName: 'Süd' }]
    expect(rows({ id: 'A1', vendors: two }, 'id')).toBe('A1\r\n')
  })

  test('quotes cells with any delimiter, quote or line break', () => {
    const name = 'a "17"" screen"; b, c\td|e\nf'
    expect(rows({ id: 'A1', name }, 'name', ';')).toBe(`"${name.replaceAll('"', '""')}"\r\n`)
    expect(rows({ id: 'A1', name: ' spaced ' }, 'name,id', '\t')).toBe('" spaced "\tA1\r\n')
  })

  test('joins lists, and omits custom images', () => {
    const product = viewProduct(
      {
        product: productOf(
          { id: 'A1', upcs: ['1', '2'], images: [{ id: null, url: 'u', name: null, type: null }] },
          'tools',
        ),
      },
      viewer,
    )
    const custom = { id: 'c', url: 'custom', name: null, type: null, isCustom: true }
    expect(
      csvOf(['upcs', 'images']).write({ ...product, images: [...product.images, custom] }),
    ).toBe('"1|2",u\r\n')
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", '＝1'])(
    'makes no formula of %j',
    (name) => {
      const [cells] = parse(rows({ id: 'A1', name }, 'name')) as string[][]
      expect(cells![0]).toBe(`'${name}`)
      expect(cells![0]).not.toMatch(/^[=+\-@\t\r]/)
    },
  )

  test('writes numbers as numbers, including negative ones', () => {
    const sketch = { id: 'A1', filters: { Low: -40.5, Tiny: 1e-9 }, msrp: 1e21 }
    expect(rows(sketch, 'filter:Low,filter:Tiny,msrp')).toBe('-40.5,1e-9,1e+21\r\n')
  })

  test('escapes any text so that it is read back unchanged', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '@', '\t', 'a') }),
        (text) => {
          expect(escapeFormula(text)).not.toMatch(/^[=+\-@\t\r]/)
          expect(unescapeFormula(escapeFormula(text))).toBe(text)
        },
      ),
    )
  })

  test('is read back unchanged by an import', () => {
    const value = fc
      .string({ unit: fc.constantFrom(...`abcÜ=+-@'",;| \n\t0`), minLength: 1, maxLength: 12 })
      .map((text) => text.trim())
      .filter((text) => text !== '')
    const number = fc.double({ min: 0, max: 1e12, noNaN: true }).map((n) => (n === 0 ? 0 : n))
    fc.assert(
      fc.property(value, value, number, number, (name, color, msrp, weight) => {
        const names = { facets: ['Color'], filters: ['Weight'] }
        const csv = csvOf(defaultHeadings(names))
        const sketch = {
          id: 'A1',
          name,
          msrp,
          facets: { Color: color },
          filters: { Weight: weight },
        }
        const text = csv.head + csv.write(view(sketch))
        const [headings, cells] = parse(text) as [string[], string[]]
        const { columns } = matchHeader(headings)
        expect(columns).toHaveLength(headings.length)
        const row = mappedRow(cells, { columns, decimal: '.', vendor: null })
        expect(row).toEqual({
          id: 'A1',
          patch: { name, msrp },
          facets: { Color: color },
          filters: { Weight: weight },
          offers: [],
        })
      }),
    )
  })
})

test('an export queued by an older version continues as requested', () => {
  const file = { id: 'f', name: 'c.csv', type: 'text/csv' }
  const csv = { headings: ['id', 'name'], delimiter: ';', byteOrderMark: true }
  const { writer, settings } = writerOf({ format: 'csv', file, csv })
  expect(writer.open(settings, ['id', 'name']).head).toBe('\ufeffid;name\r\n')
})

describe('the columns of a csv file', () => {
  test('are separated by commas or lines, or in a JSON array', () => {
    expect(headingsIn('id, name\nfacet:Color,')).toEqual(['id', 'name', 'facet:Color'])
    expect(headingsIn(' ["facet:Weight, g", "id"]')).toEqual(['facet:Weight, g', 'id'])
  })

  test('are recognized by imports, each once', () => {
    const headings = FIXED.map(({ heading }) => heading)
    const { repeated, columns } = matchHeader(headings)
    expect([repeated, columns.length]).toEqual([[], FIXED.length])
    expect(columnsOf(['id', 'name', 'id']).map(({ heading }) => heading)).toEqual(['id', 'name'])
  })

  test.each(['price', 'facet:', 'attributes', '__proto__', 'constructor'])(
    'are refused if they are called %s',
    (name) => {
      expect(() => columnsOf([name])).toThrow(/^columns: ".*" is not one of id, /)
    },
  )

  test('are refused if they are not a list of strings', () => {
    expect(() => headingsIn('[1]')).toThrow(/^columns: expected names/)
    expect(() => headingsIn('[')).toThrow(/^columns: expected names/)
  })
})
