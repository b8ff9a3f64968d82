import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, inject, test } from 'vitest'
import { catalogsOf } from '../../src/catalogs/store.ts'
import { collection } from '../../src/elastic/collection.ts'
import { ownIndexOf } from '../../src/elastic/own-index.ts'
import { limits } from '../../src/limits.ts'
import { copyChanged } from '../../src/moves/copy.ts'
import { moveOutgrown, settleMoves } from '../../src/moves/upkeep.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { ownCatalog, type Sketch, seedCatalog, seedProducts } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
  untilAccepted,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startImport, taskEnded } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'
import { startStandalone } from '../support/standalone.ts'

const STABLE = 150
const EDITED = 30
/** More than is copied while writes wait, at first. */
const WRITTEN = 900
/** A short lease, for instances that another one must replace soon. */
const TIMING = { leaseMs: 4_000, beatMs: 100 }
const LASTING = { beatMs: 100 }
const LONG = { timeout: 240_000 }

let folder: string
let service: TestService
let other: TestService
let org: TestOrganization
let key: string
/** Milliseconds by which the clock is ahead, so that leftovers count as older. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-moves-'))
  service = await startService({ folder, clock, tasks: LASTING })
  other = await startService({ folder, clock, tasks: LASTING })
  org = await newOrganization(service)
  key = await org.key('administrator')
})

const shelf: Sketch[] = Array.from({ length: STABLE }, (_, at) => ({
  id: `p${at}`,
  name: `Stable ${at}`,
  manufacturer: `Maker ${at % 7}`,
}))

const through = (at: TestService): Call => caller(at, { key, organization: org.id })

const documentOf = async (catalog: string) =>
  (await catalogsOf(service.services, org.id).get(catalog))!.source

/** Requests this number of shards as an operator; returns the id of the task. */
async function want(catalog: string, shards: number): Promise<string> {
  const put = { key: OPERATOR_KEY, body: { name: catalog, shards } }
  await expectOk(org.call('PUT /api/Catalog', put))
  return (await documentOf(catalog)).wanted!.id
}

/** Waits until the leftovers of a move are removed. */
async function clearedAway(catalog: string): Promise<void> {
  ahead += limits.catalogRemovalMs + 1
  const cleared = async () => {
    await settleMoves(service.services)
    const { move, wanted } = await documentOf(catalog)
    return move ?? wanted ?? null
  }
  await expect.poll(cleared).toBeNull()
}

const everyId = async (catalog: string) => {
  const index = (await documentOf(catalog)).ownIndex ?? null
  const products = productsOf(service.services, { owner: org.id, name: catalog, index })
  await products.refresh()
  const found = await products.find({ size: 1_000, _source: ['product.id'] })
  return found.map(({ product }) => product.id).toSorted()
}

test(
  'a catalog moves back and forth while it is searched, edited and imported into',
  LONG,
  async () => {
    const catalog = await seedCatalog(service, org, shelf)
    const calls = await Promise.all([service, other].map(through))
    const products = `/api/Catalog/${catalog}/products`
    const prices = new Map<string, number>()
    const ids = new Set(shelf.map(({ id }) => id))
    let isGoing = true
    let round = 0
    let searches = 0
    const call = () => calls[round++ % calls.length]!
    const send = async (line: string, body?: object) => {
      const { answer } = await untilAccepted(() => call()(line, body ? { body } : {}))
      return answer
    }
    const search = async () => {
      const body = { keywords: 'stable', counts: true, pageSize: 5 }
      const found = await expectOk(call()(`POST /api/search?catalog=${catalog}`, { body }))
      expect(found.body.total).toBe(STABLE)
      await expectOk(call()(`GET ${products}/p${searches % STABLE}`))
      searches++
    }
    const edit = async () => {
      const id = `p${round % EDITED}`
      const msrp = round + 1
      await expectOk(send(`PUT ${products}/${id}`, { msrp }))
      prices.set(id, msrp)
    }
    let made = 0
    const comeAndGo = async () => {
      const id = `n${made++}`
      // A repeated request finds the product that a failed answer has created.
      expect([200, 409]).toContain((await send(`POST ${products}`, { id, name: 'New' })).status)
      ids.add(id)
      if (made % 2 === 0) return
      expect([200, 404]).toContain((await send(`DELETE ${products}/${id}`)).status)
      ids.delete(id)
    }
    // With pauses, since the move shares the processor with them.
    const keepOn = async (work: () => Promise<void>) => {
      for (; isGoing; await setTimeout(20)) await work()
    }
    for (const shards of [2, 0]) {
      isGoing = true
      const before = searches
      const work = Promise.all([search, edit, comeAndGo].map(keepOn))
      const rows = Array.from({ length: 40 }, (_, at) => `i${shards}-${at},Imported ${at}`)
      const importing = await startImport(calls[0]!, ['id,name', ...rows].join('\n'), {
        targetCatalog: catalog,
        mappings: [
          { column: 0, field: 'id' },
          { column: 1, field: 'name' },
        ],
      })
      const id = await want(catalog, shards)
      await settleMoves(service.services)
      const moved = taskEnded(org.call, id).finally(() => {
        isGoing = false
      })
      const [task] = await Promise.all([moved, work])
      expect(task).toMatchObject({ status: 'completed' })
      expect(await taskEnded(org.call, importing)).toMatchObject({ created: rows.length })
      for (const row of rows) ids.add(row.split(',')[0]!)
      expect((await documentOf(catalog)).ownIndex?.shards ?? 0).toBe(shards)
      expect(searches).toBeGreaterThan(before)
      await clearedAway(catalog)
      expect(await everyId(catalog)).toEqual([...ids].toSorted())
      for (const [product, msrp] of prices) {
        const read = await expectOk(org.call(`GET ${products}/${product}`))
        expect([product, read.body.msrp]).toEqual([product, msrp])
      }
    }
    const { catalogs } = (await expectOk(org.call('GET /api/Catalog'))).body
    expect(catalogs.find(({ name }: { name: string }) => name === catalog).shards).toBeUndefined()
  },
)

test('a pass of copying ends although products are written all the time', LONG, async () => {
  const catalog = await seedCatalog(service, org, shelf)
  const { index } = await ownCatalog(service, org, 1)
  const copy = { owner: org.id, name: catalog, from: null, to: index }
  const products = productsOf(service.services, { owner: org.id, name: catalog, index: null })
  let written = 0
  const write = async () => {
    if (++written > 10) throw new Error('The pass does not end.')
    const body = { msrp: written }
    await expectOk(org.call(`PUT /api/Catalog/${catalog}/products/p0`, { body }))
    await products.refresh()
  }
  const note = () => undefined
  const first = await copyChanged(service.services, copy, null, { hold: write, note })
  expect(written).toBeLessThanOrEqual(3)
  const hold = async () => undefined
  expect(await copyChanged(service.services, copy, first.upTo, { hold, note })).toMatchObject({
    copied: 1,
  })
})

test('a pass of copying holds a few large products at a time', async () => {
  const large = { attributes: { long: 'x'.repeat(700_000) } }
  const catalog = await seedCatalog(
    service,
    org,
    Array.from({ length: 20 }, (_, at) => ({ id: `p${at}`, ...large })),
  )
  const { index } = await ownCatalog(service, org, 1)
  const copy = { owner: org.id, name: catalog, from: null, to: index }
  const pages: number[] = []
  const note = (_: unknown, copied: number) => void pages.push(copied)
  await copyChanged(service.services, copy, null, { hold: async () => undefined, note })
  expect(pages).toEqual([16, 4])
})

test('a move ends although more is written all the time than it copies at once', LONG, async () => {
  const catalog = await seedCatalog(service, org, shelf)
  const path = `POST /api/Catalog/${catalog}/products/batch`
  let isGoing = true
  const write = async () => {
    for (let msrp = 1; isGoing; msrp++) {
      const operations = Array.from({ length: WRITTEN }, (_, at) => ({
        action: 'upsert',
        id: `w${at}`,
        product: { msrp },
      }))
      const { answer } = await untilAccepted(() => org.call(path, { body: { operations } }))
      expect(answer.status).toBe(200)
    }
  }
  const work = write()
  const id = await want(catalog, 2)
  await settleMoves(service.services)
  const moved = taskEnded(org.call, id).finally(() => {
    isGoing = false
  })
  const [task] = await Promise.all([moved, work])
  expect(task).toMatchObject({ status: 'completed' })
  const index = (await documentOf(catalog)).ownIndex ?? null
  const products = productsOf(service.services, { owner: org.id, name: catalog, index })
  await products.refresh()
  expect(await products.count()).toBe(WRITTEN + STABLE)
  await clearedAway(catalog)
})

test(
  'a move is completed by other instances, whichever dies while it copies, locks or completes',
  LONG,
  async () => {
    await Promise.all([service.stop(), other.stop()])
    const idle = await startService({ folder, clock, tasks: TIMING, idle: true })
    service = idle
    const catalog = await seedCatalog(idle, org, shelf)
    const start = async () => {
      const proxy = await startFaultProxy(inject('elasticsearch').node)
      const started = await startService({ folder, clock, tasks: TIMING, node: proxy.node })
      return { proxy, ...started }
    }
    /** Cuts the instance off at the n-th request of this kind, whose answer it does not get. */
    const diesAt = (
      proxy: Awaited<ReturnType<typeof start>>['proxy'],
      step: RegExp,
      nth: number,
    ) => {
      const dead = Promise.withResolvers<void>()
      let seen = 0
      proxy.set('dropAnswer', (line) => {
        if (!step.test(line) || ++seen < nth) return false
        // Refuse only later requests: the fault of this one is looked up again before its answer.
        setImmediate(() => proxy.set('refuse'))
        dead.resolve()
        return true
      })
      return dead.promise
    }
    const DOCUMENT = /^PUT .*-catalogs\/_doc\//
    const stops: (() => Promise<unknown>)[] = []
    const first = await start()
    const begun = diesAt(first.proxy, /^POST \/_bulk/, 1)
    const id = await want(catalog, 2)
    await settleMoves(first.services)
    stops.push(
      () => first.stop(),
      () => first.proxy.close(),
    )
    await begun
    // Its first write takes over the move, the second one seals the catalog, the third one ends the
    // move.
    for (const nth of [2, 3]) {
      const next = await start()
      stops.push(
        () => next.stop(),
        () => next.proxy.close(),
      )
      await diesAt(next.proxy, DOCUMENT, nth)
    }
    const last = await startService({ folder, clock, tasks: LASTING })
    service = last
    org = { ...org, call: through(last) }
    expect(await taskEnded(org.call, id)).toMatchObject({ status: 'completed' })
    expect((await documentOf(catalog)).ownIndex?.shards).toBe(2)
    await expectOk(org.call(`PUT /api/Catalog/${catalog}/products/p1`, { body: { msrp: 5 } }))
    await clearedAway(catalog)
    expect(await everyId(catalog)).toEqual(shelf.map((one) => one.id).toSorted())
    for (const stop of stops) await stop()
  },
)

test('remains of an abandoned move are removed, and the catalog can be written to again', async () => {
  await service.stop()
  service = await startService({ folder, clock, idle: true })
  org = { ...org, call: through(service) }
  const catalog = await seedCatalog(service, org, shelf.slice(0, 2))
  const to = ownIndexOf(crypto.randomUUID(), 1)
  const catalogs = catalogsOf(service.services, org.id)
  const found = (await catalogs.get(catalog))!
  const at = clock.now().toISOString()
  const move = { task: 'gone', fence: 1, from: null, to, phase: 'sealed', at } as const
  await catalogs.replace(catalog, { ...found.source, move }, found, { refresh: true })
  ahead += limits.cacheMs + 1
  const edit = () =>
    org.call(`PUT /api/Catalog/${catalog}/products/p1`, { body: { name: 'Again' } })
  const refused = await edit()
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
  await expectOk(org.call(`GET /api/Catalog/${catalog}/products/p1`))
  await settleMoves(service.services)
  await expectOk(edit())
  await clearedAway(catalog)
  expect((await documentOf(catalog)).ownIndex ?? null).toBeNull()
  expect(await everyId(catalog)).toEqual(['p0', 'p1'])
})

test('a catalog that outgrows the shared index is moved automatically, unless an operator chose the index', async () => {
  const alone = await startStandalone('moves')
  const { id, call } = await newOrganization(alone)
  const stored = async (name: string) => (await catalogsOf(alone.services, id).get(name))!.source
  for (const [name, count] of [
    ['large', 12],
    ['small', 3],
    ['chosen', 12],
    ['failed', 12],
  ] as const) {
    await expectOk(call('POST /api/Catalog', { body: { name } }))
    await seedProducts(alone, { owner: id, name }, shelf.slice(0, count))
  }
  // A move task that has ended, whether it failed or was cancelled.
  const task = { id: 'm', kind: 'move', status: 'failed', target: `${id}/failed/index` }
  const finished = new Date().toISOString()
  const tasks = collection(alone.services.elastic, { kind: 'tasks', scope: [id] })
  await tasks.create('m', { ...task, createDate: finished, finished }, { refresh: true })
  const chosen = { key: OPERATOR_KEY, body: { name: 'chosen', shards: 0 } }
  await expectOk(call('PUT /api/Catalog', chosen))
  await moveOutgrown(alone.services, 5)
  expect((await stored('large')).wanted?.shards).toBe(3)
  expect((await stored('small')).wanted).toBeUndefined()
  expect((await stored('chosen')).wanted).toBeUndefined()
  expect((await stored('failed')).wanted).toBeUndefined()
  const tomorrow = { now: () => new Date(Date.now() + 25 * 60 * 60 * 1_000) }
  await moveOutgrown({ ...alone.services, clock: tomorrow }, 5)
  expect((await stored('failed')).wanted?.shards).toBe(3)
  await alone.stop()
})
