import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { parquetFile } from '../support/parquet-file.ts'
import { xlsxFile } from '../support/xlsx-file.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-flat-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const ROWS = 120_000

/** Number of rows, and peak memory of a process with a small heap that reads them. */
async function read(fileType: string, content: Buffer): Promise<{ rows: number; mib: number }> {
  const store = createDirectoryStore(folder)
  async function* bytes() {
    yield content
  }
  await store.write(fileType, bytes(), content.length)
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[
      '--max-old-space-size=64',
      '--max-semi-space-size=8',
      '--disable-warning=ExperimentalWarning',
    ],
    ...['test/support/read-rows.ts', folder, fileType, String(content.length), fileType],
  ])
  return JSON.parse(stdout)
}

const word = (at: number): string => ((at * 2654435761) % 4294967296).toString(36)

test('a workbook of some 40 MB with as many shared strings as rows is read in constant memory', async () => {
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const line = at + 2
    return `<row r="${line}" spans="1:4"><c r="A${line}" s="0"><v>${at}</v></c><c r="B${line}" t="s"><v>${at + 4}</v></c><c r="C${line}" t="inlineStr"><is><t>${word(at)} ${word(at + 7)} ${word(at * 3)}</t></is></c><c r="D${line}"><v>${at / 100}</v></c></row>`
  })
  const head = ['id', 'name', 'description', 'price']
  const texts = [...head, ...rows.map((_, at) => `${word(at)} with a name of some length ${at}`)]
  const heading = head.map((_, at) => `<c r="${'ABCD'[at]}1" t="s"><v>${at}</v></c>`).join('')
  const content = xlsxFile({
    sheets: [{ name: 'S', rows: `<row r="1">${heading}</row>${rows.join('')}` }],
    strings: texts.map((text) => `<si><t>${text}</t></si>`).join(''),
  })
  const found = await read('xlsx', content)
  expect(found.rows).toBe(ROWS)
  expect(found.mib).toBeLessThan(190)
})

test('a BMEcat catalog of some 40 MB with its group mappings at the end is read in constant memory', async () => {
  const count = ROWS / 2
  const products = Array.from(
    { length: count },
    (_, at) =>
      `<ARTICLE><SUPPLIER_AID>N-${at}</SUPPLIER_AID><ARTICLE_DETAILS><DESCRIPTION_SHORT>${word(at)} ${word(at * 3)}</DESCRIPTION_SHORT><DESCRIPTION_LONG>${`${word(at)} `.repeat(30)}</DESCRIPTION_LONG></ARTICLE_DETAILS><ARTICLE_PRICE_DETAILS><ARTICLE_PRICE price_type="net_list"><PRICE_AMOUNT>${at / 100}</PRICE_AMOUNT></ARTICLE_PRICE></ARTICLE_PRICE_DETAILS></ARTICLE>\n`,
  )
  const maps = products.map(
    (_, at) =>
      `<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>N-${at}</ART_ID><CATALOG_GROUP_ID>${at % 500}</CATALOG_GROUP_ID></ARTICLE_TO_CATALOGGROUP_MAP>`,
  )
  const content = Buffer.from(
    `<BMECAT><T_NEW_CATALOG>${products.join('')}${maps.join('')}</T_NEW_CATALOG></BMECAT>`,
  )
  expect(content.length).toBeGreaterThan(30_000_000)
  const found = await read('bmecat', content)
  expect(found.rows).toBe(count)
  expect(found.mib).toBeLessThan(190)
})

test('a Parquet file of some 40 MB is read in constant memory', async () => {
  const all = Array.from({ length: ROWS }, (_, at) => at)
  const content = parquetFile(
    {
      id: all.map((at) => `P-${at}`),
      name: all.map((at) => `${word(at)} ${word(at * 3)}`),
      description: all.map((at) => `${word(at)} ${word(at + 1)} ${word(at + 2)} `.repeat(12)),
      price: all.map((at) => at / 100),
    },
    { codec: 'UNCOMPRESSED', rowGroupSize: ROWS },
  )
  expect(content.length).toBeGreaterThan(30_000_000)
  const found = await read('parquet', content)
  expect(found.rows).toBe(ROWS)
  expect(found.mib).toBeLessThan(190)
})
