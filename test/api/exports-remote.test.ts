import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { runExport } from '../support/exports.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { product, taskEnded } from '../support/imports.ts'
import { installRemote, json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

const MANIFEST = {
  id: 'shop',
  kind: 'export',
  name: 'Shop',
  fields: [{ field: 'account', optional: true, hasOptions: true }],
  calls: ['run', 'links', 'possibleMatches', 'options'],
}

let service: TestService
let remote: TestRemote
let organization: TestOrganization
let call: Call
let catalog: string
let id: string

beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  remote = await startRemote(MANIFEST)
})

beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  catalog = await seedCatalog(service, organization, [
    {
      id: 'D-100',
      name: 'Drill',
      manufacturerPartNumber: 'DS18',
      vendors: [{ vendorName: 'Nord', vendorPartNumber: 'N-1' }],
    },
    { id: 'W-300', name: 'Wrench' },
  ])
  id = await installRemote(
    call,
    { manifestUrl: `${remote.url}/manifest.json` },
    { vendor: 'Nord', additionalData: { account: '1001' } },
  )
})

afterAll(async () => {
  await service.stop()
  await remote.close()
})

const answering = (body: unknown) => remote.answers((response) => json(response, body))
const products = () => [
  { id: 'D-100', catalog },
  { id: 'W-300', catalog },
]
const ran = (more: object) => ({
  error: null,
  success: true,
  redirectUrl: null,
  messageHeader: null,
  message: null,
  products: [],
  ...more,
})

describe('a remote export', () => {
  test('receives the products and returns where to look; ids it returns are stored as links', async () => {
    answering(
      ran({
        redirectUrl: 'https://shop.example/cart/1',
        messageHeader: 'In the cart',
        message: 'Two items.',
        products: [
          { id: 'D-100', catalog, externalId: 'ext-1' },
          { id: 'W-300', catalog, externalId: null },
        ],
      }),
    )
    const run = await runExport(call, id, { products: products(), additionalFields: { note: 'x' } })
    expect(run.body).toMatchObject({
      success: true,
      redirectUrl: 'https://shop.example/cart/1',
      messageHeader: 'In the cart',
    })
    const sent = JSON.parse(remote.received.at(-1)!.body)
    expect(sent.installation).toMatchObject({ id, vendor: 'Nord', fields: { account: '1001' } })
    expect(sent.request).toMatchObject({
      additionalFields: { note: 'x' },
      products: [
        { id: 'D-100', catalog, manufacturerPartNumber: 'DS18', vendorPartNumber: 'N-1' },
        { id: 'W-300' },
      ],
    })
    expect((await product(call, 'D-100', catalog)).links).toEqual([
      { type: id, value: 'ext-1', recommended: false },
    ])
    expect((await product(call, 'W-300', catalog)).links).toEqual([])
  })

  test('may return several ids of a product, and says how many have no room', async () => {
    const long = Array.from({ length: 400 }, (_, at) => ({
      id: 'W-300',
      catalog,
      externalId: `${at}`.padEnd(200, 'x'),
    }))
    const ids = ['ext-1', 'ext-2', 'ext-2'].map((externalId) => ({
      id: 'D-100',
      catalog,
      externalId,
    }))
    answering(ran({ message: 'Sent.', products: [...ids, ...long] }))
    const run = await expectOk(runExport(call, id, { products: products() }))
    expect(run.body.message).toBe(
      'Sent. Ids that were not stored as links, since their product is gone or has no room for more: 400.',
    )
    const { links } = await product(call, 'D-100', catalog)
    expect(links.map(({ value }: { value: string }) => value)).toEqual(['ext-1', 'ext-2'])
    expect((await product(call, 'W-300', catalog)).links).toEqual([])
  })

  test('receives the id of a workspace, whether it was named by id or by name', async () => {
    await expectOk(call(`POST /api/Catalog/${catalog}/products/W-300/addToWorkspace/desk`))
    const desk = (await expectOk(call('GET /api/workspaces/desk'))).body.id
    answering(ran({}))
    for (const workspace of ['desk', desk]) {
      await expectOk(runExport(call, id, { workspace }))
      const { request } = JSON.parse(remote.received.at(-1)!.body)
      expect(request).toMatchObject({ workspace: desk, products: [{ id: 'W-300' }] })
    }
  })

  test('is called once, even if its links cannot be stored at first', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const outbound = createOutbound({ allow: '127.0.0.1' })
    const shaky = await startService({ node: proxy.node, outbound })
    const through = caller(shaky, {
      key: await organization.key('editor'),
      organization: organization.id,
    })
    answering(ran({ products: [{ id: 'D-100', catalog, externalId: 'ext-1' }] }))
    const before = remote.received.length
    let refused = 0
    proxy.set('busy', (line) => /^(PUT|POST) .*-products\/_doc/.test(line) && ++refused <= 3)
    const run = await runExport(through, id, { products: products() })
    expect(run.body).toMatchObject({ success: true, error: null })
    await expect.poll(async () => (await product(call, 'D-100', catalog)).links).toHaveLength(1)
    expect(refused).toBeGreaterThan(3)
    expect(remote.received.length).toBe(before + 1)
    await shaky.stop()
    await proxy.close()
  })

  test('can report that it failed', async () => {
    answering(ran({ success: false, error: 'The account is closed.' }))
    const run = await runExport(call, id, { products: products() })
    expect(run).toMatchObject({
      status: 200,
      body: { success: false, error: 'The account is closed.' },
    })
    const { body } = await expectOk(call(`GET /api/extensions/installed/${id}/logs`))
    expect(body.items[0]).toMatchObject({
      action: 'run',
      success: false,
      errorMessage: 'The account is closed.',
    })
  })

  const wrong: [string, (response: ServerResponse) => void, RegExp][] = [
    ['500', (response) => response.writeHead(500).end('oops'), /^Shop responded with status 500/],
    [
      'HTML',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /^Shop /,
    ],
    [
      'another shape',
      (response) => json(response, ran({ products: [{ id: 5 }] })),
      /^Shop .*products\[0\]\.id: /,
    ],
    [
      'another product',
      (response) => json(response, ran({ products: [{ id: 'X', catalog: 'y', externalId: 'z' }] })),
      /^Shop .*products\[0\]: was not requested$/,
    ],
    [
      'a redirect',
      (response) => response.writeHead(302, { location: 'http://a.example' }).end(),
      /^Shop .*redirect/,
    ],
  ]
  test.each(wrong)(
    'that answers %s fails that run with a message, and stores nothing',
    async (_, answer, text) => {
      remote.answers((response) => answer(response))
      const run = await runExport(call, id, { products: products() })
      expect(run).toMatchObject({
        status: 200,
        body: { success: false, error: expect.stringMatching(text) },
      })
      expect((await product(call, 'D-100', catalog)).links).toEqual([])
    },
  )

  test('that hangs ends with the request', async () => {
    remote.answers(() => undefined)
    const began = performance.now()
    const run = await runExport(call, id, { products: products() })
    expect(performance.now() - began).toBeLessThan(2 * limits.requestMs)
    expect(run.body.success ?? false).toBe(false)
  })
})

describe('a whole catalog', () => {
  const COUNT = 230
  const ids = Array.from({ length: COUNT }, (_, n) => `P${String(n).padStart(3, '0')}`)
  let large: string
  let seen = 0

  beforeEach(async () => {
    seen = remote.received.length
    large = await seedCatalog(
      service,
      organization,
      ids.map((one) => ({ id: one, name: one, category: one < 'P005' ? 'First' : 'Other' })),
    )
  })

  const begin = async (additionalFields: Record<string, string> = {}) => {
    const { body } = await expectOk(runExport(call, id, { catalog: large, additionalFields }))
    expect(body).toMatchObject({ success: true, redirectUrl: null, products: [] })
    return body.taskId as string
  }
  const requests = () => remote.received.slice(seen).map(({ body }) => JSON.parse(body).request)
  test('is passed to the extension page by page by a task, and linked', async () => {
    remote.answers((response, { body }) => {
      const { request } = JSON.parse(body)
      const named = request.products.map((one: { id: string; catalog: string }) => ({
        id: one.id,
        catalog: one.catalog,
        externalId: `ext-${one.id}`,
      }))
      json(response, ran({ products: named }))
    })
    const task = await taskEnded(call, await begin({ pin: '1234' }))
    expect(task).toMatchObject({
      status: 'completed',
      processed: COUNT,
      message: '230 products sent in 3 pages, 230 linked.',
    })
    const pages = requests()
    expect(pages.map(({ products: of }) => of.length)).toEqual([100, 100, 30])
    const sent = pages.flatMap(({ products: of }) => of.map((one: { id: string }) => one.id))
    expect(sent).toEqual(ids)
    expect(pages[0].additionalFields).toEqual({ pin: '1234' })
    expect((await product(call, 'P229', large)).links).toEqual([
      { type: id, value: 'ext-P229', recommended: false },
    ])
  })

  test('can be limited by a search', async () => {
    answering(ran({}))
    const search = '{"must":[{"type":"category","value":"First"}]}'
    expect(await taskEnded(call, await begin({ search }))).toMatchObject({ processed: 5 })
    expect(requests()).toHaveLength(1)
    const wrong = await runExport(call, id, { catalog: large, additionalFields: { search: '{' } })
    expect(wrong.status).toBe(400)
  })

  test('ends if the extension fails or reports a failure', async () => {
    remote.answers((response) =>
      requests().length === 2 ? void response.writeHead(500).end() : json(response, ran({})),
    )
    expect(await taskEnded(call, await begin())).toMatchObject({
      status: 'failed',
      processed: 100,
      message: expect.stringMatching(/^Shop responded with status 500/),
    })
    answering(ran({ success: false, error: 'The account is closed.' }))
    expect(await taskEnded(call, await begin())).toMatchObject({
      status: 'failed',
      message: 'The account is closed.',
    })
  })

  test('ends if the extension is uninstalled meanwhile', async () => {
    const gone = Promise.withResolvers<void>()
    remote.answers(async (response) => {
      await gone.promise
      json(response, ran({}))
    })
    const task = await begin()
    await expect.poll(requests).toHaveLength(1)
    await expectOk(call(`DELETE /api/extensions/installed/${id}`))
    gone.resolve()
    expect(await taskEnded(call, task)).toMatchObject({
      status: 'failed',
      processed: 100,
      message: 'The extension was uninstalled.',
    })
  })

  test('is cancelled at once even if the extension hangs', async () => {
    remote.answers(() => undefined)
    const task = await begin()
    await expect.poll(requests).toHaveLength(1)
    const asked = performance.now()
    await expectOk(call(`PUT /api/tasks/${task}`, { body: { cancelled: true } }))
    expect(await taskEnded(call, task)).toMatchObject({ status: 'cancelled', processed: 0 })
    expect(performance.now() - asked).toBeLessThan(20_000)
  })

  test('keeps a run’s values out of the stored task', async () => {
    answering(ran({}))
    await taskEnded(call, await begin({ pin: 'only-for-this-run' }))
    const { elastic } = service.services
    const stored = await elastic.client.search({ index: elastic.indexName('tasks'), size: 1_000 })
    expect(JSON.stringify(stored.hits.hits)).not.toContain('only-for-this-run')
  })
})

describe('links that a remote export returns', () => {
  test('are added to the stored links', async () => {
    await expectOk(call(`PUT /api/Catalog/${catalog}/products/D-100/links/shop/kept`))
    const own = (acId: string, externalId: string) => ({
      type: 'shop',
      acId,
      acCatalog: catalog,
      externalId,
      link: 'https://shop.example/1',
      user: 'ada',
    })
    answering({ links: [own('D-100', 'kept'), own('W-300', 'known')] })
    const body = { products: products().map((one) => ({ acId: one.id, acCatalog: catalog })) }
    const answer = await expectOk(call(`POST /api/extensions/export/${id}/existing`, { body }))
    expect(
      answer.body.links.map((one: { externalId: string; user: string | null }) => [
        one.externalId,
        one.user,
      ]),
    ).toEqual([
      ['kept', null],
      ['known', 'ada'],
    ])
  })

  test.each<[string, (response: ServerResponse) => unknown, RegExp]>([
    ['does not answer', (response) => response.destroy(), /^Shop sent no usable response/],
    ['says that it failed', (response) => json(response, { success: false }), /^Shop failed/],
    [
      'answers wrongly',
      (response) => json(response, { links: 7 }),
      /^Shop sent an invalid response/,
    ],
  ])(
    'do not hide stored links if it %s; the error is returned beside them',
    async (_, answer, error) => {
      await expectOk(call(`PUT /api/Catalog/${catalog}/products/D-100/links/shop/kept`))
      remote.answers(answer)
      const body = { products: [{ acId: 'D-100', acCatalog: catalog }] }
      const got = await expectOk(call(`POST /api/extensions/export/${id}/existing`, { body }))
      expect(got.body).toMatchObject({
        error: expect.stringMatching(error),
        links: [{ type: 'shop', externalId: 'kept' }],
      })
      const { items } = (await expectOk(call(`GET /api/extensions/installed/${id}/logs`))).body
      expect(items[0]).toMatchObject({
        action: 'links',
        success: false,
        errorMessage: got.body.error,
      })
    },
  )

  test('are absent for missing products', async () => {
    const body = {
      products: [
        { acId: 'gone', acCatalog: catalog },
        { acId: 'x', acCatalog: 'no' },
      ],
    }
    const answer = await call(`POST /api/extensions/export/${id}/existing`, { body })
    expect(answer).toMatchObject({ status: 200, body: { links: [] } })
  })

  test('come with the extension’s own matches and options', async () => {
    const match = { acId: 'D-100', id: 'ext-9', mfp: null, name: 'Their drill' }
    answering({ error: null, success: true, products: [match] })
    const body = { products: [{ id: 'D-100', catalog }] }
    const found = await expectOk(
      call(`POST /api/extensions/export/${id}/possibleMatches`, { body }),
    )
    expect(found.body.products).toEqual([match])
    const options = [{ value: '1001', display: 'Main', default: true }]
    answering({ error: null, success: true, options })
    const listed = await expectOk(
      call(`POST /api/extensions/export/${id}/account/options`, { body: {} }),
    )
    expect(listed.body.options).toEqual(options)
  })
})
