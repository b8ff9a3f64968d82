import { expect, test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { csv } from '../../../src/formats/csv/format.ts'
import type { ReadingSettings } from '../../../src/formats/format.ts'
import type { RawRow } from '../../../src/formats/rows/raw-row.ts'
import { openRows } from '../../support/open-rows.ts'

const HEADINGS =
  'Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price,Tags,Status,Cost per item'

async function open(rows: readonly string[], more: Partial<ReadingSettings> = { unmapped: null }) {
  const settings: ReadingSettings = {
    ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null, columns: null },
    ...{ vendor: 'V', ...more },
  }
  const bytes = Buffer.from([HEADINGS, ...rows, ''].join('\n'))
  const file = await csv.open(storedBuffer(bytes), settings, {
    now: new Date(0),
  })
  const batches: RawRow[][] = []
  for await (const batch of file.batches) batches.push([...batch])
  await file.close()
  return { file, batches, rows: batches.flat() }
}

test('an unreadable row of a Shopify file is rejected with its cells', async () => {
  const { file, rows } = await open(['a,A,,Size,S,A1,5,', 'b,"B,,Size,S,B1,5,', 'c,C,,,,C1,5,,,'])
  const [broken] = rows.filter(({ problem }) => problem !== undefined)
  expect(broken?.line).toBe(3)
  expect(file.original({ line: broken!.line, text: broken!.text })).toContain('b')
  expect(rows.filter(({ problem }) => !problem).map((row) => file.read(row).id)).toEqual([
    'A1',
    'C1',
  ])
})

test('a row with too many or too few cells is rejected as in other files', async () => {
  const { rows } = await open([
    'a,A,,Size,S,A1,5,',
    'a,,,,M,A2,5,,,,more',
    'b,"B',
    'c,C',
    'd,D,,,,D1,5,,,',
  ])
  const refused = rows.flatMap(({ line, problem }) => (problem ? [[line, problem]] : []))
  expect(refused).toContainEqual([3, '11 cells instead of the 10 in the first row'])
  expect(refused).toContainEqual([5, '2 cells instead of 10, after the broken row in line 4'])
  expect(rows.filter(({ problem }) => !problem).map(({ line }) => line)).toEqual([2, 6])
})

test('a long description is not copied into each of many variants', async () => {
  const long = `<p>${'long '.repeat(100_000)}</p>`
  const variants = Array.from({ length: 3_000 }, (_, n) => `a,,,,S${n},A${n},5,`)
  const { file, batches, rows } = await open([`a,A,${long},Size,S,A,5,`, ...variants])
  expect(rows).toHaveLength(3_001)
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(500)
  expect(rows.at(-1)!.text.length).toBeLessThan(10_000)
  expect(file.read(rows.at(-1)!)).toMatchObject({ id: 'A2999', patch: { name: 'A' } })
  expect(file.read(rows.at(-1)!).patch.description).toHaveLength(2_000)
})

test('an import begun by an earlier version continues as it began', async () => {
  await expect(open(['a,A,,Size,S,A1,5,'], {})).rejects.toThrow('no column identifies the product')
})

test('unknown columns are ignored or refused on request', async () => {
  const rows = ['a,A,,Size,S,A1,5,sale']
  const kept = await open(rows)
  expect(kept.file.read(kept.rows[0]!).attributes).toEqual({ Tags: 'sale' })
  const ignored = await open(rows, { unmapped: 'ignore' })
  expect(ignored.file.read(ignored.rows[0]!)).not.toHaveProperty('attributes')
  expect(ignored.file.columns?.uses[7]).toMatchObject({ heading: 'Tags', field: null })
  const refused = open(rows, { unmapped: 'fail' })
  await expect(refused).rejects.toThrow(
    'unmapped: no field is known for Tags, Status; send mappings',
  )
})

test('the cost of a product is not imported, and hidden products are reported', async () => {
  const { file, rows } = await open(['a,A,,Size,S,A1,5,,draft,3.10', 'b,B,,,,B1,5,,active,3.20'])
  expect(file.read(rows[0]!).attributes).toEqual({ Status: 'draft' })
  expect(file.columns?.uses.at(-1)).toMatchObject({ heading: 'Cost per item', field: null })
  expect(file.columns?.warnings).toEqual([
    'Rows of products that are drafts, archived or unpublished in Shopify: 1. They are imported like the others.',
  ])
})

test('thousands of variants, duplicate columns and other currencies are supported', async () => {
  const variants = Array.from(
    { length: 2_000 },
    (_, n) => `a,,,Size,S${n},A${n},${n % 3 ? 5 : '5 USD'}`,
  )
  const rows = [
    'Handle,Title,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price',
    ...variants,
  ]
  rows.push('b,B,other,,,B1,5 EUR', 'c,C,,,,C1,5 GBP', 'd,D,,,,D1,5')
  const { file, changes, refused } = await openRows(csv, rows.join('\n'))
  expect(changes).toHaveLength(2_001)
  expect(new Set(changes.map(({ patch }) => patch.groupId))).toEqual(new Set(['a', undefined]))
  expect(refused).toEqual([
    [2_002, 'vendor.cost: "5 EUR" is in EUR, but the other prices in the file are in USD'],
    [2_003, 'vendor.cost: "5 GBP" is in GBP, but the other prices in the file are in USD'],
  ])
  expect(file.notes).toContain('Columns not used, since they repeat one: Title.')
  const wide = `${rows[0]}${',x'.repeat(5_000)}\n`
  await expect(openRows(csv, wide)).rejects.toThrow('The first row has more than 2000 cells.')
})
