import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { csv } from '../../../src/formats/csv/format.ts'
import type { ReadingSettings } from '../../../src/formats/format.ts'
import { openRows } from '../../support/open-rows.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const MIB = 1024 * 1024

const heap = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed / MIB
}

const AS_FOUND: ReadingSettings = {
  ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null, columns: null },
  ...{ vendor: 'V', unmapped: 'ignore' },
}
const OPTIONS = { now: new Date(0) }

/**
 * The most MiB of memory, besides the file, that are in use while its rows are read. Collecting all
 * garbage takes long, so it is measured after every `each` batches.
 */
async function memoryWhileReading(rows: Iterable<string>, each = 1): Promise<number> {
  const bytes = Buffer.concat([...rows].map((row) => Buffer.from(`${row}\n`)))
  const before = heap()
  const file = await csv.open(storedBuffer(bytes), AS_FOUND, OPTIONS)
  let most = 0
  let batches = 0
  for await (const _ of file.batches) {
    if (++batches % each === 0) most = Math.max(most, heap() - before)
  }
  await file.close()
  return most
}

const SHOPWARE = 'id,parent_id,product_number,active,name'
const SHOPIFY = 'Handle,Title,Option1 Name,Option1 Value,Variant Price,Image Src'

/** Headings of a wide table, and the cells below them. */
const WIDE = Array.from({ length: 1_990 }, (_, at) => `,c${at}`).join('')
const FILLED = ',x'.repeat(1_990)
const EMPTY = ','.repeat(1_990)

test('products of many short cells wait for variants only while they fit into memory', async () => {
  const late = (rows: number, cells: string) =>
    openRows(
      csv,
      [
        `${SHOPWARE}${WIDE}`,
        `a,,A,1,Tee${EMPTY}`,
        ...Array.from({ length: rows }, (_, at) => `o${at},,O${at},1,Other${cells}`),
        `b,a,A.1,1,${EMPTY}`,
      ].join('\n'),
      { unmapped: 'ignore' },
    )
  const near = await late(60, FILLED)
  expect(near.warnings).toEqual([])
  expect(near.changes).toHaveLength(61)
  const far = await late(340, FILLED)
  expect(far.warnings).toEqual([
    'Main rows that became products themselves because their variants are too far below: 1.',
  ])
  expect(far.changes.find(({ id }) => id === 'A.1')).toMatchObject({ patch: { name: 'Tee' } })
  expect((await late(340, EMPTY)).warnings).toEqual([])
})

test('a family of many short cells shares its pictures only while it fits into memory', async () => {
  const pictured = async (variants: number) => {
    const rows = Array.from({ length: variants }, (_, at) => `a,,,S${at},5,${FILLED}`)
    const last = `a,,,,,https://a.example/1.jpg${EMPTY}`
    const { changes } = await openRows(
      csv,
      [`${SHOPIFY}${WIDE}`, `a,Tee,Size,S,5,${EMPTY}`, ...rows, last].join('\n'),
      { unmapped: 'ignore' },
    )
    expect(changes).toHaveLength(variants + 1)
    return [changes[0], changes.at(-1)].map((change) => change?.patch.image)
  }
  expect(await pictured(30)).toEqual(['https://a.example/1.jpg', 'https://a.example/1.jpg'])
  expect(await pictured(340)).toEqual([undefined, 'https://a.example/1.jpg'])
})

test('a product that waited for variants does not keep its whole row in memory', async () => {
  const long = 'd'.repeat(MIB / 2)
  const rows = Array.from({ length: 80 }, (_, at) => `product-head-${at},,P${at},1,n,${long}`)
  expect(await memoryWhileReading([`${SHOPWARE},description`, ...rows], 8)).toBeLessThan(30)
})

test('the pictures of a family do not keep their whole rows in memory', async () => {
  const long = 'd'.repeat(MIB / 2)
  const variants = Array.from({ length: 4 }, (_, at) => `a,,,S${at},5,,${long}`)
  const rows = Array.from({ length: 60 }, (_, at) => `a,,,,,https://a.example/${at}.jpg,${long}`)
  const first = 'a,Tee,Size,S,5,,'
  expect(await memoryWhileReading([`${SHOPIFY},Tags`, first, ...variants, ...rows])).toBeLessThan(
    15,
  )
})

/** The variants of a product with these values in its first row, and the length of their rows. */
async function inheriting(values: { readonly title: string; readonly type: string }) {
  const variants = Array.from({ length: 200 }, (_, at) => `a,,,S${at},5,,`)
  const rows = [`${SHOPIFY},Type`, `a,${values.title},Size,S,5,,${values.type}`, ...variants]
  const { changes, refused } = await openRows(csv, rows.join('\n'))
  const file = await csv.open(storedBuffer(Buffer.from(rows.join('\n'))), AS_FOUND, OPTIONS)
  let length = 0
  for await (const batch of file.batches) {
    for (const { line, text } of batch) if (line > 2) length += text.length
  }
  await file.close()
  return { changes, refused, length }
}

test.each([
  ['t', 't'.repeat(MIB / 4)],
  ['spaces', `'=t${' '.repeat(MIB / 4)}t`],
])('a long title of %s is refused for each variant without being copied', async (_, title) => {
  const { changes, refused, length } = await inheriting({ title, type: 'Tees' })
  expect(changes).toEqual([])
  expect(refused).toHaveLength(201)
  expect(new Set(refused.map(([, reason]) => reason))).toEqual(
    new Set(['name: longer than 500 characters']),
  )
  expect(length).toBeLessThan(MIB)
})

test('the levels of a long category are those of a short one, without being copied', async () => {
  const type = `Home > Garden ${'> and so on '.repeat(20_000)}> Hoses`
  const { changes, length } = await inheriting({ title: 'Hose', type })
  expect(changes).toHaveLength(201)
  for (const { patch } of changes) {
    expect(patch).toMatchObject({ segment: 'Home', category: 'Garden', subCategory: 'Hoses' })
  }
  expect(length).toBeLessThan(MIB)
})
