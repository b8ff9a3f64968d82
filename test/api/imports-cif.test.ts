import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, newOrganization } from '../support/client.ts'
import { counts, importFile, newCatalog, onlyProduct, rejectsOf } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

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

const FIELDS =
  'Supplier ID,Supplier Part ID,Manufacturer Part ID,Item Description,SPSC Code,Unit Price,Units of Measure,Lead Time,Manufacturer Name,Supplier URL,Manufacturer URL,Market Price,Short Name,Currency,Expiration Date,Parametric Data,Delete'
const ROW =
  '942888711,34A11,C11,"Eames Chair, ""black""",56101504,400.00,EA,3,Herman Miller,http://shop.example/34A11,,449.99,Eames Chair,USD,2199-01-01,"{Color=black;Seat height=42 cm;}",'
const cif = (rows: readonly string[], { fields = FIELDS, count = rows.length } = {}) =>
  `CIF_I_V3.0\nCHARSET: UTF-8\nLOADMODE: F\nCODEFORMAT: UNSPSC\nCURRENCY: USD\nSUPPLIERID_DOMAIN: DUNS\nITEMCOUNT: ${count}\nTIMESTAMP: 2026-01-15 15:25:04\nCOMMENTS: an "example\nFIELDNAMES: ${fields}\nDATA\n${rows.join('\n')}\nENDOFDATA\n`
const cifFile = (content: string | Uint8Array, settings = {}) =>
  importFile(call, content, { name: 'catalog.cif', vendor: 'Workchairs', ...settings })

test('a CIF catalog is imported, and a second import changes nothing', async () => {
  const task = await cifFile(cif([ROW]))
  expect(task).toMatchObject({ status: 'completed', processed: 1, created: 1 })
  expect(await onlyProduct(call)).toMatchObject({
    name: 'Eames Chair',
    description: 'Eames Chair, "black"',
    manufacturer: 'Herman Miller',
    manufacturerPartNumber: 'C11',
    unspsc: '56101504',
    msrp: 449.99,
    attributes: {
      Color: 'black',
      'Seat height': '42 cm',
      'Unit of measure': 'EA',
      'Lead time (days)': '3',
    },
    links: [{ type: 'Supplier', value: 'http://shop.example/34A11' }],
    vendors: [{ vendorName: 'Workchairs', vendorPartNumber: '34A11', cost: 400 }],
  })
  expect(counts(await cifFile(cif([ROW])))).toMatchObject({ unchanged: 1 })
})

test('without a vendor in the request, the rows name it; a deleted row removes its offer', async () => {
  await cifFile(cif([ROW]), { vendor: null })
  expect((await onlyProduct(call)).vendors).toMatchObject([{ vendorName: '942888711' }])
  const task = await cifFile(cif([`${ROW}T`]), { vendor: null })
  expect(counts(task)).toMatchObject({ updated: 1 })
  expect((await onlyProduct(call)).vendors).toEqual([])
})

test('invalid rows are rejected with line and reason', async () => {
  const task = await cifFile(
    cif([
      ROW,
      'too,few',
      `${ROW},one more`,
      ROW.replace('34A11', '').replace('C11', ''),
      ROW.replace('400.00', 'cheap'),
      ROW.replace('2199-01-01', '2001-01-01'),
      ROW.replace(',USD,', ',EUR,'),
      ROW.replace('2199-01-01', '12/31/2020'),
    ]),
  )
  expect(counts(task)).toMatchObject({ processed: 8, created: 1 })
  const rejects = await rejectsOf(call, task)
  expect(rejects).toContain('14,18 values instead of the 17 in FIELDNAMES,942888711')
  expect(rejects).toContain('13,2 values instead of the 17 in FIELDNAMES,too,few')
  expect(rejects).toContain('"vendor.cost: ""cheap"" is not a number"')
  expect(rejects).toContain('Expiration Date: expired on 2001-01-01')
  expect(rejects).toContain('"Expiration Date: ""12/31/2020"" is not a date such as 2026-12-31"')
  expect(rejects).toContain('"Currency: the price is in EUR, but the file is in USD"')
  // Without a currency in the header, that of the first rows counts.
  const rows = [ROW, ROW.replace('34A11', '34A12').replace(',USD,', ',EUR,')]
  const mixed = await cifFile(cif(rows).replace('CURRENCY: USD\n', ''))
  expect(counts(mixed)).toMatchObject({ unchanged: 1, rejected: 1 })
})

test('a field named like a property of every object is refused for products', async () => {
  const task = await cifFile(cif([`${ROW},x`], { fields: `${FIELDS},Constructor` }))
  expect(task).toMatchObject({ status: 'completed', created: 1 })
  expect(task.message).toContain('Unused fields: Constructor.')
})

test('a header that the file contradicts is reported', async () => {
  const task = await cifFile(
    cif([ROW], { count: 5, fields: FIELDS.replace('Lead Time', 'Territory Available') }),
  )
  expect(task.status).toBe('completed')
  expect(task.message).toContain('Unused fields: Territory Available.')
  expect(task.message).toContain('ITEMCOUNT is 5, but the file has 1 rows.')
})

test('a file without ENDOFDATA is imported with a note that it may be cut off', async () => {
  const task = await cifFile(cif([ROW]).replace('ENDOFDATA', ''))
  expect(task).toMatchObject({ status: 'completed', created: 1 })
  expect(task.message).toContain('ENDOFDATA is missing, so the file may be cut off.')
  expect((await cifFile(cif([ROW]))).message).not.toContain('ENDOFDATA')
})

test('a file in ISO-8859-1 is read with the encoding from its header', async () => {
  const content = cif([ROW.replace('Herman Miller', 'Möbel')]).replace('UTF-8', 'ISO-8859-1')
  await cifFile(Buffer.from(content, 'latin1'))
  expect((await onlyProduct(call)).manufacturer).toBe('Möbel')
})

describe('an invalid CIF file fails with the reason', () => {
  test.each([
    ['other text', 'id,name\n1,x\n', 'its first line is not CIF_I_V3.0'],
    ['nothing', '', 'its first line is not CIF_I_V3.0'],
    ['a later version', 'CIF_I_V9.0\nDATA\n', 'CIF 9.0 is not supported'],
    ['too many fields', cif([], { fields: 'x,'.repeat(2_000) }), 'FIELDNAMES has more than 2000'],
    ['no data', 'CIF_I_V3.0\nCURRENCY: USD\n', 'no DATA line'],
  ])('%s', async (_, content, message) => {
    const task = await cifFile(content)
    expect(task).toMatchObject({ status: 'failed', processed: 0 })
    expect(task.message).toContain(message)
  })
})
