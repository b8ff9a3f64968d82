import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { type Receiver, type Reply, runExport, startReceiver } from '../support/exports.ts'
import { product, taskEnded, taskOf } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

const SECRET = `whsec_${randomBytes(24).toString('base64')}`
const COUNT = 23

let service: TestService
let organization: TestOrganization
let call: Call
let catalog: string
const receivers: Receiver[] = []

async function receiver(...parts: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...parts)
  receivers.push(started)
  return started
}

/** Installs the extension for a receiver. Returns the installation's id. */
async function install(url: string, more: Record<string, string> = {}): Promise<string> {
  const additionalData = { url, secret: SECRET, pageSize: '10', ...more }
  const { body } = await expectOk(
    call('POST /api/extensions/available/http/install', { body: { additionalData } }),
  )
  return body.id
}

/** Runs an installation on the whole catalog, and waits for its task. */
async function send(id: string, additionalFields: Record<string, string> = {}) {
  const { body } = await expectOk(runExport(call, id, { catalog, additionalFields }))
  expect(body).toMatchObject({ redirectUrl: null, messageHeader: 'Export started' })
  return taskEnded(call, body.taskId)
}

const idsOf = ({ delivered }: Receiver): string[] =>
  delivered.flatMap(({ body }) => body.products.map(({ id }: { id: string }) => id))

const P = (n: number) => `P${String(n).padStart(3, '0')}`
const ALL = Array.from({ length: COUNT }, (_, n) => P(n))

beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.0/8' }) })
})

beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  catalog = await seedCatalog(
    service,
    organization,
    ALL.map((id) => ({ id, name: `Product ${id}`, category: id < P(5) ? 'First' : 'Other' })),
  )
})

afterAll(async () => {
  await service.stop()
  await Promise.all(receivers.map((one) => one.close()))
})

describe('pages of a catalog', () => {
  test('are posted in order, each signed, with the last one marked', async () => {
    const to = await receiver()
    const task = await send(await install(to.url))
    expect(task).toMatchObject({
      status: 'completed',
      processed: COUNT,
      message: '23 products sent in 3 pages, 0 linked.',
    })
    expect(idsOf(to)).toEqual(ALL)
    expect(to.delivered.map(({ body }) => [body.page, body.last, body.export])).toEqual([
      [0, false, task.id],
      [1, false, task.id],
      [2, true, task.id],
    ])
    expect(to.delivered[0]!.body.products[0]).toEqual(await product(call, P(0), catalog))
    for (const { headers, text } of to.delivered) {
      const verified = new Webhook(SECRET).verify(text, headers as Record<string, string>)
      expect(verified).toEqual(JSON.parse(text))
    }
  })

  test('are those of a search, or of listed products', async () => {
    const to = await receiver()
    const id = await install(to.url)
    await send(id, { search: '{"must":[{"type":"category","value":"First"}]}', pageSize: '4' })
    expect(to.delivered.map(({ body }) => body.products.length)).toEqual([4, 1])
    const products = [P(7), 'gone', P(3)].map((one) => ({ id: one, catalog }))
    const { body } = await expectOk(runExport(call, id, { products }))
    expect(await taskEnded(call, body.taskId)).toMatchObject({ status: 'completed' })
    expect(idsOf(to).slice(5)).toEqual([P(7), P(3)])
  })

  test('are smaller if products are large, and contain each product once', async () => {
    const to = await receiver()
    const attributes = Object.fromEntries(
      Array.from({ length: 450 }, (_, n) => [`a${n}`, 'x'.repeat(2_000)]),
    )
    const large = await seedCatalog(
      service,
      organization,
      ALL.slice(0, 9).map((id) => ({ id, attributes })),
    )
    const { body } = await expectOk(runExport(call, await install(to.url), { catalog: large }))
    expect(await taskEnded(call, body.taskId)).toMatchObject({ status: 'completed' })
    expect(idsOf(to)).toEqual(ALL.slice(0, 9))
    for (const { text } of to.delivered) expect(text.length).toBeLessThan(4 * 1024 * 1024)
  })
})

describe('a receiver in trouble', () => {
  test('gets the same page with the same id until it accepts it', async () => {
    const troubles: Reply[] = [{ status: 500 }, { status: 429, headers: { 'retry-after': '1' } }]
    const to = await receiver((_, index) => troubles[index] ?? { status: 204 })
    const task = await send(await install(to.url))
    expect(task).toMatchObject({ status: 'completed', processed: COUNT })
    expect(to.delivered.map(({ body }) => body.page)).toEqual([0, 0, 0, 1, 2])
    const ids = to.delivered.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids.slice(0, 3)).size).toBe(1)
    expect(new Set(ids).size).toBe(3)
  })

  test.each([400, 401, 410])(
    'that refuses with %i fails the export with a message',
    async (status) => {
      const to = await receiver((page) => (page.body.page === 1 ? { status } : {}))
      const task = await send(await install(to.url))
      expect(task).toMatchObject({
        status: 'failed',
        processed: 10,
        message: `The receiver did not accept page 1. It responded with status ${status}.`,
      })
      expect(to.delivered).toHaveLength(2)
    },
  )

  test('that redirects is not followed', async () => {
    const other = await receiver()
    const to = await receiver(() => ({ status: 302, headers: { location: other.url } }))
    expect(await send(await install(to.url))).toMatchObject({
      status: 'failed',
      message:
        'The receiver did not accept page 0. The response is a redirect, which is not followed.',
    })
    expect([to.delivered.length, other.delivered.length]).toEqual([1, 0])
  })

  test('that never responds does not delay a cancellation', async () => {
    const to = await receiver(() => undefined)
    const { body } = await expectOk(runExport(call, await install(to.url), { catalog }))
    await expect.poll(() => to.delivered).toHaveLength(1)
    const asked = performance.now()
    await expectOk(call(`PUT /api/tasks/${body.taskId}`, { body: { cancelled: true } }))
    expect(await taskEnded(call, body.taskId)).toMatchObject({ status: 'cancelled', processed: 0 })
    expect(performance.now() - asked).toBeLessThan(20_000)
  })
})

describe('ids that a receiver returns', () => {
  const links = async (extension: string, ids: readonly string[]) => {
    const body = { products: ids.map((acId) => ({ acId, acCatalog: catalog })) }
    const { body: answer } = await expectOk(
      call(`POST /api/extensions/export/${extension}/existing`, { body }),
    )
    return answer.links
  }

  test('are stored once as links of products that were on the page', async () => {
    const to = await receiver(({ body }) => ({
      body: JSON.stringify({
        products: [
          ...body.products.map(({ id }: { id: string }) => ({ id, externalId: `ext-${id}` })),
          { id: 'somebody-elses', externalId: 'x' },
          { id: P(0), catalog: 'another', externalId: 'other' },
        ].slice(0, body.page === 0 ? 11 : 99),
      }),
    }))
    const id = await install(to.url)
    expect(await send(id)).toMatchObject({ message: '23 products sent in 3 pages, 23 linked.' })
    await send(id)
    expect(await links(id, [P(3), P(22), 'gone'])).toEqual(
      [P(3), P(22)].map((acId) => ({
        type: id,
        acId,
        acCatalog: catalog,
        externalId: `ext-${acId}`,
        link: null,
        user: null,
      })),
    )
    expect((await product(call, P(3), catalog)).links).toEqual([
      { type: id, value: `ext-${P(3)}`, recommended: false },
    ])
  })

  test('fail the export with the path of the problem if they are invalid', async () => {
    const to = await receiver(() => ({ body: '{"products":[{"id":"P000","externalId":5}]}' }))
    expect(await send(await install(to.url))).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(
        /^The receiver accepted page 0, but its response is invalid: answer\.products\[0\]\.externalId: /,
      ),
    })
  })

  test.each(['ok', '<html>', '[]', 'null', '{"status":"fine"}'])(
    'may be absent: %s',
    async (body) => {
      const to = await receiver(() => ({ body }))
      expect(await send(await install(to.url))).toMatchObject({ status: 'completed' })
    },
  )
})

describe('an installation of an export', () => {
  test('is required for an address', async () => {
    expect((await runExport(call, 'http', { catalog })).status).toBe(404)
  })

  test('keeps its address and secret whatever a run says', async () => {
    const to = await receiver()
    const id = await install(to.url)
    for (const name of ['url', 'secret']) {
      const answer = await runExport(call, id, { catalog, additionalFields: { [name]: to.url } })
      expect(answer).toMatchObject({
        status: 400,
        body: {
          message: `additionalFields.${name}: set by the installation and cannot be overridden`,
        },
      })
    }
  })

  test('does not reveal its secret, even in the task', async () => {
    const to = await receiver()
    const id = await install(to.url)
    const { body } = await expectOk(runExport(call, id, { catalog }))
    await taskEnded(call, body.taskId)
    const logs = await expectOk(call(`GET /api/extensions/installed/${id}/logs`))
    const told = JSON.stringify([logs.body, await taskOf(call, body.taskId)])
    expect(told).not.toContain(SECRET)
    const { elastic } = service.services
    const stored = await elastic.client.search({ index: elastic.indexName('tasks'), size: 1_000 })
    expect(JSON.stringify(stored.hits.hits)).not.toContain(SECRET)
    expect(
      logs.body.items.map(({ action, success, productCount }: Record<string, unknown>) => [
        action,
        success,
        productCount,
      ]),
    ).toContainEqual(['run', true, COUNT])
  })

  test.each([
    [{ url: 'ftp://a.example' }, /url/],
    [{ url: 'http://10.0.0.1/' }, /url/],
    [{ secret: 'short' }, /secret/],
    [{ pageSize: '0' }, /pageSize/],
    [{ search: '{"must":5}' }, /search/],
  ])('is validated: %j', async (wrong, field) => {
    const additionalData = { url: 'https://a.example/', secret: SECRET, ...wrong }
    const { body } = await call('POST /api/extensions/available/http/validate', {
      body: { additionalData },
    })
    expect(body.success).toBe(false)
    expect(body.problems.map((one: { field: string }) => one.field).join()).toMatch(field)
  })

  test('that is removed or disabled does not run', async () => {
    const to = await receiver()
    const id = await install(to.url)
    await expectOk(call(`PUT /api/extensions/installed/${id}`, { body: { enabled: false } }))
    expect((await runExport(call, id, { catalog })).status).toBe(400)
    await expectOk(call(`DELETE /api/extensions/installed/${id}`))
    expect((await runExport(call, id, { catalog })).status).toBe(404)
    expect(to.delivered).toEqual([])
  })

  test('for some catalogs refuses others', async () => {
    const to = await receiver()
    const id = await install(to.url)
    const other = await seedCatalog(service, organization, [{ id: 'only' }])
    const body = { catalogFilter: [other] }
    await expectOk(call(`PUT /api/extensions/installed/${id}`, { body }))
    const refused = [
      await runExport(call, id, { catalog }),
      await runExport(call, id, { products: [{ id: P(1), catalog }] }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400])
    const { body: run } = await expectOk(runExport(call, id, { catalog: other }))
    await taskEnded(call, run.taskId)
    expect(idsOf(to)).toEqual(['only'])
  })
})
