import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, newOrganization } from '../support/client.ts'
import { counts, importFile, newCatalog, product, rejectsOf } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'
import { sheetRows, workbookParts, xlsxFile } from '../support/xlsx-file.ts'
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

const ROWS = sheetRows([
  ['id', 'name', 'vendor', 'price'],
  ['1', 'Tisch', 'Nord', 12.5],
  ['2', 'Bölt', 'Nord', 1.234],
])
const BOOK = xlsxFile({ sheets: [{ name: 'Prices', rows: ROWS }] })
const xlsx = (content: Uint8Array, settings = {}) =>
  importFile(call, content, { name: 'prices.xlsx', ...settings })
const two = { processed: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 }

test('a workbook is imported, and a second import changes nothing', async () => {
  expect(await xlsx(BOOK)).toMatchObject({ status: 'completed', ...two })
  expect(await product(call, '2')).toMatchObject({ name: 'Bölt', vendors: [{ cost: 1.234 }] })
  expect(counts(await xlsx(BOOK))).toMatchObject({ unchanged: 2, updated: 0 })
})

test.each<[string, Buffer, object]>([
  ['in gzip', gzipSync(BOOK), { name: 'prices.xlsx.gz' }],
  ['in zip', zipFile([{ name: 'p.xlsx', content: BOOK }]), { name: 'prices.xlsx.zip' }],
  [
    'as one of several in zip',
    zipFile([
      { name: 'p.xlsx', content: BOOK },
      { name: 'readme.txt', content: Buffer.from('x') },
    ]),
    { fileType: 'xlsx', zippedFile: 'p.xlsx' },
  ],
])('a workbook %s is imported', async (_, content, settings) => {
  expect(counts(await xlsx(content, settings))).toEqual(two)
})

test('the first visible sheet is read, or the named one', async () => {
  const book = xlsxFile({
    sheets: [
      { name: 'Notes', rows: sheetRows([['x']]), state: 'hidden' },
      { name: 'A', rows: sheetRows([['id'], ['a']]) },
      { name: 'B', rows: sheetRows([['id'], ['b']]) },
    ],
  })
  await xlsx(book)
  await xlsx(book, { sheet: 'B' })
  expect(await product(call, 'a')).toMatchObject({ id: 'a' })
  expect(await product(call, 'b')).toMatchObject({ id: 'b' })
  const task = await xlsx(book, { sheet: 'C' })
  expect(task).toMatchObject({ status: 'failed' })
  expect(task.message).toContain('sheet: the workbook has no sheet C; it has Notes, A, B')
})

test('cells are read as they are displayed', async () => {
  const cell = (at: string, type: string, inside: string) => `<c r="${at}2" ${type}>${inside}</c>`
  const head = ['id', 'name', 'upcs', 'msrp', 'inStock', 'vendor', 'price', 'status']
    .concat(['attribute: Since', 'attribute: Open', 'attribute: Sum', 'attribute: Merged'])
    .map((_, at) => `<c r="${String.fromCharCode(65 + at)}1" t="s"><v>${at}</v></c>`)
  const strings = [
    ...['id', 'name', 'upcs', 'msrp', 'inStock', 'vendor', 'price', 'status'],
    ...['attribute: Since', 'attribute: Open', 'attribute: Sum', 'attribute: Merged'],
  ].map((text) => `<si><t>${text}</t></si>`)
  strings.push(
    '<si><r><t>Red </t></r><r><rPr><b/></rPr><t>desk</t></r><rPh sb="0"><t>x</t></rPh></si>',
  )
  const row = [
    cell('A', '', '<v>1.0E2</v>'),
    cell('B', 't="s"', '<v>12</v>'),
    cell('C', 's="2"', '<v>75678164125</v>'),
    cell('D', '', '<v>12.300000000000001</v>'),
    cell('E', 't="b"', '<v>1</v>'),
    cell('F', 't="inlineStr"', '<is><t>Nord &amp; Co_x000a_</t></is>'),
    cell('G', '', '<f>D2*2</f><v>24.6</v>'),
    cell('H', 't="e"', '<v>#N/A</v>'),
    cell('I', 's="1"', '<v>45292</v>'),
    cell('J', 's="3"', '<v>45292.75</v>'),
    cell('K', 't="str"', '<f>A2&amp;"x"</f><v>100x</v>'),
    cell('L', '', ''),
  ]
  const book = xlsxFile({
    sheets: [
      {
        name: 'S',
        rows: `<row r="1">${head.join('')}</row><row r="2">${row.join('')}</row><row r="3"><c r="A3"/></row>`,
      },
    ],
    strings: strings.join(''),
    formats: [0, 14, '000000000000', 'yyyy\\-mm\\-dd hh:mm'],
  })
  expect(counts(await xlsx(book))).toMatchObject({ processed: 1, created: 1 })
  expect(await product(call, '100')).toMatchObject({
    name: 'Red desk',
    upcs: ['075678164125'],
    msrp: 12.3,
    attributes: { Since: '2024-01-01', Open: '2024-01-01T18:00:00', Sum: '100x' },
    vendors: [{ vendorName: 'Nord & Co', cost: 24.6, inStock: true, status: null }],
  })
})

test('a rejected row is listed with its row number and cells', async () => {
  const rows = sheetRows([
    ['id', 'msrp'],
    ['1', 'abc'],
    ['2', 3, 'too', 'many'],
  ])
  const task = await xlsx(xlsxFile({ sheets: [{ name: 'S', rows }] }), {
    mappings: [
      { column: 0, field: 'id' },
      { column: 1, field: 'msrp' },
    ],
  })
  expect(counts(task)).toMatchObject({ created: 1, rejected: 1 })
  expect(await rejectsOf(call, task)).toContain('2,"msrp: ""abc"" is not a number",1,abc')
})

describe('an invalid workbook fails with the reason', () => {
  const parts = workbookParts({ sheets: [{ name: 'S', rows: ROWS }] })
  const without = (name: string) => zipFile(parts.filter((one) => one.name !== name))
  const withSheet = (xml: string) =>
    zipFile(
      parts.map((one) =>
        one.name.includes('sheet1') ? { ...one, content: Buffer.from(xml) } : one,
      ),
    )
  test.each<[string, Buffer, string]>([
    ['text', Buffer.from('id,name\n1,x\n'), 'not an xlsx workbook'],
    ['nothing', Buffer.from(''), 'not an xlsx workbook'],
    ['an old or encrypted one', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'Save it as .xlsx'],
    [
      'a zip of something else',
      zipFile([{ name: 'a.txt', content: Buffer.from('hello') }]),
      'not an xlsx workbook',
    ],
    ['without its workbook', without('xl/workbook.xml'), 'not an xlsx workbook'],
    ['without its sheet', without('xl/worksheets/sheet1.xml'), 'sheet that it lists is missing'],
    ['a cut archive', BOOK.subarray(0, 900), 'zip archive cannot be read'],
    ['broken XML', withSheet('<worksheet><sheetData><row></sheetData>'), 'not well-formed XML'],
    [
      'a DTD with entities',
      withSheet('<!DOCTYPE x [<!ENTITY a "b">]><worksheet><sheetData/></worksheet>'),
      'document type with its own declarations',
    ],
    [
      'a bomb',
      withSheet(`<worksheet><sheetData>${' '.repeat(80 * 1024 * 1024)}</sheetData></worksheet>`),
      'more than 200 times its size',
    ],
  ])('%s', async (_, content, message) => {
    const task = await xlsx(content)
    expect(task.status).toBe('failed')
    expect(task.message).toContain(message)
    expect(task.created).toBe(0)
  })
})
