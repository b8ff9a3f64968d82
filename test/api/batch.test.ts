import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { sweepIdempotency } from '../../src/bulk/idempotency.ts'
import { collection } from '../../src/elastic/collection.ts'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { limits } from '../../src/limits.ts'
import { removeCatalog, seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { requestsSent } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
})

const send = (operations: readonly object[], headers: Record<string, string> = {}, by = call) =>
  by('POST /api/Catalog/c/products/batch', { body: { operations }, headers })

/** The results of operations, each as `[status, id, message]`. */
async function results(operations: readonly object[], headers?: Record<string, string>) {
  const { body } = await expectOk(send(operations, headers))
  return body.results.map((one: { status: number; id: string | null; message: string }) => [
    one.status,
    one.id,
    one.message,
  ])
}

const read = (id: string) => call(`GET /api/Catalog/c/products/${id}`)
const logOf = async (id: string) => {
  const { body } = await expectOk(call(`GET /api/Catalog/c/products/${id}/logs`))
  return body.items
}

describe('a batch', () => {
  test('creates, updates, upserts and deletes as single operations do, with one result each', async () => {
    await expectOk(call('POST /api/Catalog/c/products', { body: { id: 'old', name: 'Old' } }))
    const answer = await expectOk(
      send([
        {
          action: 'create',
          product: { id: 'a', name: 'Drill', vendors: [{ vendorName: 'Nord', cost: 5 }] },
        },
        { action: 'update', id: 'old', product: { msrp: 7 } },
        { action: 'upsert', product: { id: 'b', name: 'Saw' } },
        { action: 'update', id: 'none', product: { msrp: 1 } },
        { action: 'create', product: { id: 'old' } },
        { action: 'update', id: 'c', product: { msrp: 'much' } },
        { action: 'delete', id: 'none' },
        { action: 'update', id: 'b', ifMatch: '9', product: { msrp: 1 } },
        { action: 'polish', id: 'b' },
      ]),
    )
    expect(answer.body).toEqual({
      success: false,
      message: '9 operations: 2 created, 1 updated, 0 unchanged, 0 deleted, 6 failed.',
      created: 2,
      updated: 1,
      unchanged: 0,
      deleted: 0,
      failed: 6,
      results: [
        { status: 200, success: true, id: 'a', message: 'Product created.' },
        { status: 200, success: true, id: 'old', message: 'Product updated.' },
        { status: 200, success: true, id: 'b', message: 'Product created.' },
        { status: 404, success: false, id: null, message: 'Product not found.' },
        {
          status: 409,
          success: false,
          id: 'old',
          message: 'id: a product with this id already exists',
        },
        {
          status: 400,
          success: false,
          id: null,
          message: 'product.msrp: expected number, received string',
        },
        { status: 404, success: false, id: null, message: 'Product not found.' },
        {
          status: 412,
          success: false,
          id: 'b',
          message: "The product's version is now 1. Read it again.",
        },
        {
          status: 400,
          success: false,
          id: null,
          message: expect.stringMatching(/^action: .*"create"\|"update"\|"upsert"\|"delete"/),
        },
      ],
    })
    expect((await read('old')).body).toMatchObject({ name: 'Old', msrp: 7, version: '2' })
    expect(await logOf('old')).toMatchObject([{ source: 'api' }, { source: 'api' }])
    await expect
      .poll(async () => (await call('GET /api/Catalog/c/products/a/insights')).body.vendorInsights)
      .toMatchObject([{ price: 5 }])
    expect(await results([{ action: 'delete', id: 'a', ifMatch: 1 }])).toEqual([
      [200, 'a', 'Product deleted.'],
    ])
    expect((await read('a')).status).toBe(404)
  })

  test('names products by their exact id', async () => {
    for (const id of ['K 1', 'K 1 ']) {
      await expectOk(call('POST /api/Catalog/c/products', { body: { id, name: 'Kept' } }))
    }
    const { results } = (await expectOk(send([{ action: 'delete', id: 'K 1 ' }]))).body
    expect(results).toMatchObject([{ status: 200, id: 'K 1 ' }])
    expect((await expectOk(call('GET /api/Catalog/c/products/K%201'))).body.name).toBe('Kept')
    expect((await call('GET /api/Catalog/c/products/K%201%20')).status).toBe(404)
  })

  test('finds products by part number as imports do, and rejects ambiguous ones', async () => {
    const by = { manufacturer: 'Hartspindle', manufacturerPartNumber: 'HS-7/19' }
    const [[, id]] = await results([
      { action: 'upsert', ...by, product: { name: 'Hammer', upcs: ['4006381333931'] } },
    ])
    expect((await read(id)).body).toMatchObject({ name: 'Hammer', ...by })
    expect(
      await results([
        { action: 'upsert', product: { ...by, name: 'Claw hammer' } },
        { action: 'update', upc: '4006381333931', product: { vendors: [OFFER] } },
        { action: 'update', ...OFFER_NAME, product: { msrp: 3 } },
        { action: 'create', product: { id: 'twin', ...by } },
      ]),
    ).toEqual([
      [200, id, 'Product updated.'],
      [200, id, 'Product updated.'],
      [200, id, 'Product updated.'],
      [200, 'twin', 'Product created.'],
    ])
    expect(
      await results([
        { action: 'update', ...OFFER_NAME, product: { msrp: 4 } },
        { action: 'update', ...by, product: { msrp: 5 } },
        { action: 'delete', manufacturer: 'Hartspindle', manufacturerPartNumber: 'HS-8' },
        { action: 'delete' },
        { action: 'delete', id, upc: '1' },
      ]),
    ).toEqual([
      [200, id, 'Product updated.'],
      [409, null, expect.stringMatching(/^matches several products: /)],
      [404, null, 'Product not found.'],
      [400, null, expect.stringMatching(/^id: required, or /)],
      [400, null, 'upc: cannot be combined with id; name the product in one way'],
    ])
    // A former part number no longer finds the product.
    expect(
      await results([
        { action: 'update', id, product: { manufacturerPartNumber: 'HS-9' } },
        { action: 'delete', id: 'twin' },
      ]),
    ).toMatchObject([{ 0: 200 }, { 0: 200 }])
    expect(await results([{ action: 'delete', ...by }])).toEqual([
      [404, null, 'Product not found.'],
    ])
  })

  test('finds products by the numbers that earlier operations of the batch gave them', async () => {
    const named = (manufacturerPartNumber: string) => ({
      manufacturer: 'Nordwerk',
      manufacturerPartNumber,
    })
    await expectOk(call('POST /api/Catalog/c/products', { body: { id: 'N', ...named('N-1') } }))
    expect(
      await results([
        { action: 'update', id: 'N', product: { ...named('N-2'), upcs: ['40111'] } },
        { action: 'upsert', ...named('N-2'), product: { name: 'Pliers' } },
        { action: 'upsert', upc: '40111', product: { manufacturerPartNumber: 'N-3', msrp: 2 } },
        { action: 'upsert', id: 'N', product: { vendors: [{ ...OFFER, vendorPartNumber: 'V3' }] } },
        { action: 'update', ...OFFER_NAME, vendorPartNumber: 'V3', product: { msrp: 3 } },
        { action: 'upsert', ...named('N-1'), product: { name: 'Late' } },
      ]),
    ).toEqual([
      ...Array.from({ length: 5 }, () => [200, 'N', 'Product updated.']),
      [409, 'N', expect.stringMatching(/^The product found for this part number has another one/)],
    ])
    expect((await read('N')).body).toMatchObject({ name: 'Pliers', msrp: 3, ...named('N-3') })
  })

  test('applies several operations to one product in order, each with its own log entry', async () => {
    expect(
      await results([
        { action: 'update', id: 'o', product: { msrp: 1 } },
        { action: 'create', product: { id: 'o', name: 'One' } },
        { action: 'update', id: 'o', ifMatch: '1', product: { msrp: 2 } },
        { action: 'update', id: 'o', product: { msrp: 2 } },
        { action: 'upsert', id: 'o', product: { msrp: 3 } },
        { action: 'create', product: { id: 'p' } },
        { action: 'delete', id: 'p' },
      ]),
    ).toEqual([
      [404, null, 'Product not found.'],
      [200, 'o', 'Product created.'],
      [200, 'o', 'Product updated.'],
      [200, 'o', 'Nothing to change.'],
      [200, 'o', 'Product updated.'],
      [200, 'p', 'Product created.'],
      [200, 'p', 'Product deleted.'],
    ])
    expect(await logOf('o')).toHaveLength(3)
    expect((await read('p')).status).toBe(404)
    expect(
      await results([
        { action: 'delete', id: 'o' },
        { action: 'create', product: { id: 'o', name: 'Another' } },
      ]),
    ).toMatchObject([{ 0: 200 }, { 0: 200 }])
    expect((await read('o')).body).toMatchObject({ name: 'Another', msrp: null, version: '1' })
    expect(await logOf('o')).toHaveLength(4)
  })

  test('is refused as a whole if it is malformed', async () => {
    const many = Array.from({ length: limits.batchOperations + 1 }, () => ({
      action: 'delete',
      id: 'x',
    }))
    for (const [body, message] of [
      [{ operations: many }, 'operations: at most 1000 at once'],
      [{ operations: [] }, expect.stringContaining('operations: ')],
      [
        { operations: [{ action: 'create', product: { nmae: 'x' } }] },
        expect.stringContaining('operations[0].product.nmae: unknown field'),
      ],
    ] as const) {
      const answer = await call('POST /api/Catalog/c/products/batch', { body })
      expect([answer.status, answer.body.message]).toEqual([400, message])
    }
    const viewer = await organization.as('viewer')
    expect((await send([{ action: 'delete', id: 'x' }], {}, viewer)).status).toBe(403)
    const other = await newOrganization(service)
    expect((await send([{ action: 'delete', id: 'x' }], {}, other.call)).status).toBe(404)
  })
})

const OFFER_NAME = { vendorName: 'Tidewell', vendorPartNumber: 'TD-1' }
const OFFER = { ...OFFER_NAME, cost: 2 }

describe('an Idempotency-Key', () => {
  test('is refused for a catalog that was deleted and created again', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const body = { operations: [{ action: 'upsert', product: { id: 'nightly' } }] }
    const write = () => call('POST /api/Catalog/again/products/batch', { body, headers })
    await expectOk(call('POST /api/Catalog', { body: { name: 'again' } }))
    await expectOk(write())
    await expectOk(call('DELETE /api/Catalog/again'))
    await removeCatalog(service, organization.id, 'again')
    await expectOk(call('POST /api/Catalog', { body: { name: 'again' } }))
    const answer = await write()
    expect([answer.status, answer.body.message]).toEqual([
      409,
      expect.stringContaining('for a catalog that was deleted since'),
    ])
  })

  test('applies a batch once, and is refused for a different one', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const operations = [
      { action: 'create', product: { name: 'Nameless' } },
      { action: 'upsert', product: { id: 'i', msrp: 1 } },
      { action: 'delete', id: 'none' },
    ]
    const first = await expectOk(send(operations, headers))
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    await expectOk(call('PUT /api/Catalog/c/products/i', { body: { msrp: 2 } }))
    const second = await expectOk(send(operations, headers))
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await read('i')).body.msrp).toBe(2)
    const other = await send(operations.slice(1), headers)
    expect([other.status, other.body.message]).toEqual([
      409,
      'Idempotency-Key: already used by a different request, or for a catalog that was deleted since; send each request with its own key',
    ])
    // The same key sent by another user is a different key.
    const editor = await organization.as('editor')
    expect((await send(operations.slice(1), headers, editor)).status).toBe(200)
    const wrong = await send(operations, { 'idempotency-key': 'a key' })
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      'Idempotency-Key: must have 1 to 255 ASCII characters without spaces',
    ])
  })

  test('is refused if an organization has too many, and stores results up to a limit', async () => {
    const crowded = await newOrganization(service)
    await expectOk(crowded.call('POST /api/Catalog', { body: { name: 'c' } }))
    const { elastic } = service.services
    const scope = [crowded.id]
    const remembered = collection(elastic, { kind: 'idempotency', scope })
    const fill = async (id: string, bytes: number) => {
      const times = { began: new Date(), expires: new Date(Date.now() + 60_000) }
      await remembered.put(id, { id, fingerprint: id, ...times, answer: null, bytes })
      await refreshIndex(elastic, 'idempotency')
      service.services.cache.drop('idempotency', crowded.id)
    }
    const create = (id: string) =>
      send([{ action: 'create', product: { id } }], { 'idempotency-key': id }, crowded.call)
    const replayed = async (id: string) =>
      (await expectOk(create(id))).headers.get('idempotent-replayed')
    await create('kept')
    await fill('half', limits.idempotencyBytes / 2)
    const first = await expectOk(create('done'))
    // An answer that was not stored is looked up in the products, so that nothing is done twice.
    expect((await expectOk(create('done'))).body).toEqual(first.body)
    expect([await replayed('kept'), await replayed('done')]).toEqual(['true', null])
    await fill('rest', limits.idempotencyBytes / 2)
    expect(await replayed('kept')).toBe('true')
    const more = await create('more')
    expect([more.status, more.body.message]).toEqual([
      400,
      'Idempotency-Key: too many keys of the organization within 24 hours; send more operations per request, or no key',
    ])
    expect((await crowded.call('GET /api/Catalog/c/products/more')).status).toBe(404)
  })

  test('is forgotten after its time without its answer being read', async () => {
    const { elastic } = service.services
    const own = collection(elastic, { kind: 'idempotency', scope: [organization.id] })
    const times = { began: new Date(0), expires: new Date(1) }
    const old = { id: 'old', fingerprint: 'old', ...times, answer: { text: 'x'.repeat(10_000) } }
    await own.put('old', old, { refresh: true })
    const sent = await requestsSent(service, () => sweepIdempotency(service.services))
    const searches = sent.filter(({ path }) => path.includes('idempotency/_search'))
    const fields = searches.map(({ body }) => JSON.parse(`${body}`)._source)
    expect(new Set(fields.map(String))).toEqual(new Set(['id,scope']))
    expect(await own.get('old')).toBeUndefined()
  })

  // Concurrent, since it shows only after the request's deadline that a process is dead.
  test.concurrent('completes a batch whose process died halfway, and repeats nothing', async () => {
    const dying = await startDying()
    const ids = Array.from({ length: 60 }, (_, n) => `k${n}`)
    await expectOk(
      send(ids.slice(0, 40).map((id) => ({ action: 'create', product: { id, msrp: 1 } }))),
    )
    // Deleted products must have their log entries, so that the next bulk writes the products.
    await service.services.background.settled()
    const operations = [
      ...ids
        .slice(0, 20)
        .map((id) => ({ action: 'update', id, ifMatch: '1', product: { msrp: 2 } })),
      ...ids.slice(20, 40).map((id) => ({ action: 'delete', id })),
      ...ids.slice(40).map((id) => ({ action: 'create', product: { id } })),
      ...ids.slice(40).map((id) => ({ action: 'update', id, product: { msrp: 3 } })),
    ]
    const headers = { 'idempotency-key': crypto.randomUUID() }
    expect((await send(operations, headers, dying.call)).status).toBe(503)
    // A change made in between is not reverted.
    await expectOk(call('PUT /api/Catalog/c/products/k0', { body: { msrp: 9 } }))
    await expectOk(call('POST /api/Catalog/c/products', { body: { id: 'k20', msrp: 9 } }))
    const { body } = await expectOk(send(operations, headers))
    const statuses = body.results.map(({ status }: { status: number }) => status)
    expect(statuses.filter((status: number) => status !== 200)).toEqual([409])
    expect(body.results[20]).toMatchObject({ status: 409, id: 'k20' })
    expect(body).toMatchObject({ created: 20, updated: 40, deleted: 19, failed: 1 })
    expect((await read('k0')).body).toMatchObject({ msrp: 9, version: '3' })
    expect((await read('k1')).body).toMatchObject({ msrp: 2, version: '2' })
    expect((await read('k20')).body).toMatchObject({ msrp: 9, version: '1' })
    expect((await read('k40')).body).toMatchObject({ msrp: 3, version: '2' })
    expect(await logOf('k1')).toHaveLength(2)
    expect(await logOf('k40')).toHaveLength(2)
    expect((await expectOk(send(operations, headers))).body).toEqual(body)
    await dying.stop()
  })

  test.concurrent('applies offers once, even if the process died halfway', async () => {
    const dying = await startDying()
    const ids = ['s1', 's2', 's3']
    const product = (id: string) => ({ id, vendors: [{ vendorName: 'Nord', cost: 1 }] })
    await expectOk(send(ids.map((id) => ({ action: 'create', product: product(id) }))))
    await service.services.background.settled()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const offers = [...ids.map((id) => ({ id, cost: 2 })), { id: 's3', cost: 2 }]
    const set = (lines: readonly object[], by = call, more: object = headers) =>
      by('POST /api/Catalog/c/offers', {
        body: { vendorName: 'Nord', offers: lines },
        headers: { ...more },
      })
    const priceOf = async (id: string) => (await read(id)).body.vendors[0].cost
    expect((await set(offers, dying.call)).status).toBe(503)
    expect(await priceOf('s1')).toBe(2)
    // A change made in between is not reverted.
    await expectOk(set([{ id: 's1', cost: 9 }], call, {}))
    const { body } = await expectOk(set(offers))
    expect(body).toMatchObject({ updated: 3, unchanged: 1, rejected: 0 })
    expect(await Promise.all(ids.map(priceOf))).toEqual([9, 2, 2])
    await expectOk(set([{ id: 's2', cost: 9 }], call, {}))
    const again = await expectOk(set(offers))
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([body, 'true'])
    expect(await priceOf('s2')).toBe(9)
    expect((await set(offers.slice(1))).status).toBe(409)
    await dying.stop()
  })

  test.concurrent('applies prices of a price list once, even if the process died halfway', async () => {
    const dying = await startDying()
    await expectOk(send(['q1', 'q2'].map((id) => ({ action: 'create', product: { id, msrp: 1 } }))))
    await service.services.background.settled()
    const LIST = '/api/Catalog/c/priceLists/l'
    await expectOk(call(`PUT ${LIST}`, { body: { currency: 'EUR' } }))
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const set = (lines: readonly object[], by = call, more: object = headers) =>
      by(`POST ${LIST}/prices`, { body: { lines }, headers: { ...more } })
    const priceOf = async (id: string) => (await read(`${id}?priceList=l`)).body.prices[0].price
    const lines = [
      { id: 'q1', price: 2 },
      { id: 'q2', price: 2 },
      { id: 'none', price: 2 },
    ]
    expect((await set(lines, dying.call)).status).toBe(503)
    // A change made in between is not reverted.
    await expectOk(set([{ id: 'q1', price: 9 }], call, {}))
    const { body } = await expectOk(set(lines))
    expect(body).toMatchObject({ updated: 2, unchanged: 0, rejected: 1 })
    expect(await Promise.all(['q1', 'q2'].map(priceOf))).toEqual([9, 2])
    const again = await expectOk(set(lines))
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([body, 'true'])
    expect((await set(lines.slice(1))).status).toBe(409)
    await dying.stop()
  })

  test.concurrent('applies a batch once that is sent to two instances at the same time', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const slow = await startService({ node: proxy.node })
    const key = await organization.key('administrator')
    const first = caller(slow, { key, organization: organization.id })
    const [isReading, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    proxy.hold((line) => {
      if (!line.includes('/_mget')) return undefined
      isReading.resolve()
      return release.promise
    })
    const operations = [
      { action: 'create', product: { id: 'twice', msrp: 1 } },
      { action: 'update', id: 'twice', product: { msrp: 2 } },
      { action: 'create', product: { id: 'taken back' } },
    ]
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const earlier = send(operations, headers, first)
    await isReading.promise
    const later = await expectOk(send(operations, headers))
    expect(later.body).toMatchObject({ created: 2, updated: 1, failed: 0 })
    // Changes made since then are not reverted.
    await expectOk(call('PUT /api/Catalog/c/products/twice', { body: { msrp: 9 } }))
    await expectOk(call('DELETE /api/Catalog/c/products/taken back'))
    release.resolve()
    expect((await expectOk(earlier)).body).toEqual(later.body)
    expect((await read('twice')).body).toMatchObject({ msrp: 9, version: '3' })
    expect((await read('taken back')).status).toBe(404)
    await slow.stop()
    await proxy.close()
  })

  test.concurrent('continues with operations that a timeout left undone', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const slow = await startService({ node: proxy.node })
    const key = await organization.key('administrator')
    const ids = Array.from({ length: 1_000 }, (_, n) => ({ id: `t${n}` }))
    const catalog = await seedCatalog(service, organization, ids)
    const list = `/api/Catalog/${catalog}/priceLists/l`
    await expectOk(call(`PUT ${list}`, { body: { currency: 'EUR' } }))
    const parts = {
      body: { lines: ids.map(({ id }) => ({ id, price: 1 })) },
      headers: { 'idempotency-key': crypto.randomUUID() },
    }
    const set = (by: Call) => expectOk(by(`POST ${list}/prices`, parts))
    const setFirst = (price: number) =>
      expectOk(call(`POST ${list}/prices`, { body: { lines: [{ id: 't0', price }] } }))
    await setFirst(1)
    // Three of four parts begin at once, and take more than half of the time.
    const isProducts = (line: string) => line.startsWith('POST /_bulk?filter_path=items')
    proxy.hold((line) => (isProducts(line) ? sleep(limits.batchMs * 0.6) : undefined))
    const first = await set(caller(slow, { key, organization: organization.id }))
    expect(first.body).toMatchObject({ success: false, updated: 749, unchanged: 1, rejected: 250 })
    const late = first.body.results.filter(({ status }: { status: number }) => status === 503)
    expect(late).toHaveLength(250)
    expect(late[0].error).toBe('Not written, since the request timed out. Send it again.')
    // What was acknowledged is not done again, even if it changed nothing.
    await setFirst(9)
    const second = await set(call)
    expect(second.body).toMatchObject({ success: true, updated: 999, unchanged: 1, rejected: 0 })
    expect(second.body.results[0]).toMatchObject({ status: 200, id: 't0' })
    const { body: t0 } = await call(`GET /api/Catalog/${catalog}/products/t0?priceList=l`)
    expect(t0.prices[0].price).toBe(9)
    expect(second.headers.get('idempotent-replayed')).toBeNull()
    expect((await set(call)).headers.get('idempotent-replayed')).toBe('true')
    await slow.stop()
    await proxy.close()
  })
})

/** Starts a service that is cut off once products are written, before it gets the answer. */
async function startDying() {
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  const dying = await startService({ node: proxy.node })
  const key = await organization.key('administrator')
  proxy.set('dropAnswer', (line) => {
    if (!line.startsWith('POST /_bulk?filter_path=items')) return false
    setImmediate(() => proxy.set('refuse'))
    return true
  })
  return {
    call: caller(dying, { key, organization: organization.id }),
    async stop() {
      proxy.set('none')
      await dying.stop()
      await proxy.close()
    },
  }
}

describe('offers', () => {
  test('are updated line by line without the product, and recorded in Insights', async () => {
    const drill = { manufacturer: 'Drakesmoor', manufacturerPartNumber: 'DS18' }
    await results([
      {
        action: 'create',
        product: { id: 'f1', ...drill, vendors: [{ vendorName: 'Nord', cost: 5 }] },
      },
      {
        action: 'create',
        product: {
          id: 'f2',
          vendors: [{ vendorName: 'West', vendorPartNumber: 'W-2', status: 'new' }],
        },
      },
    ])
    const body = {
      vendorName: 'West',
      offers: [
        { id: 'f1', vendorName: 'Nord', cost: 6, onHand: 3 },
        { ...drill, cost: 7, vendorPartNumber: 'W-1' },
        { vendorPartNumber: 'w-2', onHand: 0 },
        { id: 'none', cost: 1 },
        { id: 'f2', cost: -1 },
        { cost: 1 },
        { vendorPartNumber: 'W-9', cost: 1 },
        { vendorPartNumber: 'W-1', status: 'sale' },
      ],
    }
    const { body: first } = await expectOk(call('POST /api/Catalog/c/offers', { body }))
    expect(first).toMatchObject({ updated: 4, unchanged: 0, rejected: 4, success: false })
    expect(first.rejects).toEqual([
      { index: 3, status: 404, message: 'Product not found.' },
      { index: 4, status: 400, message: expect.stringMatching(/^cost: /) },
      { index: 5, status: 400, message: expect.stringMatching(/^id: required, or /) },
      { index: 6, status: 404, message: 'Product not found.' },
    ])
    expect((await read('f1')).body).toMatchObject({
      ...drill,
      version: '2',
      vendors: [
        { vendorName: 'Nord', cost: 6, onHand: 3, inStock: true },
        { vendorName: 'West', cost: 7, vendorPartNumber: 'W-1', status: 'sale' },
      ],
    })
    const [offer] = (await read('f2')).body.vendors
    expect(offer).toMatchObject({ vendorPartNumber: 'w-2', onHand: 0, status: 'new' })
    expect(await logOf('f1')).toHaveLength(1)
    await expect
      .poll(async () => {
        const { body } = await call('GET /api/Catalog/c/products/f1/insights?vendor=Nord')
        return body.vendorInsights.map(({ price }: { price: number }) => price)
      })
      .toEqual([5, 6])
    const { body: again } = await expectOk(call('POST /api/Catalog/c/offers', { body }))
    expect(again).toMatchObject({ updated: 0, unchanged: 4, rejected: 4 })
    const many = Array.from({ length: limits.offerLines + 1 }, () => ({ id: 'f1', cost: 1 }))
    const refused = await call('POST /api/Catalog/c/offers', { body: { ...body, offers: many } })
    expect([refused.status, refused.body.message]).toEqual([400, 'offers: at most 5000 at once'])
  })
})
