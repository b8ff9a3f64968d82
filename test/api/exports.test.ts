import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { exportCatalog, fileAt, linesOf, runExport } from '../support/exports.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { importFile, product, taskEnded } from '../support/imports.ts'
import { requestsSent } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call
let catalog: string

const PRODUCTS = [
  {
    id: 'D-100',
    name: 'Cordless drill, 18 V',
    manufacturer: 'Drakesmoor',
    manufacturerPartNumber: 'DS18-040',
    category: 'Drills',
    msrp: 129,
    upcs: ['0012345678905'],
    facets: { Voltage: '18 V' },
    filters: { Weight: 1.6 },
    attributes: { 'Lowest temperature': '-10 °C', 'Torque, Nm': '60' },
    links: [{ type: 'manual', value: 'https://makers.example/d100', recommended: true }],
    images: [{ id: null, url: 'https://makers.example/d100.png', name: 'front', type: null }],
    vendors: [
      { vendorName: 'Nord', vendorPartNumber: 'N-1', cost: 89.5, onHand: 12, inStock: true },
      { vendorName: 'Süd', vendorPartNumber: 'S-1', cost: 91, onHand: 0 },
    ],
  },
  {
    id: 'W-300',
    name: '=HYPERLINK("http://bad.example")',
    category: 'Pipes > 1/2 inch',
    msrp: 8.2,
  },
  { id: 'a/b?c', name: "'+1", category: 'Drills', filters: { Weight: -2 } },
]

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
  catalog = await seedCatalog(service, organization, PRODUCTS)
})

afterAll(() => service.stop())

const target = async () => {
  const name = `c-${crypto.randomUUID()}`
  await expectOk(call('POST /api/Catalog', { body: { name } }))
  return name
}

const unowned = ({
  catalog: _,
  lastUpdated,
  updatedBy,
  version,
  ...rest
}: Record<string, unknown>) => rest

describe('an export of listed products', () => {
  test('returns a file at once, with the fields of the API', async () => {
    const products = [
      { id: 'W-300', catalog },
      { id: 'D-100', catalog },
    ]
    const run = await runExport(call, 'jsonl', { products })
    expect(run.body).toEqual({
      error: null,
      success: true,
      redirectUrl: expect.stringMatching(/^http:\/\/localhost:3000\/api\/files\/[0-9a-f]{32}$/),
      messageHeader: 'Export finished',
      message: '2 products exported.',
      products: [
        { id: 'W-300', catalog, externalId: null },
        { id: 'D-100', catalog, externalId: null },
      ],
      taskId: null,
    })
    const file = await fileAt(call, run.body.redirectUrl)
    expect(file.headers.get('content-type')).toBe('application/x-ndjson')
    expect(file.headers.get('content-disposition')).toContain('filename="products.jsonl"')
    expect(linesOf(file.body)).toEqual([
      await product(call, 'W-300', catalog),
      await product(call, 'D-100', catalog),
    ])
  })

  test('uses the catalog of the query by default, lists duplicates once and omits missing products', async () => {
    const products = [{ id: 'W-300' }, { id: 'W-300' }, { id: 'gone' }]
    const run = await runExport(call, 'jsonl', { catalog, products })
    expect(run.body).toMatchObject({ message: '1 product exported.', taskId: null })
  })

  test('returns the same 404 for missing products, a missing catalog and a foreign one', async () => {
    const other = await newOrganization(service)
    const foreign = await seedCatalog(service, other, [{ id: 'X' }])
    const none = await runExport(call, 'csv', { catalog, products: [{ id: 'gone' }] })
    const missing = await runExport(call, 'csv', { products: [{ id: 'X', catalog: 'missing' }] })
    const theirs = await runExport(call, 'csv', { products: [{ id: 'X', catalog: foreign }] })
    expect([none, missing, theirs].map(({ status }) => status)).toEqual([404, 404, 404])
    expect(missing.body).toEqual(theirs.body)
    const whole = await runExport(call, 'csv', { catalog: foreign })
    expect(whole).toMatchObject({ status: 404, body: { message: 'Catalog not found.' } })
  })
})

describe('an export of a workspace', () => {
  test('returns a file of its products', async () => {
    await expectOk(
      call(`POST /api/Catalog/${catalog}/products/D-100/addToWorkspace/kitchen`, { body: {} }),
    )
    const run = await expectOk(runExport(call, 'csv', { workspace: 'kitchen' }))
    const file = await fileAt(call, run.body.redirectUrl)
    expect(file.headers.get('content-disposition')).toContain('filename="kitchen.csv"')
    expect(parse(file.body, { columns: true })).toMatchObject([
      { id: 'D-100', 'vendor.vendorName': 'Nord', 'facet:Voltage': '18 V', 'filter:Weight': '1.6' },
      { id: 'D-100', 'vendor.vendorName': 'Süd', 'vendor.onHand': '0' },
    ])
  })

  test('returns 404 if it is missing, and is refused together with products', async () => {
    expect((await runExport(call, 'csv', { workspace: 'nowhere' })).status).toBe(404)
    const both = await runExport(call, 'csv', { workspace: 'kitchen', products: [{ id: 'D-100' }] })
    expect(both).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^workspace:/) },
    })
  })
})

describe('an export of a catalog', () => {
  test('runs as a task and is in the order of ids', async () => {
    const { body: run } = await expectOk(runExport(call, 'jsonl', { catalog }))
    expect(run).toMatchObject({ success: true, messageHeader: 'Export started', products: [] })
    const { task, text } = await exportCatalog(call, 'jsonl', { catalog })
    expect(task).toMatchObject({
      status: 'completed',
      percentCompleted: 100,
      processed: 3,
      message: expect.stringMatching(
        /^3 products exported to http:.*\/api\/files\/[0-9a-f]{32}\.$/,
      ),
      fileUrl: expect.stringMatching(/^http:.*\/api\/files\/[0-9a-f]{32}$/),
    })
    expect(task.message).toContain(task.fileUrl)
    expect(linesOf(text).map(({ id }) => id)).toEqual(['D-100', 'W-300', 'a/b?c'])
  })

  test('can be imported again unchanged, and elsewhere with the same result', async () => {
    const path = `/api/Catalog/${catalog}/products/D-100`
    await expectOk(call(`PUT ${path}/links/erp/4711`))
    await expectOk(call(`PUT ${path}/notes`, { body: { text: 'mine' } }))
    await expectOk(call(`PUT ${path}/tags`, { body: ['ours'] }))
    const { text } = await exportCatalog(call, 'jsonl', { catalog })
    const again = await importFile(call, text, { name: 'a.jsonl', targetCatalog: catalog })
    expect(again).toMatchObject({ processed: 3, unchanged: 3 })
    const copy = await target()
    const there = await importFile(call, text, { name: 'a.jsonl', targetCatalog: copy })
    expect(there).toMatchObject({ processed: 3, created: 3 })
    for (const { id } of PRODUCTS) {
      const { notes: _, tags: __, ...shown } = unowned(await product(call, id, catalog))
      expect(unowned(await product(call, id, copy))).toMatchObject(shown)
    }
  })

  test('have columns whose names are read from few attributes at a time', async () => {
    const many = await target()
    const attributes = Object.fromEntries(
      Array.from({ length: 99 }, (_, at) => [`a${at}`, 'x'.repeat(limits.valueLength)]),
    )
    for (const id of ['1', '2', '3', '4', '5', '6', '7', '8']) {
      const own = id === '8' ? { own: 'x' } : {}
      const body = { id, attributes: { ...attributes, ...own } }
      await expectOk(call(`POST /api/Catalog/${many}/products`, { body }))
    }
    await refreshIndex(service.services.elastic, 'products')
    const sizes: number[] = []
    const sent = await requestsSent(service, async () => {
      const path = `/api/extensions/export/csv/columns/options?catalog=${many}`
      const { body } = await expectOk(call(`POST ${path}`, { body: {} }))
      const values = body.options.map(({ value }: { value: string }) => value)
      expect(values).toEqual(expect.arrayContaining(['attribute:a98', 'attribute:own']))
    })
    for (const { path, body } of sent) {
      const { size, _source } = JSON.parse(`${path.includes('products') ? body : '{}'}`)
      if (`${_source}`.includes('attributes')) sizes.push(size)
    }
    // All of them exceed limits.readBytes, and later pages have about half of it.
    expect(sizes).toEqual([20, 5, 3, 3])
  })

  test('can be restored from csv, except links and names of pictures', async () => {
    const names = ['Lowest temperature', 'Torque, Nm'].map((name) => `attribute:${name}`)
    const { options } = (
      await expectOk(
        call(`POST /api/extensions/export/csv/columns/options?catalog=${catalog}`, { body: {} }),
      )
    ).body
    const all = options.map(({ value }: { value: string }) => value)
    expect(all).toEqual(expect.arrayContaining([...names, 'facet:Voltage', 'filter:Weight']))
    for (const more of [
      {},
      { delimiter: 'semicolon', encoding: 'utf-8-bom' },
      { delimiter: 'tab' },
    ]) {
      const additionalFields = { columns: JSON.stringify(all), ...more }
      const { text } = await exportCatalog(call, 'csv', { catalog, additionalFields })
      const again = await importFile(call, text, { targetCatalog: catalog })
      expect(again).toMatchObject({ processed: 4, rejected: 0 })
      const copy = await target()
      await importFile(call, text, { targetCatalog: copy })
      for (const { id } of PRODUCTS) {
        const shown = unowned(await product(call, id, catalog))
        const back = unowned(await product(call, id, copy))
        const none = { links: [], images: [], notes: [], tags: [] }
        expect({ ...back, ...none }).toEqual({ ...shown, ...none })
      }
    }
  })

  test('has no cell that a spreadsheet would execute', async () => {
    const { text } = await exportCatalog(call, 'csv', { catalog })
    const cells = (parse(text) as string[][]).flat()
    expect(cells).toContain('\'=HYPERLINK("http://bad.example")')
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual(['-2'])
  })

  test('can be limited by a search, with the same number as Count', async () => {
    const search = { must: [{ type: 'category', value: 'Drills' }], pageSize: 1, page: 7 }
    const found = await exportCatalog(call, 'jsonl', {
      catalog,
      additionalFields: { search: JSON.stringify(search) },
    })
    expect(linesOf(found.text).map(({ id }) => id)).toEqual(['D-100', 'a/b?c'])
    const relaxed = JSON.stringify({ keywords: 'cordless drill nonsense' })
    const fewer = await exportCatalog(call, 'jsonl', {
      catalog,
      additionalFields: { search: relaxed },
    })
    const searched = await expectOk(
      call(`POST /api/search?catalog=${catalog}`, { body: JSON.parse(relaxed) }),
    )
    expect(searched.body.droppedWords).toContain('nonsense')
    const ids = linesOf(fewer.text).map(({ id }) => id)
    expect(ids).toEqual(searched.body.products.map(({ id }: { id: string }) => id).toSorted())
    const nothing = await exportCatalog(call, 'csv', {
      catalog,
      additionalFields: { search: '{"keywords":"xyzzy"}', columns: 'id,name' },
    })
    expect(nothing).toMatchObject({
      text: 'id,name\r\n',
      task: { status: 'completed', processed: 0 },
    })
  })

  test('contains every product written before', async () => {
    const name = await target()
    await expectOk(call(`POST /api/Catalog/${name}/products`, { body: { id: 'new' } }))
    const { text } = await exportCatalog(call, 'csv', {
      catalog: name,
      additionalFields: { columns: 'id' },
    })
    expect(text).toBe('id\r\nnew\r\n')
  })
})

describe('an export while Elasticsearch is in trouble', () => {
  const SIXTY = Array.from({ length: 60 }, (_, n) => ({ id: `P${String(n).padStart(2, '0')}` }))
  const isPage = (line: string) => line.includes('products/_search')
  let proxy: FaultProxy
  let shaky: TestService
  let through: Call

  beforeAll(async () => {
    proxy = await startFaultProxy(inject('elasticsearch').node)
    shaky = await startService({ node: proxy.node })
    through = caller(shaky, {
      key: await organization.key('administrator'),
      organization: organization.id,
    })
  })

  afterAll(async () => {
    await shaky.stop()
    await proxy.close()
  })

  test.each(['busy', 'down', 'refuse', 'dropAnswer'] as const)(
    '%s: waits, and is complete',
    async (fault) => {
      const name = await seedCatalog(service, organization, SIXTY)
      let faults = 0
      proxy.set(fault, (line) => isPage(line) && ++faults <= 3)
      const { task, text } = await exportCatalog(through, 'jsonl', { catalog: name })
      expect(task).toMatchObject({ status: 'completed', processed: 60 })
      expect(linesOf(text).map(({ id }) => id)).toEqual(SIXTY.map(({ id }) => id))
      expect(faults).toBeGreaterThan(3)
    },
  )

  test('ends without a file if the catalog is deleted meanwhile', async () => {
    const name = await seedCatalog(service, organization, SIXTY)
    const deleted = Promise.withResolvers<void>()
    let pages = 0
    proxy.set('none')
    proxy.hold((line) => (isPage(line) && ++pages >= 2 ? deleted.promise : undefined))
    const { body: run } = await expectOk(
      runExport(through, 'csv', { catalog: name, additionalFields: { columns: 'id' } }),
    )
    await expect.poll(() => pages).toBeGreaterThanOrEqual(2)
    proxy.hold((line) => (isPage(line) ? deleted.promise : undefined))
    await expectOk(through(`DELETE /api/Catalog/${name}`))
    proxy.set('busy', (line) => isPage(line) && ++pages < 5)
    deleted.resolve()
    expect(await taskEnded(through, run.taskId)).toMatchObject({
      status: 'cancelled',
      message: 'The catalog was deleted.',
    })
    expect((await fileAt(through, run.redirectUrl)).status).toBe(404)
  })
})

describe('access to exports', () => {
  test('hides other organizations’ notes, tags and links', async () => {
    const child = await newOrganization(service, organization.id)
    await expectOk(child.call(`PUT /api/Catalog/${catalog}/products/D-100/links/erp/child-secret`))
    await expectOk(call(`PUT /api/Catalog/${catalog}/products/D-100/links/erp/parent-own`))
    const parents = await exportCatalog(call, 'jsonl', { catalog })
    const childs = await exportCatalog(child.call, 'jsonl', { catalog })
    expect(parents.text).toContain('parent-own')
    expect(parents.text).not.toContain('child-secret')
    expect(childs.text).toContain('child-secret')
    expect(childs.text).not.toContain('parent-own')
  })

  test('is limited to the organization of the file', async () => {
    const other = await newOrganization(service)
    const run = await runExport(call, 'jsonl', { catalog, products: [{ id: 'D-100' }] })
    expect((await fileAt(other.call, run.body.redirectUrl)).status).toBe(404)
  })

  test('is refused for viewers', async () => {
    const viewer = await organization.as('viewer')
    expect((await runExport(viewer, 'csv', { catalog })).status).toBe(403)
  })
})

describe('an invalid export', () => {
  const bad: [string, string, Record<string, unknown>, RegExp][] = [
    [
      'csv',
      'an unknown field',
      { colums: 'id' },
      /^additionalFields\.colums: unknown field; .*columns/,
    ],
    ['csv', 'an unknown column', { columns: 'id,price' }, /^columns: "price" is not one of/],
    [
      'csv',
      'an unknown delimiter',
      { delimiter: 'x' },
      /^delimiter: must be one of comma, semicolon, tab$/,
    ],
    ['csv', 'an unknown encoding', { encoding: 'latin' }, /^encoding: must be one of/],
    ['jsonl', 'a search that is no JSON', { search: '{' }, /^search: not valid JSON$/],
    [
      'jsonl',
      'a search of the wrong shape',
      { search: '{"must":[{"type":5}]}' },
      /^search\.must\[0\]\.type: /,
    ],
    [
      'jsonl',
      'a search that means nothing',
      { search: '{"lowPrice":2,"highPrice":1}' },
      /^search\.lowPrice: /,
    ],
    [
      'jsonl',
      'a search with a misspelt name, which would find everything',
      { search: '{"keyword":"drill"}' },
      /^search\.keyword: unknown field; did you mean "keywords"\?$/,
    ],
    [
      'jsonl',
      'a range with a misspelt end, which would be open',
      { search: '{"filters":[{"name":"Weight","minimum":5}]}' },
      /^search\.filters\[0\]\.minimum: unknown field; did you mean "min"\?$/,
    ],
    ['jsonl', 'a search with a dangerous name', { search: '{"__proto__":1}' }, /__proto__/],
    ['jsonl', 'a field that is no text', { search: {} }, /^additionalFields\.search: /],
  ]
  test.each(bad)('%s: %s returns 400', async (id, _, additionalFields, message) => {
    const answer = await runExport(call, id, { catalog, additionalFields })
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } })
  })

  test('with a search beside products returns 400', async () => {
    const answer = await runExport(call, 'csv', {
      catalog,
      products: [{ id: 'D-100' }],
      additionalFields: { search: '{}' },
    })
    expect(answer.status).toBe(400)
  })

  test('returns 404 for an unknown extension and for one of another kind', async () => {
    const missing = await runExport(call, 'nothing', { catalog })
    const other = await runExport(call, 'file', { catalog })
    expect([missing.status, other.status]).toEqual([404, 404])
    expect(missing.body).toEqual(other.body)
  })

  test('uses the default catalog, and returns 400 if there is none', async () => {
    expect((await runExport(call, 'csv')).status).toBe(400)
    await expectOk(call('PUT /api/organizations/current', { body: { defaultCatalog: catalog } }))
    expect((await exportCatalog(call, 'csv', {})).task).toMatchObject({ processed: 3 })
  })
})
