import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { MOVING_WRITE_MS } from '../../src/catalogs/index-location.ts'
import { removeDeletedCatalogs } from '../../src/catalogs/removal.ts'
import { type CatalogMove, catalogsOf, productPlaceOf } from '../../src/catalogs/store.ts'
import { collection } from '../../src/elastic/collection.ts'
import { createOwnIndex, ownDefinition } from '../../src/elastic/create-own-index.ts'
import { createIndex, readDefinitions } from '../../src/elastic/indices.ts'
import { type OwnIndex, ownIndexOf } from '../../src/elastic/own-index.ts'
import { limits } from '../../src/limits.ts'
import { settleMoves } from '../../src/moves/upkeep.ts'
import { type Sketch, seedCatalog, seedProducts } from '../support/catalog.ts'
import {
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { taskEnded, taskOf } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

const TIMING = { beatMs: 100 }

let folder: string
let idle: TestService
let org: TestOrganization
/** Milliseconds by which the clock is ahead, so that leftovers count as older. */
let ahead = 0
const clock = { now: () => new Date(Date.now() + ahead) }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-moves-'))
  idle = await startService({ folder, clock, idle: true })
  org = await newOrganization(idle)
})

const shelf: Sketch[] = Array.from({ length: 20 }, (_, at) => ({
  id: `p${at}`,
  name: `Kept ${at}`,
}))

const documentOf = async (name: string) =>
  (await catalogsOf(idle.services, org.id).get(name))?.source

/** The collection of a catalog's products in an index, whether or not it is stored there. */
async function stored(name: string, index: OwnIndex | null) {
  const place = productPlaceOf({ owner: org.id, name, index })
  const products = collection(idle.services.elastic, place)
  await products.refresh()
  return products
}

/** A move to this number of shards, stopped at the `nth` request of `step` and all later ones. */
async function heldMove(shards: number, step: RegExp, nth: number) {
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let seen = 0
  proxy.hold((line) => {
    if (!step.test(line) || ++seen < nth) return undefined
    reached.resolve()
    return gate.promise
  })
  const mover = await startService({ folder, clock, tasks: TIMING, node: proxy.node })
  onTestFinished(async () => {
    gate.resolve()
    await mover.stop()
    await proxy.close()
  })
  const catalog = await seedCatalog(idle, org, shelf)
  const body = { name: catalog, shards }
  await expectOk(org.call('PUT /api/Catalog', { key: OPERATOR_KEY, body }))
  const id = (await documentOf(catalog))!.wanted!.id
  await settleMoves(mover.services)
  await reached.promise
  return { catalog, id, to: ownIndexOf(id, shards), goOn: gate.resolve }
}

test('a move ends and leaves nothing behind if its catalog is deleted', async () => {
  const { catalog, id, to, goOn } = await heldMove(2, /^POST \/_bulk/, 1)
  await expectOk(org.call(`DELETE /api/Catalog/${catalog}`))
  ahead += limits.catalogRemovalMs + 1
  const gone = async () => {
    await removeDeletedCatalogs(idle.services)
    return (await documentOf(catalog)) === undefined
  }
  await expect.poll(gone).toBe(true)
  goOn()
  const task = await taskEnded(org.call, id)
  expect(task).toMatchObject({ status: 'cancelled', message: 'The catalog was deleted.' })
  const { client } = idle.services.elastic
  const index = idle.services.elastic.indexName(to.kind)
  expect(await client.indices.exists({ index })).toBe(false)
})

test('a move that others finish during a takeover keeps what it moved', async () => {
  // The move has read that the catalog is not in the index yet, and is about to take over.
  const { catalog, id, to, goOn } = await heldMove(2, /^GET .*-catalogs\/_doc/, 2)
  await createOwnIndex(idle.services.elastic, to)
  await seedProducts(idle, { owner: org.id, name: catalog, index: to }, shelf)
  const catalogs = catalogsOf(idle.services, org.id)
  const found = (await catalogs.get(catalog))!
  const at = clock.now().toISOString()
  const move = { task: id, fence: 0, from: null, to, phase: 'flipped', at } as const
  const flipped = { ...found.source, ownIndex: to, wanted: null, move }
  await catalogs.replace(catalog, flipped, found, { refresh: true })
  goOn()
  expect(await taskEnded(org.call, id)).toMatchObject({ status: 'completed' })
  // Even in a move with the same source and target, the index in use is not removed.
  const again = (await catalogs.get(catalog))!
  const self = { ...again.source, move: { ...move, from: to } }
  await catalogs.replace(catalog, self, again, { refresh: true })
  ahead += limits.catalogRemovalMs + 1
  const cleared = async () => {
    await settleMoves(idle.services)
    return (await documentOf(catalog))!.move
  }
  await expect.poll(cleared).toBeNull()
  expect(await (await stored(catalog, to)).count()).toBe(shelf.length)
})

test('a move fails if the new index rejects a product, and the catalog is unchanged', async () => {
  const catalog = await seedCatalog(idle, org, shelf)
  const body = { name: catalog, shards: 1 }
  await expectOk(org.call('PUT /api/Catalog', { key: OPERATOR_KEY, body }))
  const id = (await documentOf(catalog))!.wanted!.id
  const { elastic } = idle.services
  const definitions = await readDefinitions('index-mappings')
  const products = definitions.find(({ kind }) => kind === 'products')!
  const own = ownDefinition(products, ownIndexOf(id, 1))
  await createIndex(elastic, { ...own, mappings: { dynamic: 'strict' } })
  const mover = await startService({ folder, clock, tasks: TIMING })
  onTestFinished(() => mover.stop())
  await settleMoves(mover.services)
  const { status, message } = await taskEnded(org.call, id)
  expect([status, message]).toEqual([
    'failed',
    expect.stringMatching(/^The new index rejects the product p\d+\.$/),
  ])
  expect((await documentOf(catalog))!.ownIndex ?? null).toBeNull()
  await expectOk(org.call(`PUT /api/Catalog/${catalog}/products/p1`, { body: { msrp: 5 } }))
})

test('a move waits until the new index has its replicas', async () => {
  // There is no second node here for replicas.
  const mover = await startService({ folder, clock, tasks: TIMING, replicas: 1 })
  onTestFinished(() => mover.stop())
  const catalog = await seedCatalog(idle, org, shelf)
  const body = { name: catalog, shards: 1 }
  await expectOk(org.call('PUT /api/Catalog', { key: OPERATOR_KEY, body }))
  const id = (await documentOf(catalog))!.wanted!.id
  await settleMoves(mover.services)
  const message = async () => (await taskOf(org.call, id))?.message
  await expect.poll(message).toBe('Waiting for the replicas of the new index.')
  await expectOk(org.call(`PUT /api/Catalog/${catalog}/products/p1`, { body: { msrp: 5 } }))
  const { client, indexName } = idle.services.elastic
  const index = indexName(ownIndexOf(id, 1).kind)
  await client.indices.putSettings({ index, settings: { number_of_replicas: 0 } })
  expect(await taskEnded(org.call, id)).toMatchObject({ status: 'completed' })
  const moved = await expectOk(org.call(`GET /api/Catalog/${catalog}/products/p1`))
  expect(moved.body.msrp).toBe(5)
})

test('a copy that lost products is made again', async () => {
  // The first write of the document starts the move, and the second one seals the catalog.
  const { catalog, id, to, goOn } = await heldMove(1, /^PUT .*-catalogs\/_doc/, 2)
  await (await stored(catalog, to)).remove('p7')
  goOn()
  expect(await taskEnded(org.call, id)).toMatchObject({ status: 'completed' })
  expect((await documentOf(catalog))!.ownIndex).toEqual(to)
  expect(await (await stored(catalog, to)).count()).toBe(shelf.length)
})

test('a write that reaches a sealed catalog late is not reported as saved', async () => {
  const catalog = await seedCatalog(idle, org, shelf)
  const catalogs = catalogsOf(idle.services, org.id)
  const to = ownIndexOf(crypto.randomUUID(), 1)
  const at = clock.now().toISOString()
  const enter = async (phase: CatalogMove['phase'], ownIndex: OwnIndex | null) => {
    const found = (await catalogs.get(catalog))!
    const move = { task: 'other', fence: 0, from: null, to, phase, at } as const
    await catalogs.replace(catalog, { ...found.source, ownIndex, move }, found, { refresh: true })
  }
  await enter('copying', null)
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  const writer = await startService({ folder, clock, idle: true, node: proxy.node })
  onTestFinished(async () => {
    await writer.stop()
    await proxy.close()
  })
  const isSealed = Promise.withResolvers<void>()
  let held = 0
  proxy.hold((line) => {
    if (!/^PUT .*-products\/_(doc|create)/.test(line)) return undefined
    if (++held === 2) isSealed.resolve(enter('sealed', null))
    // A move waits as long before it copies for the last time.
    return isSealed.promise.then(() => setTimeout(MOVING_WRITE_MS))
  })
  const call = caller(writer, { key: await org.key('administrator'), organization: org.id })
  const products = `/api/Catalog/${catalog}/products`
  const create = () => call(`POST ${products}`, { body: { id: 'late', name: 'Late' } })
  const edit = () => call(`PUT ${products}/p1`, { body: { name: 'Late' } })
  const late = await Promise.all([create(), edit()])
  expect(late.map(({ status }) => status)).toEqual([503, 503])
  expect(await (await stored(catalog, null)).get('late')).toBeDefined()
  await createOwnIndex(idle.services.elastic, to)
  await seedProducts(idle, { owner: org.id, name: catalog, index: to }, shelf)
  await enter('flipped', to)
  await expectOk(create())
  await expectOk(edit())
  const moved = await stored(catalog, to)
  const names = (await moved.getMany(['late', 'p1'])).map((one) => one!.source)
  expect(names).toMatchObject([{ product: { name: 'Late' } }, { product: { name: 'Late' } }])
})
