import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { parquetFile } from '../support/parquet-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { zipFile } from '../support/zip-file.ts'

let service: TestService
let organization: TestOrganization
let viewer: Call
let catalog: string

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  viewer = await organization.as('viewer')
  catalog = await seedCatalog(service, organization, [
    { id: 'T-1', name: 'HP toner', manufacturer: 'HP', manufacturerPartNumber: 'CB436A' },
    { id: 'T-2', name: 'Xerox toner', manufacturer: 'Xerox', manufacturerPartNumber: '006R90321' },
  ])
})

const upload = (bytes: Buffer | string, by = viewer, more: object = {}) =>
  by('POST /api/extensions/recommendation/bom/files', {
    body: { file: Buffer.from(bytes).toString('base64'), fileName: 'list', ...more },
  })
const run = (fileUrl: string, by = viewer) =>
  by('POST /api/extensions/recommendation/bom/run', {
    body: { additionalFields: { catalog, fileUrl } },
  })
const matched = async (bytes: Buffer | string) => {
  const { url } = (await expectOk(upload(bytes))).body
  const { matchedProducts } = (await expectOk(run(url))).body
  return matchedProducts.map(({ productId, qty }: { productId: string; qty: string }) => [
    productId,
    qty,
  ])
}

describe('Upload Recommendation File', () => {
  const list = 'Part number,Qty\nCB436A,2\n006R90321,5\n'
  const both = [
    ['T-1', '2'],
    ['T-2', '5'],
  ]

  test.each([
    ['csv', list],
    ['csv with a mark and semicolons', `\ufeff${list.replaceAll(',', ';')}`],
    ['UTF-16', Buffer.from(`\ufeff${list}`, 'utf16le')],
    [
      'tsv of an old Windows',
      Buffer.from('Stückzahl\tTeilenr.\n2\tCB436A\n5\t006R90321\n', 'latin1'),
    ],
    ['text', '2x CB436A\r\n5 Stk 006R90321'],
  ])('accepts %s', async (_, bytes) => {
    expect(await matched(bytes)).toEqual(both)
  })

  test('accepts a workbook', async () => {
    expect(await matched(workbook())).toEqual(both)
  })

  test('accepts a Parquet file', async () => {
    const list = parquetFile({ 'Part number': ['CB436A', '006R90321'], Qty: [2, 5] })
    expect(await matched(list)).toEqual(both)
  })

  test('accepts a Google Merchant feed', async () => {
    const items = ['CB436A', '006R90321'].map(
      (mpn, at) => `<item><g:mpn>${mpn}</g:mpn><g:qty>${at === 0 ? 2 : 5}</g:qty></item>`,
    )
    const feed = `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join('')}</channel></rss>`
    expect(await matched(feed)).toEqual(both)
  })

  test('accepts a data URL, in both revisions', async () => {
    const file = `data:text/csv;base64,${Buffer.from(list).toString('base64')}`
    for (const version of ['1.0', '6.0']) {
      const line = 'POST /api/extensions/recommendation/bom/files'
      const { url } = (await expectOk(viewer(line, { body: { file }, version }))).body
      expect(url).toMatch(/^http:\/\/localhost:3000\/api\/files\/[0-9a-f]{32}$/)
      expect((await run(url)).status).toBe(200)
    }
  })

  test.each([
    ['', 'required'],
    [' \n', 'has no lines'],
    ['%PDF-1.7\0\0\0', 'csv, xlsx, parquet, a Google Merchant feed or text'],
    ['PK\x03\x04 and no archive', ''],
    ['A-1000\n'.repeat(limits.recommendationLines + 2), 'Send it in parts'],
  ])('refuses %.12j', async (bytes, message) => {
    const answer = await upload(bytes)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain(message)
  })

  test('refuses files that are too large or not base64', async () => {
    const large = await upload(Buffer.alloc(limits.recommendationFileBytes + 1, 'a'))
    expect(large.status).toBe(413)
    expect((await upload('x', viewer, { file: 'no base64!' })).status).toBe(400)
  })

  test('stores the file only for the organization', async () => {
    const { url } = (await expectOk(upload(list))).body
    const stranger = await newOrganization(service)
    const other = await seedCatalog(service, stranger, [{ id: 'P-1' }])
    const answer = await stranger.call('POST /api/extensions/recommendation/bom/run', {
      body: { additionalFields: { catalog: other, fileUrl: url } },
    })
    expect(answer.status).toBe(404)
    const missing = await viewer('POST /api/extensions/recommendation/nothing/files', {
      body: { file: 'QQ==' },
    })
    expect(missing.status).toBe(404)
  })
})

/** The same list as a workbook, with numeric cells. */
function workbook(): Buffer {
  const cell = (text: string | number) =>
    typeof text === 'number'
      ? `<c><v>${text}</v></c>`
      : `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const rows = [
    ['Part number', 'Qty'],
    ['CB436A', 2],
    ['006R90321', 5],
  ]
  const sheet = rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const packed = 'http://schemas.openxmlformats.org/package/2006'
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packed}/content-types"/>`,
    '_rels/.rels': `<Relationships xmlns="${packed}/relationships"><Relationship Id="r1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="List" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packed}/relationships"><Relationship Id="r1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  }
  return zipFile(Object.entries(parts).map(([name, xml]) => ({ name, content: Buffer.from(xml) })))
}
