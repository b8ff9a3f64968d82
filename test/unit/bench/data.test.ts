import { describe, expect, test } from 'vitest'
import { classOf, hitRanges } from '../../../bench/catalog/classes.ts'
import { headOf, lineOf } from '../../../bench/catalog/lines.ts'
import { productAt } from '../../../bench/catalog/product.ts'
import { candidates, quickTexts } from '../../../bench/catalog/requests.ts'
import { word, zipf } from '../../../bench/catalog/words.ts'
import { randomFrom } from '../../../demo/random.ts'
import { cellsIn } from '../../../src/formats/csv/cells.ts'
import { mappedRow } from '../../../src/formats/rows/mapped-row.ts'
import { matchHeader } from '../../support/recognized-columns.ts'

const take = <T>(count: number, from: Iterator<T>): T[] =>
  Array.from({ length: count }, () => from.next().value as T)

describe('words', () => {
  test('differ, contain only letters and are not plurals', () => {
    const words = Array.from({ length: 70_000 }, (_, rank) => word(rank))
    expect(new Set(words).size).toBe(words.length)
    expect(words.every((text) => /^[a-z]{4,6}$/.test(text) && !text.endsWith('s'))).toBe(true)
  })

  test('are drawn by Zipf: rank 1 about ten times as often as rank 10', () => {
    const draw = zipf(1_000)
    const random = randomFrom('zipf')
    const counts = new Map<number, number>()
    for (let i = 0; i < 50_000; i++) {
      const rank = draw(random)
      counts.set(rank, (counts.get(rank) ?? 0) + 1)
    }
    expect(counts.get(0)! / counts.get(9)!).toBeGreaterThan(8)
    expect(counts.get(0)! / counts.get(9)!).toBeLessThan(12)
    expect(Math.max(...counts.keys())).toBeLessThan(1_000)
  })
})

describe('products', () => {
  test('are the same every time', () => {
    expect(productAt(42)).toEqual(productAt(42))
    expect(productAt(42)).not.toEqual(productAt(43))
  })

  test('have three offers of three vendors, eight facets and two numbers', () => {
    for (let i = 0; i < 200; i++) {
      const { vendors, facets, filters } = productAt(i)
      expect(new Set(vendors.map(({ vendorName }) => vendorName)).size).toBe(3)
      expect(Object.keys(facets)).toHaveLength(8)
      expect(Object.keys(filters)).toHaveLength(2)
    }
  })
})

describe('requests', () => {
  test('are distinct, and the same for the same seed', () => {
    const first = take(500, candidates()).map((request) => JSON.stringify(request))
    expect(new Set(first).size).toBe(500)
    expect(take(500, candidates()).map((request) => JSON.stringify(request))).toEqual(first)
  })

  test('of quicksearch have one to four letters', () => {
    for (const text of quickTexts(100)) expect(text).toMatch(/^.{1,4}$/)
  })
})

describe('hit classes', () => {
  test('are absolute for large catalogs and scaled for small ones', () => {
    expect(hitRanges(1_000_000)).toEqual({
      small: { from: 1, to: 1_000 },
      middle: { from: 10_000, to: 50_000 },
      large: { from: 200_000, to: 1_000_000 },
    })
    expect(hitRanges(100_000)).toEqual({
      small: { from: 1, to: 1_000 },
      middle: { from: 10_000, to: 50_000 },
      large: { from: 70_000, to: 100_000 },
    })
    expect(hitRanges(10_000).middle).toEqual({ from: 1_000, to: 5_000 })
  })

  test('exclude what lies between them', () => {
    const ranges = hitRanges(100_000)
    expect(
      [0, 1, 1_000, 1_001, 10_000, 60_000, 70_000].map((hits) => classOf(hits, ranges)),
    ).toEqual([undefined, 'small', 'small', undefined, 'middle', undefined, 'large'])
  })
})

test('a line of csv has the same product as a line of jsonl', () => {
  const cells = (line: string) => cellsIn(line.trimEnd(), { delimiter: ',', quote: '"' })
  for (let at = 0; at < 20; at++) {
    const product = productAt(at)
    expect(JSON.parse(headOf('jsonl') + lineOf('jsonl', product))).toEqual(product)
    const row = cells(lineOf('csv', product))
    const { columns } = matchHeader(cells(headOf('csv')), [row])
    expect(columns).toHaveLength(row.length)
    const { id, patch, facets, attributes, offers } = mappedRow(row, {
      columns,
      decimal: '.',
      vendor: null,
    })
    const { Colour, Material, Warranty } = product.facets
    expect([id, patch.name, patch.msrp, patch.upcs]).toEqual([
      product.id,
      product.name,
      product.msrp,
      product.upcs,
    ])
    expect([facets, attributes]).toEqual([{ Colour, Material, Warranty }, product.attributes])
    expect(offers[0]).toMatchObject({ vendorName: product.vendors[0]!.vendorName })
  }
})
