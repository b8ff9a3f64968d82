import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { taskEnded, taskWaiting } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call
const folder = mkdtemp(join(tmpdir(), 'aisle-selections-'))

beforeAll(async () => {
  service = await startService({ folder: await folder })
  organization = await newOrganization(service)
  call = organization.call
})

/** A catalog with this number of drills and of saws. */
async function stocked(name: string, drills: number, saws: number): Promise<void> {
  await expectOk(call('POST /api/Catalog', { body: { name } }))
  const make = (category: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      action: 'create',
      product: { id: `${category}-${n}`, name: `${category} ${n}`, category },
    }))
  const all = [...make('Drill', drills), ...make('Saw', saws)]
  for (let at = 0; at < all.length; at += 1_000) {
    const operations = all.slice(at, at + 1_000)
    await expectOk(call(`POST /api/Catalog/${name}/products/batch`, { body: { operations } }))
  }
}

const ask = (line: string, body: object, by = call) => by(`POST /api/Catalog/${line}`, { body })
const found = async (catalog: string, search: object) => {
  await service.services.background.settled()
  const { body } = await expectOk(
    call(`POST /api/search/count?catalog=${catalog}`, { body: search }),
  )
  return body.count
}
const DRILLS = { search: { category: 'Drill' } }

test('a bulk deletion shows the selected products first, and deletes them with the token of that preview', async () => {
  await stocked('d', 12, 3)
  const look = await expectOk(ask('d/products/delete', DRILLS))
  expect(look.body).toMatchObject({ taskId: null, total: 12 })
  expect(look.body.sample).toHaveLength(10)
  expect(look.body.sample[0]).toMatchObject({ id: 'Drill-0', name: 'Drill 0' })
  const { token } = look.body
  for (const [line, body] of [
    ['d/products/delete', { search: {}, token }],
    ['d/products/update', { ...DRILLS, product: { msrp: 1 }, token }],
  ] as const) {
    const refused = await ask(line, body)
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/^token: /)])
  }
  await expectOk(ask('d/products', { id: 'late', category: 'Drill' }))
  expect((await ask('d/products/delete', { ...DRILLS, token })).status).toBe(409)
  const again = await expectOk(ask('d/products/delete', DRILLS))
  const run = await expectOk(ask('d/products/delete', { ...DRILLS, token: again.body.token }))
  expect(await taskEnded(call, run.body.taskId)).toMatchObject({
    status: 'completed',
    sourceType: 'delete',
    processed: 13,
    deleted: 13,
    updated: 0,
  })
  expect(await found('d', {})).toBe(3)
  const log = await call('GET /api/Catalog/d/products/Drill-1')
  expect(log.status).toBe(404)
  const viewer = await organization.as('viewer')
  expect((await ask('d/products/delete', DRILLS, viewer)).status).toBe(403)
})

test('a bulk update changes all selected products, with a log entry for each', async () => {
  await stocked('u', 3, 1)
  const body = { ...DRILLS, product: { category: 'Power drill', msrp: 5 } }
  const look = await expectOk(ask('u/products/update', body))
  const { token } = look.body
  const run = await expectOk(ask('u/products/update', { ...body, token }))
  expect(await taskEnded(call, run.body.taskId)).toMatchObject({
    status: 'completed',
    message: '3 products: 0 deleted, 3 updated, 0 unchanged, 0 rejected.',
  })
  expect(await found('u', { category: 'Power drill' })).toBe(3)
  const logs = await expectOk(call('GET /api/Catalog/u/products/Drill-2/logs'))
  expect(logs.body.items[0]).toMatchObject({ source: 'api', fieldsUpdated: ['category', 'msrp'] })
  expect((await ask('u/products/update', { ...DRILLS, product: {} })).status).toBe(400)
})

test('a bulk deletion continues if its instance dies, and counts nothing twice', async () => {
  await stocked('k', 1_300, 2)
  await service.services.background.settled()
  await service.stop()
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  const tasks = { leaseMs: 2_000 }
  const gone = await startService({ folder: await folder, node: proxy.node, tasks })
  const key = await organization.key('administrator')
  const by = caller(gone, { key, organization: organization.id })
  const look = await expectOk(ask('k/products/delete', DRILLS, by))
  // The second page is deleted, but the instance gets no answer; writes to the audit log are
  // shorter.
  let bulks = 0
  const isGone = Promise.withResolvers<void>()
  proxy.set('dropAnswer', (line, length) => {
    if (!line.startsWith('POST /_bulk?filter_path=items') || length < 10_000) return false
    if (++bulks < 2) return false
    setImmediate(() => {
      proxy.set('refuse')
      isGone.resolve()
    })
    return true
  })
  const run = await expectOk(ask('k/products/delete', { ...DRILLS, token: look.body.token }, by))
  await isGone.promise
  service = await startService({ folder: await folder, tasks })
  call = caller(service, { key, organization: organization.id })
  expect(await taskEnded(call, run.body.taskId)).toMatchObject({
    status: 'completed',
    processed: 1_300,
    deleted: 1_300,
  })
  expect(await found('k', {})).toBe(2)
  proxy.set('none')
  await gone.stop()
  await proxy.close()
})

test('a bulk deletion asks again if it finds as many products when its turn comes, but others', async () => {
  await stocked('o', 5, 2)
  const own = await mkdtemp(join(tmpdir(), 'aisle-selections-'))
  const idle = await startService({ folder: own, tasks: { concurrency: 0 } })
  const key = await organization.key('administrator')
  const by = caller(idle, { key, organization: organization.id })
  const { token } = (await expectOk(ask('o/products/delete', DRILLS, by))).body
  const { taskId } = (await expectOk(ask('o/products/delete', { ...DRILLS, token }, by))).body
  const move = (id: string, category: string) =>
    expectOk(by(`PUT /api/Catalog/o/products/${id}`, { body: { category } }))
  await move('Drill-0', 'Saw')
  await move('Saw-0', 'Drill')
  await idle.stop()
  const busy = await startService({ folder: own })
  const at = caller(busy, { key, organization: organization.id })
  expect(await taskWaiting(at, taskId)).toMatchObject({
    message:
      'The search now finds 5 products, some of which it did not find before. Confirm the task to delete these, or cancel it.',
  })
  await expectOk(at(`PUT /api/tasks/${taskId}`, { body: { confirmed: true } }))
  expect(await taskEnded(at, taskId)).toMatchObject({ status: 'completed', deleted: 5 })
  expect(await found('o', { category: 'Saw' })).toBe(2)
  await busy.stop()
})

test('a bulk deletion takes no product that is only pinned, and keeps to words that Search leaves out', async () => {
  await stocked('p', 2, 1)
  const named = (id: string, name: string) => expectOk(ask('p/products', { id, name }))
  await named('best', 'Grinder flagship')
  await named('new', 'Drill refurbished')
  await named('old', 'Refurbished')
  const rule = {
    name: 'flagship',
    when: { query: 'drill', match: 'contains' },
    pins: [{ product: 'best', position: 1 }],
  }
  await expectOk(call('PUT /api/Catalog/p/search/rules', { body: [rule] }))
  const ranking = { stopPhrases: ['refurbished'] }
  await expectOk(call('PUT /api/Catalog/p/search/ranking', { body: ranking }))
  const look = async (keywords: string) => {
    const { body } = await expectOk(ask('p/products/delete', { search: { keywords } }))
    return [body.total, body.sample.map(({ id }: { id: string }) => id)]
  }
  expect(await look('drill')).toEqual([3, ['Drill-0', 'Drill-1', 'new']])
  expect(await look('drill refurbished')).toEqual([1, ['new']])
  const refused = await ask('p/products/delete', { search: { keywords: '!' } })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'search.keywords: expected a letter or a digit',
  ])
})

test('a bulk deletion leaves alone what is created or changed once it has begun', async () => {
  await stocked('b', 600, 1)
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  const own = await mkdtemp(join(tmpdir(), 'aisle-selections-'))
  const instance = await startService({ folder: own, node: proxy.node })
  const key = await organization.key('administrator')
  const by = caller(instance, { key, organization: organization.id })
  const { token } = (await expectOk(ask('b/products/delete', DRILLS, by))).body
  const createNew = async () => {
    await expectOk(ask('b/products', { id: 'Drill-z', name: 'New', category: 'Drill' }))
    const { client, indexName } = service.services.elastic
    await client.indices.refresh({ index: indexName('products') })
  }
  // The first page of 500 is written only once a product is there that nobody was asked about.
  let created: Promise<unknown> | undefined
  proxy.hold((line, length) => {
    if (!line.startsWith('POST /_bulk?filter_path=items') || length < 10_000) return undefined
    created ??= createNew()
    return created
  })
  const { taskId } = (await expectOk(ask('b/products/delete', { ...DRILLS, token }, by))).body
  expect(await taskEnded(by, taskId)).toMatchObject({
    status: 'completed',
    deleted: 600,
    warnings: ['1 product changed while the task was running and not modified.'],
  })
  expect(await found('b', {})).toBe(2)
  await instance.stop()
  await proxy.close()
})

test('a bulk change never uses words that Search drops or corrects', async () => {
  await expectOk(call('POST /api/Catalog', { body: { name: 'w' } }))
  const products = [
    { id: 'm1', name: 'Wide monitor', description: 'HDMI input and a cable guide' },
    { id: 'c1', name: 'Patch cable', category: 'Cables' },
    { id: 'c2', name: 'Fiber patch cable', category: 'Cables' },
  ]
  const operations = products.map((product) => ({ action: 'create', product }))
  await expectOk(call('POST /api/Catalog/w/products/batch', { body: { operations } }))
  const total = async (search: object) => {
    const { body } = await expectOk(ask('w/products/delete', { search }))
    expect(body.total).toBe(await found('w', search))
    return body.total
  }
  const refused = async (search: object) => {
    const { status, body } = await ask('w/products/delete', { search })
    expect(status).toBe(400)
    return body.message
  }
  expect(await refused({ keywords: 'HDMI cable' })).toContain(
    'search.keywords: Search finds 2 products without "HDMI"',
  )
  expect(await refused({ keywords: 'HDMI cable', manufacturer: ['Vista'] })).toContain('0 products')
  expect(await refused({ keywords: 'fiber pacth' })).toContain('2 products as "fiber patch"')
  expect(await refused({ keywords: 'wide onyx monitor' })).toContain('1 product without "onyx"')
  expect(await total({ keywords: 'patch cable' })).toBe(2)
  expect(await total({ keywords: 'HDMI monitor' })).toBe(1)
  expect(await total({ keywords: 'zyx' })).toBe(0)
})
