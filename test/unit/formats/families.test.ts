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

/** The most MiB of memory, besides the file, that are in use while its rows are read. */
async function memoryWhileReading(rows: Iterable<string>): Promise<number> {
  const settings: ReadingSettings = {
    ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null, columns: null },
    ...{ vendor: 'V', unmapped: 'ignore' },
  }
  const bytes = Buffer.concat([...rows].map((row) => Buffer.from(`${row}\n`)))
  const before = heap()
  const options = { now: new Date(0), isCancelled: () => false }
  const file = await csv.open(storedBuffer(bytes), settings, options)
  let most = 0
  for await (const _ of file.batches) most = Math.max(most, heap() - before)
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
  expect(await memoryWhileReading([`${SHOPWARE},description`, ...rows])).toBeLessThan(30)
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
