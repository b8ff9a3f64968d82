import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { importFile, newCatalog, product, upload } from '../support/imports.ts'
import { parquetFile } from '../support/parquet-file.ts'
import { startService, type TestService } from '../support/service.ts'
import { sheetRows, xlsxFile } from '../support/xlsx-file.ts'

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

async function sample(content: string | Uint8Array, settings: Record<string, unknown> = {}) {
  const { name = 'data.csv', ...more } = settings
  const body = { fileUrl: await upload(call, content, name as string), ...more }
  return (await expectOk(call('POST /api/extensions/available/file/getSample', { body }))).body
}

const GERMAN = `Herst.-Art.-Nr.;Hersteller;Bezeichnung;Preis netto (EUR);Lagerbestand;EAN;Farbe
AB-1;Möbel AG;Tisch;12,50;7;4006381333931;rot
AB-2;Möbel AG;Stuhl;1.299,00;0;4006381333948;blau
`

describe('a sample of a file', () => {
  test('returns its columns, their probable mappings and its format', async () => {
    const answer = await sample(Buffer.from(GERMAN, 'latin1'))
    expect(answer).toMatchObject({
      success: true,
      error: null,
      detected: {
        encoding: 'windows-1252',
        delimiter: ';',
        quoteChar: '"',
        header: true,
        decimal: ',',
      },
    })
    expect(answer.columns[0]).toEqual(['Herst.-Art.-Nr.', 'AB-1', 'AB-2'])
    const fields = answer.mappings.map(
      ({ column, field, attribute }: { column: number; field: string; attribute: string }) =>
        `${column} ${field}${attribute === null ? '' : ` ${attribute}`}`,
    )
    expect(fields).toEqual([
      '0 manufacturerPartNumber',
      '1 manufacturer',
      '2 name',
      '3 vendor.cost',
      '4 vendor.onHand',
      '5 upcs',
      '6 facet Farbe',
    ])
    for (const { confidence } of answer.mappings) {
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })

  test('suggests mappings by values if there are no headings', async () => {
    const answer = await sample(
      '4006381333931,HX-20/B,https://a.example/x.jpg,12.50\n4006381333948,HX-21/B,https://a.example/y.jpg,8.00\n',
    )
    expect(answer.detected.header).toBe(false)
    expect(answer.columns[0]).toEqual(['', '4006381333931', '4006381333948'])
    expect(answer.mappings.map(({ field }: { field: string }) => field)).toEqual([
      'upcs',
      'manufacturerPartNumber',
      'image',
      'vendor.cost',
    ])
  })

  test('has the mappings that the import itself applies', async () => {
    await importFile(call, GERMAN.replace('AB-1', '=AB-1'), { vendor: 'Nord' })
    const { body } = await expectOk(
      call('POST /api/search?catalog=c', { body: { keywords: 'AB-2' } }),
    )
    expect(await product(call, body.products[0].id)).toMatchObject({
      manufacturer: 'Möbel AG',
      name: 'Stuhl',
      upcs: ['4006381333948'],
      vendors: [{ cost: 1299, onHand: 0 }],
    })
  })

  test('shows twenty rows and the beginning of long values of a large file', async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `${at},${'x'.repeat(300)}`)
    const { columns } = await sample(gzipSync(`id,name\n${rows.join('\n')}\n`))
    expect(columns[0]).toHaveLength(21)
    expect(columns[1][1]).toHaveLength(200)
  })

  test.each<[string, Uint8Array | string, string, string]>([
    [
      'xlsx',
      xlsxFile({
        sheets: [
          {
            name: 'A',
            rows: sheetRows([
              ['SKU', 'Title'],
              ['1', 'x'],
            ]),
          },
        ],
      }),
      'SKU',
      '1',
    ],
    ['parquet', parquetFile({ SKU: ['1'], Title: ['x'] }), 'SKU', '1'],
    ['jsonl', '{"id":"1","vendors":[]}\n', 'id', '1'],
    [
      'cif',
      'CIF_I_V3.0\nFIELDNAMES: Supplier Part ID\nDATA\n1\nENDOFDATA\n',
      'Supplier Part ID',
      '1',
    ],
    [
      'bmecat',
      '<BMECAT><T_NEW_CATALOG><ARTICLE><SUPPLIER_AID>1</SUPPLIER_AID></ARTICLE></T_NEW_CATALOG></BMECAT>',
      'vendor.vendorPartNumber',
      '1',
    ],
    [
      'google',
      '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id></item></channel></rss>',
      'id',
      '1',
    ],
  ])('works for %s', async (fileType, content, heading, value) => {
    const { columns } = await sample(content, { fileType, name: 'x' })
    expect(columns[0]).toEqual([heading, value])
  })

  test('of an invalid file returns the reason', async () => {
    expect(await sample('x', { fileType: 'xlsx' })).toMatchObject({
      success: false,
      error: 'The file is not an xlsx workbook.',
      columns: [],
    })
    const nothing = await call('POST /api/extensions/available/file/getSample', { body: {} })
    expect(nothing.body).toMatchObject({
      success: false,
      error: 'fileUrl: required to preview a file',
    })
  })
})

describe('validating an import', () => {
  async function validate(
    content: string | undefined,
    { mappings = [], ...data }: { mappings?: object[] } & Record<string, unknown> = {},
  ) {
    const fileUrl = content === undefined ? {} : { fileUrl: await upload(call, content) }
    const body = { catalog: 'c', additionalData: { ...fileUrl, ...data }, mappings }
    return (await expectOk(call('POST /api/extensions/available/file/validate', { body }))).body
  }

  test('reports what the first rows would change, and changes nothing', async () => {
    await importFile(call, 'id,name\n1,Desk\n2,Chair\n')
    const answer = await validate('id,name,msrp\n1,Desk,\n2,Stool,\n3,Lamp,\n4,Shelf,cheap\n')
    expect(answer).toMatchObject({
      success: true,
      problems: [],
      preview: {
        created: 1,
        updated: 1,
        unchanged: 1,
        rejected: 1,
        rejects: [{ line: 5, reason: 'msrp: "cheap" is not a number' }],
      },
    })
    expect((await product(call, '2')).name).toBe('Chair')
    expect((await call('GET /api/Catalog/c/products/3')).status).toBe(404)
  })

  test('looks at a hundred rows of a large file', async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => `${at},desk`)
    expect((await validate(`id,name\n${rows.join('\n')}\n`)).preview.created).toBe(100)
  })

  test('reports all problems of the mappings', async () => {
    const answer = await validate(undefined, {
      mappings: [
        { column: 0, field: 'colour' },
        { column: 1, field: 'id' },
        { column: 2, field: 'id' },
        { column: 3, field: 'attribute' },
      ],
    })
    expect(answer.success).toBe(false)
    expect(answer.problems).toEqual([
      { field: 'mappings[0].field', message: expect.stringContaining('one of id, name') },
      { field: 'mappings[2].field', message: 'id is mapped twice' },
      { field: 'mappings[3].attribute', message: 'required; send the name of the attribute' },
    ])
  })

  test.each<[string, string, { mappings?: object[]; fileType?: string }, string, string]>([
    [
      'a column that the file has not',
      'id,name\n1,x\n',
      { mappings: [{ column: 7, field: 'id' }] },
      'mappings',
      'the file has no column 7; with the delimiter "," it has 2, counted from 0',
    ],
    ['an unknown type', 'id\n1\n', { fileType: 'docx' }, 'additionalData.fileType', 'one of csv'],
    [
      'unknown headings',
      'foo,bar\n1,2\n',
      {},
      'fileUrl',
      'None of the headings in the first row is known',
    ],
  ])('reports %s', async (_, content, settings, field, message) => {
    const { problems } = await validate(content, settings)
    expect(problems).toEqual([{ field, message: expect.stringContaining(message) }])
  })
})
