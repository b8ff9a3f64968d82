import { expect, test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { csv } from '../../../src/formats/csv/format.ts'
import type { ReadingSettings } from '../../../src/formats/format.ts'
import type { RawRow } from '../../../src/formats/rows/raw-row.ts'

const HEADINGS =
  'Handle,Title,Body (HTML),Option1 Name,Option1 Value,Variant SKU,Variant Price,Tags'

async function open(rows: readonly string[], more: Partial<ReadingSettings> = {}) {
  const settings: ReadingSettings = {
    ...{ delimiter: null, quote: '"', header: true, entry: null, sheet: null, columns: null },
    ...{ unmapped: null, vendor: 'V', ...more },
  }
  const bytes = Buffer.from([HEADINGS, ...rows, ''].join('\n'))
  const file = await csv.open(storedBuffer(bytes), settings, {
    now: new Date(0),
    isCancelled: () => false,
  })
  const batches: RawRow[][] = []
  for await (const batch of file.batches) batches.push([...batch])
  await file.close()
  return { file, batches, rows: batches.flat() }
}

test('a row of a Shopify file that cannot be read is refused with its cells', async () => {
  const { file, rows } = await open(['a,A,,Size,S,A1,5,', 'b,"B,,Size,S,B1,5,', 'c,C,,,,C1,5,'])
  const [broken] = rows.filter(({ problem }) => problem !== undefined)
  expect(broken?.line).toBe(3)
  expect(file.original({ line: broken!.line, text: broken!.text })).toContain('b')
  expect(rows.filter(({ problem }) => !problem).map((row) => file.read(row).id)).toEqual([
    'A1',
    'C1',
  ])
})
