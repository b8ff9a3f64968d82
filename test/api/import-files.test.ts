import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { type Call, newOrganization } from '../support/client.ts'
import {
  counts,
  importFile,
  newCatalog,
  product,
  rejectsOf,
  type Settings,
  startImport,
  upload,
} from '../support/imports.ts'
import { parquetFile } from '../support/parquet-file.ts'
import { requestsSent } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'
import { zipFile } from '../support/zip-file.ts'

let service: TestService
let call: Call

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  const organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

const CSV = 'id,name\n1,Tisch\n2,Bölt\n'
const twoRows = { processed: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 }
const part = (name: string, content = CSV) => ({ name, content: Buffer.from(content) })

describe('a valid file is imported whatever its format', () => {
  test.each<[string, Buffer]>([
    ['gzip', gzipSync(CSV)],
    ['zip', zipFile([part('any.csv')])],
    ['UTF-8 with BOM', Buffer.from(`\ufeff${CSV}`)],
    ['UTF-16 LE', Buffer.from(`\ufeff${CSV}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\ufeff${CSV}`, 'utf16le').swap16()],
    ['Latin-1', Buffer.from(CSV, 'latin1')],
    ['CRLF', Buffer.from(CSV.replaceAll('\n', '\r\n'))],
    ['CR', Buffer.from(CSV.replaceAll('\n', '\r'))],
    ['no line end at the end', Buffer.from(CSV.trimEnd())],
    ['a line that says the delimiter', Buffer.from(`sep=;\r\n${CSV.replaceAll(',', ';')}`)],
    ['semicolons', Buffer.from(CSV.replaceAll(',', ';'))],
    ['all cells quoted', Buffer.from(CSV.replace(/[^,\n]+/g, '"$&"'))],
  ])('%s', async (_, bytes) => {
    const task = await importFile(call, bytes, { zipped: bytes[0] === 0x1f })
    expect(task).toMatchObject({ status: 'completed', ...twoRows })
    expect((await product(call, '2')).name).toBe('Bölt')
  })

  test('tab-separated', async () => {
    const task = await importFile(call, CSV.replaceAll(',', '\t'), { name: 'x.tsv' })
    expect(counts(task)).toEqual(twoRows)
  })

  test('JSON lines, as the service itself returns products', async () => {
    await importFile(call, 'id,name,vendor,price,facet:Color\n1,Desk,Nord,10,red\n')
    const shown = await product(call, '1')
    const task = await importFile(call, `${JSON.stringify(shown)}\n`, { name: 'x.jsonl.gz' })
    expect(counts(task)).toMatchObject({ processed: 1, unchanged: 1 })
    expect(await product(call, '1')).toEqual(shown)
  })

  test.each([
    ['by its ending', 'x.parquet'],
    ['by its bytes', 'x'],
  ])('a Parquet file with %s', async (_, name) => {
    const bytes = parquetFile({
      id: ['1', '2'],
      name: ['Tisch', 'Bölt'],
      price: [12.5, null],
      vendor: ['Nord', null],
    })
    const task = await importFile(call, bytes, { name })
    expect(task).toMatchObject({ status: 'completed', ...twoRows })
    expect(await product(call, '1')).toMatchObject({ vendors: [{ cost: 12.5 }] })
    expect((await product(call, '2')).name).toBe('Bölt')
  })

  test('an entry of a zip archive', async () => {
    const zip = zipFile([part('a.csv', 'id\nno\n'), part('b.csv')])
    const task = await importFile(call, zip, { zipped: true, zippedFile: 'b.csv' })
    expect(counts(task)).toEqual(twoRows)
  })

  test('a zip archive whose name does not tell the type of its file', async () => {
    const one = zipFile([part('a.csv')])
    expect(counts(await importFile(call, one, { name: 'a.zip' }))).toEqual(twoRows)
    const two = zipFile([part('a.txt'), part('b.csv')])
    const target = { targetCatalog: 'c' }
    const named = await importFile(call, two, { name: 'b.zip', zippedFile: 'b.csv' })
    expect(named).toMatchObject({ status: 'completed', unchanged: 2 })
    await expect(startImport(call, two, { name: 'c.zip', ...target })).rejects.toThrow(
      'fileType: required',
    )
  })

  test('numbers with a decimal comma', async () => {
    const task = await importFile(
      call,
      'id;vendor;price;msrp\n1;Nord;12,50;1.234,56\n2;Nord;€ 3,00;1.234\n',
    )
    expect(counts(task)).toEqual(twoRows)
    expect(await product(call, '1')).toMatchObject({ msrp: 1234.56, vendors: [{ cost: 12.5 }] })
    expect(await product(call, '2')).toMatchObject({ msrp: 1234, vendors: [{ cost: 3 }] })
    const units = 'id;vendor;price;msrp;stock\n3;Nord;1.299,-;1.499;50 Stk.\n4;Nord;k.A.;;20 Stk.\n'
    expect(counts(await importFile(call, units))).toEqual(twoRows)
    const [offer] = (await product(call, '3')).vendors
    expect(offer).toMatchObject({ cost: 1299, onHand: 50 })
    expect(await product(call, '3')).toMatchObject({ msrp: 1499 })
    const mixed = 'id;vendor;price\n5;Nord;9.90\n6;Nord;9,90\n7;Nord;8.90\n8;Nord;1.299\n'
    expect(await importFile(call, mixed)).toMatchObject({
      warnings: [
        'Numbers that contradict the decimal point of the file: 1, the first being "9,90" in row 3. Check the numbers that can be read both ways and were read with a decimal point: 1, the first being "1.299" in row 5.',
      ],
    })
  })
})

describe('an empty file', () => {
  test.each<[string, string, Settings]>([
    ['no byte', '', {}],
    ['a header only', 'id,name\n', {}],
    ['blank lines', '\n\n  \n', {}],
    ['no line of JSON', '', { name: 'x.jsonl' }],
    ['no byte, packed', gzipSync('').toString('latin1'), {}],
  ])('completes with no rows: %s', async (_, content, settings) => {
    const task = await importFile(call, Buffer.from(content, 'latin1'), settings)
    expect(task).toMatchObject({ status: 'completed', processed: 0, percentCompleted: 100 })
  })
})

describe('an unreadable file fails with the reason', () => {
  test.each<[string, Buffer, Settings, string]>([
    [
      'a wrong delimiter',
      Buffer.from(CSV),
      { delimiter: ';' },
      'None of the headings in the first row is known: id,name (delimiter ";")',
    ],
    [
      'unknown headings',
      Buffer.from('foo,bar\n1,2\n'),
      {},
      'None of the headings in the first row is known: foo, bar',
    ],
    [
      'a JSON array as jsonl',
      Buffer.from('[\n{"id":"1"},\n{"id":"2"}\n]\n'),
      { name: 'x.jsonl' },
      'The file is a JSON array. Write one product on each line',
    ],
    [
      'UTF-32',
      Buffer.from([
        0xff,
        0xfe,
        0,
        0,
        ...[...'id,name\n1,x\n'].flatMap((c) => [c.charCodeAt(0), 0, 0, 0]),
      ]),
      {},
      'The file is encoded as UTF-32, which is not supported. Save it as UTF-8.',
    ],
    [
      'headings that name no product',
      Buffer.from('name,price\nx,1\n'),
      { vendor: 'V' },
      'no column identifies the product',
    ],
    [
      'too few columns for its mappings',
      Buffer.from(CSV),
      { mappings: [{ column: 7, field: 'id' }] },
      'mappings: the file has no column 7; with the delimiter "," it has 2, counted from 0',
    ],
    [
      'a zip with two files',
      zipFile([part('a.csv'), part('b.csv')]),
      {},
      'Set zippedFile to one of them: a.csv, b.csv',
    ],
    [
      'a zip without the named file',
      zipFile([part('a.csv')]),
      { zippedFile: 'x.csv' },
      'the archive has no file x.csv; it has a.csv',
    ],
    ['a path out of the archive', zipFile([part('../../etc/a.csv')]), {}, 'invalid relative path'],
    ['a bomb', gzipSync(Buffer.alloc(90 * 1024 * 1024)), {}, 'more than 200 times its size'],
    [
      'an open quote in the header',
      Buffer.from('"id,name\n1,x\n'),
      {},
      'Line 1, the first row: a quote is not closed',
    ],
  ])('%s', async (_, bytes, settings, message) => {
    const task = await importFile(call, bytes, settings)
    expect(task).toMatchObject({ status: 'failed', created: 0 })
    expect(task.message).toContain(message)
    expect(task.message).toMatch(/[^.]\. 0 rows: 0 created/)
  })

  test.each<[string, (packed: Buffer) => Buffer]>([
    ['breaks off', (packed) => packed.subarray(0, packed.length / 2)],
    ['has junk at its end', (packed) => Buffer.concat([packed, Buffer.from('and junk')])],
  ])('nothing is imported from an archive that %s', async (_, damaged) => {
    const rows = Array.from({ length: 5_000 }, (_, i) => `P${i},Name ${Math.sin(i)}`)
    const task = await importFile(call, damaged(gzipSync(['id,name', ...rows].join('\n'))))
    expect(task).toMatchObject({ status: 'failed', processed: 0, rejectsUrl: null })
    expect(task.message).toContain('The archive is damaged or incomplete.')
    expect((await call('GET /api/Catalog/c/products/P7')).status).toBe(404)
  })

  test('rejected rows of a Parquet file are listed with their row numbers', async () => {
    const task = await importFile(call, parquetFile({ id: ['1', '2'], msrp: ['5', 'x'] }), {
      name: 'x.parquet',
    })
    expect(counts(task)).toMatchObject({ created: 1, rejected: 1 })
    expect(await rejectsOf(call, task)).toBe(
      'line,reason,id,msrp\r\n2,"msrp: ""x"" is not a number",2,x\r\n',
    )
  })

  test('nothing is imported from a Parquet file that is damaged in its last page', async () => {
    const ids = Array.from({ length: 5_000 }, (_, at) => `P${at}`)
    const bytes = parquetFile({ id: ids }, { codec: 'GZIP', rowGroupSize: 1_000 })
    bytes.fill(0, bytes.length - 3_000, bytes.length - 2_900)
    const task = await importFile(call, bytes, { name: 'x.parquet' })
    expect(task).toMatchObject({ status: 'failed', processed: 0 })
    expect(task.message).toContain('The Parquet file is damaged or incomplete.')
  })

  test('an incomplete last character of UTF-16 is ignored', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffid,name\nA,One\nB,T', 'utf16le'),
      Buffer.from([65]),
    ])
    const task = await importFile(call, bytes)
    expect(counts(task)).toMatchObject({ created: 1, rejected: 1 })
    expect(await rejectsOf(call, task)).toContain('3,not valid UTF-16')
  })
})

describe('every row is imported or listed with its line and the reason', () => {
  async function rejected(content: string | Buffer, settings: Settings = {}): Promise<string[]> {
    const task = await importFile(call, content, settings)
    expect(task.status).toBe('completed')
    const { processed, created, updated, unchanged } = task
    expect(created + updated + unchanged + task.rejected).toBe(processed)
    return (await rejectsOf(call, task)).trimEnd().split(/\r?\n/)
  }

  test('ragged rows', async () => {
    expect(await rejected('id,name,facet:C\n1\n2,x,red,\n3,y,red,blue\n')).toEqual([
      'line,reason,id,name,facet:C',
      '4,4 cells instead of the 3 in the first row,3,y,red,blue',
    ])
    expect((await product(call, '1')).id).toBe('1')
    expect((await product(call, '2')).facets).toEqual({ C: 'red' })
  })

  test('cells that a program with another delimiter would split', async () => {
    expect(await rejected('id,name,price\n1,a;b|c,x\n2,"tab\there",x\n')).toEqual([
      'line,reason,id,name,price',
      '2,"vendor.cost: ""x"" is not a number",1,"a;b|c",x',
      '3,"vendor.cost: ""x"" is not a number",2,"tab\there",x',
    ])
  })

  test('an unclosed quote', async () => {
    expect(await rejected('id,name\n1,a\n2,"b\n3,c\n4,"d"\n')).toEqual([
      'line,reason,id,name',
      '3,a quote is not closed,2,"""b"',
    ])
    expect((await product(call, '3')).name).toBe('c')
    expect((await product(call, '4')).name).toBe('d')
  })

  test('the middle of a huge cell', async () => {
    const cell = `"${'line one\nline two\n'.repeat(70_000)}"`
    const task = await importFile(call, `id,name\n1,${cell}\n5,six\n`)
    expect(counts(task)).toMatchObject({ created: 1, updated: 0 })
    expect((await product(call, '5')).name).toBe('six')
    const [, first, second] = (await rejectsOf(call, task)).split('\r\n')
    expect(first).toMatch(/^2,"the row is larger than/)
    expect(second).toBe('3,"1 cells instead of 2, after the broken row in line 2",line two')
  })

  test('a field of 50 MB', async () => {
    const huge = Buffer.concat([
      Buffer.from('id,name\n1,a\n2,"'),
      Buffer.alloc(50 * 1024 * 1024, 'x'),
      Buffer.from('"\n3,c\n'),
    ])
    const [, row] = await rejected(huge)
    expect(row).toMatch(
      /^3,"the row is larger than 1048576 bytes, or a quote is not closed",2,"""xxx/,
    )
    expect(row!.length).toBeLessThan(2_000)
    expect((await product(call, '3')).name).toBe('c')
  })

  test('invalid numbers, and text that is too long or not text', async () => {
    const lines = await rejected(
      `id,msrp,manufacturer\n1,abc,\n2,-1,\n3,,${'x'.repeat(201)}\n4,,a\u0001b\n5,1e999,\n6,7,ok\n`,
    )
    expect(lines.slice(1).map((line) => line.slice(0, 60))).toEqual([
      '2,"msrp: ""abc"" is not a number",1,abc,',
      `3,"msrp: ""-1"" is less than 0",2,'-1,`,
      `4,manufacturer: longer than 200 characters,3,,${'x'.repeat(60)}`.slice(0, 60),
      '5,manufacturer: control characters are not allowed,4,,a\u0001b',
      '6,"msrp: ""1e999"" is not a number",5,1e999,',
    ])
  })

  test('a row that is not valid UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('id,name\n1,Bölt Käse\n2,'),
      Buffer.from([0xe9]),
      Buffer.from('\n3,Größe\n'),
    ])
    expect(await rejected(bytes)).toEqual(['line,reason,id,name', '3,not valid UTF-8,2,\ufffd'])
    expect((await product(call, '1')).name).toBe('Bölt Käse')
  })

  test('invalid JSON lines', async () => {
    const lines = await rejected(
      '{"id":"1","name":"a"}\n{\n[1]\n{"id":2}\n{"id":"5","msrp":"x"}\n',
      {
        name: 'x.jsonl',
      },
    )
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { line: 2, reason: 'not valid JSON', row: '{' },
      { line: 3, reason: 'the line must be a JSON object with one product', row: '[1]' },
      { line: 4, reason: 'id: expected string, received number', row: '{"id":2}' },
      { line: 5, reason: 'msrp: expected number, received string', row: '{"id":"5","msrp":"x"}' },
    ])
  })

  test('text that a spreadsheet would execute is made harmless in the list', async () => {
    const [, row] = await rejected('id,name,msrp\n=1+1,"=HYPERLINK(""x"")",@x\n')
    expect(row).toBe(`2,"msrp: ""@x"" is not a number",'=1+1,"'=HYPERLINK(""x"")",'@x`)
  })

  test('a thousand of them, over several batches and in order', async () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => (i % 3 === 0 ? `P${i},x` : `P${i},1`))
    const lines = await rejected(['id,msrp', ...rows].join('\n'))
    const numbers = lines.slice(1).map((line) => Number(line.split(',')[0]))
    expect(numbers).toEqual(Array.from({ length: 1_000 }, (_, i) => 3 * i + 2))
  })
})

describe('a header row', () => {
  test('with a duplicate name uses the first column and reports it', async () => {
    const csv = 'id,name,Name,price,Einkaufspreis\n1,first,second,9,5\n'
    const task = await importFile(call, csv)
    expect(task.message).toContain('Columns not used, since they repeat one: Name, Einkaufspreis.')
    expect(await product(call, '1')).toMatchObject({ name: 'first', attributes: {} })
    const body = { fileUrl: await upload(call, csv) }
    const sample = await call('POST /api/extensions/available/file/getSample', { body })
    expect(sample.body.becomes).toEqual((task as unknown as { columns: unknown }).columns)
  })

  test('with names such as constructor creates attributes like any other', async () => {
    await importFile(call, 'id,attribute:constructor,facet:toString,attribute:__proto__\n1,a,b,c\n')
    const { attributes, facets } = await product(call, '1')
    expect(attributes).toEqual({ constructor: 'a' })
    expect(facets).toEqual({ toString: 'b' })
  })
})

test('a small file of large products is written in parts', async () => {
  const headings = Array.from({ length: 900 }, (_, at) => `attribute: ${at}`.padEnd(190, 'x'))
  const rows = Array.from({ length: 40 }, (_, at) => `${at}${',1'.repeat(headings.length)}`)
  const sizes: number[] = []
  const sent = await requestsSent(service, async () => {
    const task = await importFile(call, [`id,${headings.join(',')}`, ...rows].join('\n'))
    expect(counts(task)).toMatchObject({ created: 40, rejected: 0 })
  })
  for (const { path, body } of sent) if (path.includes('_bulk')) sizes.push(`${body}`.length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(10e6)
  expect(Math.max(...sizes)).toBeLessThan(8e6)
})

test('ids with any text are imported and found again', async () => {
  const ids = ['a/b', '100%', 'a.b', 'ü ö', '日本', 'x'.repeat(limits.idLength)]
  const task = await importFile(call, ['id,name', ...ids.map((id) => `${id},n`)].join('\n'))
  expect(counts(task)).toMatchObject({ created: ids.length, rejected: 0 })
  for (const id of ids) expect((await product(call, id)).id).toBe(id)
  const refused = await importFile(call, `id\n${'x'.repeat(limits.idLength + 1)}\n..\n`)
  expect(counts(refused)).toMatchObject({ rejected: 2 })
})
