import { gzipSync } from 'node:zlib'
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

const HEADER = `<HEADER><CATALOG><LANGUAGE>deu</LANGUAGE><CURRENCY>EUR</CURRENCY>
<MIME_ROOT>https://pictures.example/a/</MIME_ROOT></CATALOG>
<SUPPLIER><SUPPLIER_NAME>Nordwerk</SUPPLIER_NAME></SUPPLIER></HEADER>`

const price = (amount: string, type = 'net_list', more = '') =>
  `<ARTICLE_PRICE price_type="${type}"><PRICE_AMOUNT>${amount}</PRICE_AMOUNT>${more}</ARTICLE_PRICE>`

const dated = (start: string, end: string, prices: string) =>
  `<ARTICLE_PRICE_DETAILS><DATETIME type="valid_start_date"><DATE>${start}</DATE></DATETIME>
<DATETIME type="valid_end_date"><DATE>${end}</DATE></DATETIME>${prices}</ARTICLE_PRICE_DETAILS>`

const DESK = `<ARTICLE mode="new">
<SUPPLIER_AID>NW-1</SUPPLIER_AID>
<ARTICLE_DETAILS>
 <DESCRIPTION_SHORT>Schreibtisch</DESCRIPTION_SHORT>
 <DESCRIPTION_LONG>Höhe &lt; 80 cm</DESCRIPTION_LONG>
 <EAN>4006381333931</EAN>
 <MANUFACTURER_AID>ST-9</MANUFACTURER_AID><MANUFACTURER_NAME>Möbel AG</MANUFACTURER_NAME>
 <KEYWORD>Tisch</KEYWORD><KEYWORD>Büro</KEYWORD>
</ARTICLE_DETAILS>
<ARTICLE_FEATURES><REFERENCE_FEATURE_SYSTEM_NAME>UNSPSC</REFERENCE_FEATURE_SYSTEM_NAME>
 <REFERENCE_FEATURE_GROUP_ID>56101703</REFERENCE_FEATURE_GROUP_ID></ARTICLE_FEATURES>
<ARTICLE_FEATURES><REFERENCE_FEATURE_SYSTEM_NAME>ECLASS-7.0</REFERENCE_FEATURE_SYSTEM_NAME>
 <REFERENCE_FEATURE_GROUP_ID>24330101</REFERENCE_FEATURE_GROUP_ID>
 <FEATURE><FNAME>Breite</FNAME><FVALUE>160</FVALUE><FUNIT>cm</FUNIT></FEATURE></ARTICLE_FEATURES>
<ARTICLE_ORDER_DETAILS><ORDER_UNIT>C62</ORDER_UNIT></ARTICLE_ORDER_DETAILS>
${dated('2001-01-01', '2001-12-31', price('999'))}
${dated(
  '2001-01-01',
  '2199-12-31',
  price('180', 'net_customer', '<LOWER_BOUND>10</LOWER_BOUND>') +
    price('200.50', 'net_customer', '<LOWER_BOUND>1</LOWER_BOUND>') +
    price('90', 'net_customer', '<PRICE_CURRENCY>USD</PRICE_CURRENCY>') +
    price('250') +
    price('299', 'nrp'),
)}
<MIME_INFO>
 <MIME><MIME_TYPE>image/jpeg</MIME_TYPE><MIME_SOURCE>desk.jpg</MIME_SOURCE></MIME>
 <MIME><MIME_TYPE>application/pdf</MIME_TYPE><MIME_SOURCE>https://docs.example/d.pdf</MIME_SOURCE>
  <MIME_DESCR>Anleitung</MIME_DESCR></MIME>
</MIME_INFO>
<ARTICLE_REFERENCE type="similar"><ART_ID_TO>NW-2</ART_ID_TO></ARTICLE_REFERENCE>
</ARTICLE>`

const NAMELESS = '<ARTICLE>\n<ARTICLE_DETAILS/></ARTICLE>'
const GROUPS = `<CATALOG_GROUP_SYSTEM>
<CATALOG_STRUCTURE type="root"><GROUP_ID>1</GROUP_ID><GROUP_NAME>Katalog</GROUP_NAME><PARENT_ID>0</PARENT_ID></CATALOG_STRUCTURE>
<CATALOG_STRUCTURE type="node"><GROUP_ID>2</GROUP_ID><GROUP_NAME>Möbel</GROUP_NAME><PARENT_ID>1</PARENT_ID></CATALOG_STRUCTURE>
<CATALOG_STRUCTURE type="leaf"><GROUP_ID>3</GROUP_ID><GROUP_NAME>Tische</GROUP_NAME><PARENT_ID>2</PARENT_ID></CATALOG_STRUCTURE>
</CATALOG_GROUP_SYSTEM>`
const MAP =
  '<ARTICLE_TO_CATALOGGROUP_MAP><ART_ID>NW-1</ART_ID><CATALOG_GROUP_ID>3</CATALOG_GROUP_ID></ARTICLE_TO_CATALOGGROUP_MAP>'

const bmecat = (inside: string, { transaction = 'T_NEW_CATALOG', encoding = 'UTF-8' } = {}) =>
  `<?xml version="1.0" encoding="${encoding}"?>
<!DOCTYPE BMECAT SYSTEM "bmecat_new_catalog_1_2.dtd">
<BMECAT version="1.2">${HEADER}<${transaction}>${inside}</${transaction}></BMECAT>`

const CATALOG = bmecat(GROUPS + DESK + NAMELESS + MAP)
const bmecatFile = (content: string | Uint8Array, settings = {}) =>
  importFile(call, content, { name: 'catalog.xml', ...settings })

test('a catalog in BMEcat 1.2 is imported', async () => {
  const task = await bmecatFile(CATALOG)
  expect(task).toMatchObject({ status: 'completed', processed: 2, created: 1, rejected: 1 })
  expect(task.message).toContain('Not used: ARTICLE_REFERENCE.')
  expect(task.message).toContain('Prices are in EUR; those in USD are left out.')
  expect(await rejectsOf(call, task)).toContain('no SUPPLIER_AID or SUPPLIER_PID')
  expect(await onlyProduct(call)).toMatchObject({
    name: 'Schreibtisch',
    description: 'Höhe < 80 cm',
    manufacturer: 'Möbel AG',
    manufacturerPartNumber: 'ST-9',
    upcs: ['4006381333931'],
    unspsc: '56101703',
    segment: 'Möbel',
    category: 'Tische',
    msrp: 299,
    image: 'https://pictures.example/a/desk.jpg',
    attributes: { Breite: '160 cm', 'ECLASS-7.0': '24330101', Keywords: 'Tisch, Büro' },
    links: [{ type: 'Anleitung', value: 'https://docs.example/d.pdf', recommended: false }],
    vendors: [{ vendorName: 'Nordwerk', vendorPartNumber: 'NW-1', cost: 200.5 }],
  })
  expect(counts(await bmecatFile(CATALOG))).toMatchObject({ unchanged: 1, rejected: 1 })
})

test.each<[string, Buffer, object]>([
  ['ISO-8859-1', Buffer.from(bmecat(DESK, { encoding: 'ISO-8859-1' }), 'latin1'), {}],
  ['UTF-16', Buffer.from(`\ufeff${bmecat(DESK, { encoding: 'UTF-16' })}`, 'utf16le'), {}],
  ['gzip', gzipSync(bmecat(DESK)), { name: 'catalog.xml.gz' }],
])('a catalog in %s is read', async (_, content, settings) => {
  expect(counts(await bmecatFile(content, settings))).toMatchObject({ created: 1 })
  expect((await onlyProduct(call)).manufacturer).toBe('Möbel AG')
})

test('a catalog in BMEcat 2005 is imported; the vendor of the request takes precedence', async () => {
  const content = `<?xml version="1.0"?><BMECAT xmlns="http://www.bmecat.org/bmecat/2005" version="2005">
<HEADER><PARTIES><PARTY><PARTY_ROLE>supplier</PARTY_ROLE><ADDRESS><NAME>Other</NAME></ADDRESS></PARTY></PARTIES></HEADER>
<T_NEW_CATALOG><PRODUCT><SUPPLIER_PID>P1</SUPPLIER_PID><PRODUCT_DETAILS>
<DESCRIPTION_SHORT lang="eng">Chair</DESCRIPTION_SHORT><INTERNATIONAL_PID type="ean">4006381333931</INTERNATIONAL_PID>
<MANUFACTURER_PID>M1</MANUFACTURER_PID><MANUFACTURER_NAME>Maker</MANUFACTURER_NAME></PRODUCT_DETAILS>
<PRODUCT_ORDER_DETAILS><PRICE_QUANTITY>100</PRICE_QUANTITY></PRODUCT_ORDER_DETAILS>
<PRODUCT_PRICE_DETAILS><VALID_START_DATE>2001-01-01</VALID_START_DATE>
<PRODUCT_PRICE price_type="net_list"><PRICE_AMOUNT>12.34</PRICE_AMOUNT><PRICE_CURRENCY>CHF</PRICE_CURRENCY></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS>
<USER_DEFINED_EXTENSIONS><UDX.ACME.STOCK>7</UDX.ACME.STOCK></USER_DEFINED_EXTENSIONS>
</PRODUCT></T_NEW_CATALOG></BMECAT>`
  await bmecatFile(content, { vendor: 'Nord' })
  expect(await onlyProduct(call)).toMatchObject({
    name: 'Chair',
    upcs: ['4006381333931'],
    vendors: [{ vendorName: 'Nord', vendorPartNumber: 'P1', cost: 0.1234, onHand: 7 }],
  })
})

test('of texts in several languages, those in the language of the catalog are used', async () => {
  const content = `<?xml version="1.0"?><BMECAT version="2005">
<HEADER><CATALOG><LANGUAGE>eng</LANGUAGE><LANGUAGE default="true">deu</LANGUAGE></CATALOG></HEADER>
<T_NEW_CATALOG><CATALOG_GROUP_SYSTEM>
<CATALOG_STRUCTURE type="leaf"><GROUP_ID>1</GROUP_ID><GROUP_NAME lang="eng">Tools</GROUP_NAME>
<GROUP_NAME lang="deu">Werkzeug</GROUP_NAME><PARENT_ID>0</PARENT_ID></CATALOG_STRUCTURE></CATALOG_GROUP_SYSTEM>
<PRODUCT><SUPPLIER_PID>P1</SUPPLIER_PID><PRODUCT_DETAILS>
<DESCRIPTION_SHORT lang="eng">Drill</DESCRIPTION_SHORT><DESCRIPTION_SHORT lang="deu">Bohrer</DESCRIPTION_SHORT>
<DESCRIPTION_LONG lang="fra">Perceuse</DESCRIPTION_LONG><DESCRIPTION_LONG lang="ita">Trapano</DESCRIPTION_LONG>
<KEYWORD lang="eng">hole</KEYWORD><KEYWORD lang="deu">Loch</KEYWORD><KEYWORD>18V</KEYWORD></PRODUCT_DETAILS>
<PRODUCT_FEATURES><FEATURE><FNAME lang="eng">Power</FNAME><FNAME lang="DEU">Leistung</FNAME>
<FVALUE lang="eng">three</FVALUE><FVALUE lang="deu">drei</FVALUE><FUNIT>W</FUNIT></FEATURE></PRODUCT_FEATURES>
<PRODUCT_PRICE_DETAILS><PRODUCT_PRICE price_type="net_list"><PRICE_AMOUNT>auf Anfrage</PRICE_AMOUNT></PRODUCT_PRICE></PRODUCT_PRICE_DETAILS>
</PRODUCT><PRODUCT_TO_CATALOGGROUP_MAP><PROD_ID>P1</PROD_ID><CATALOG_GROUP_ID>1</CATALOG_GROUP_ID></PRODUCT_TO_CATALOGGROUP_MAP></T_NEW_CATALOG></BMECAT>`
  const task = await bmecatFile(content, { vendor: 'Nord' })
  expect(task.message).toContain('Products without a usable price: 1.')
  expect(await onlyProduct(call)).toMatchObject({
    name: 'Bohrer',
    description: 'Perceuse',
    segment: 'Werkzeug',
    attributes: { Keywords: 'Loch, 18V', Leistung: 'drei W' },
  })
})

test('updates change prices of known products only, and remove offers', async () => {
  await bmecatFile(CATALOG)
  const update = (amount: string, id: string) =>
    `<ARTICLE mode="update"><SUPPLIER_AID>${id}</SUPPLIER_AID><ARTICLE_PRICE_DETAILS>${price(amount)}</ARTICLE_PRICE_DETAILS></ARTICLE>`
  const prices = await bmecatFile(
    bmecat(update('11', 'NW-1') + update('12', 'unknown'), { transaction: 'T_UPDATE_PRICES' }),
  )
  expect(counts(prices)).toMatchObject({ updated: 1, rejected: 1 })
  expect(await onlyProduct(call)).toMatchObject({ name: 'Schreibtisch', vendors: [{ cost: 11 }] })
  // The list price does not take the place of a customer price that cannot be read.
  const both = update('13', 'NW-1').replace('<ARTICLE_PRICE ', `${price('1O', 'net_customer')}$&`)
  const unread = await bmecatFile(bmecat(both, { transaction: 'T_UPDATE_PRICES' }))
  expect(await rejectsOf(call, unread)).toContain('PRICE_AMOUNT: ""1O"" is not a number')
  expect(await onlyProduct(call)).toMatchObject({ vendors: [{ cost: 11 }] })
  const removal = '<ARTICLE mode="delete"><SUPPLIER_AID>NW-1</SUPPLIER_AID></ARTICLE>'
  await bmecatFile(bmecat(removal, { transaction: 'T_UPDATE_PRODUCTS' }))
  expect(await onlyProduct(call)).toMatchObject({ name: 'Schreibtisch', vendors: [] })
})

describe('an unreadable file fails with the reason before anything is imported', () => {
  const laughs = `<!DOCTYPE BMECAT [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>`
  const external = '<!DOCTYPE BMECAT [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  test.each<[string, string, string]>([
    ['other XML', '<html/>', 'its root element is html'],
    ['no XML', 'id,name\n1,x', 'not well-formed XML'],
    ['nothing', '', 'not well-formed XML'],
    ['entities that grow', `${laughs}<BMECAT>&b;</BMECAT>`, 'its own declarations is not allowed'],
    ['an entity elsewhere', `${external}<BMECAT>&x;</BMECAT>`, 'its own declarations'],
    ['an unknown entity', bmecat(`${DESK}&nbsp;`), 'not well-formed XML'],
    ['deep nesting', bmecat(DESK + '<A>'.repeat(70) + '</A>'.repeat(70)), 'nested deeper than 64'],
    ['a cut file', CATALOG.slice(0, -60), 'not well-formed XML'],
    ['an unknown encoding', bmecat(DESK, { encoding: 'x-made-up' }), 'encoding x-made-up'],
    ['another transaction', bmecat('', { transaction: 'T_NEW_PRODUCTDATA' }), 'cannot be imported'],
    ['no vendor', bmecat(DESK).replace('Nordwerk', ''), 'vendor: required'],
    [
      'an endless text',
      bmecat(`<A>${'x'.repeat(3 * 1024 * 1024)}</A>`),
      'a text, a tag or a comment',
    ],
  ])('%s', async (_, content, message) => {
    const task = await bmecatFile(content)
    expect(task.message).toContain(message)
    expect(task).toMatchObject({ status: 'failed', processed: 0 })
  })

  test('mappings are refused immediately', async () => {
    const answer = await call('POST /api/extensions/import/import', {
      body: { fileUrl: 'http://localhost:3000/x', mappings: [{ column: 0, field: 'id' }] },
    })
    expect(answer.status).toBe(400)
  })
})
