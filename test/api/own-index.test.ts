import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { removeOrphanedIndices } from '../../src/catalogs/orphaned-indices.ts'
import { removeDeletedCatalogs } from '../../src/catalogs/removal.ts'
import { catalogsOf } from '../../src/catalogs/store.ts'
import { createElastic } from '../../src/elastic/client.ts'
import { createOwnIndex } from '../../src/elastic/create-own-index.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { deleteOwnIndex, type OwnIndex, ownIndexOf } from '../../src/elastic/own-index.ts'
import { limits } from '../../src/limits.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { ownCatalog, type Sketch, seedProducts } from '../support/catalog.ts'
import {
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const SHARDS = 3
const PRODUCTS = 60

let service: TestService
let org: TestOrganization
let own: { owner: string; name: string; index: OwnIndex }
let time = Date.now()
beforeAll(async () => {
  service = await startService({ clock: { now: () => new Date(time) } })
  org = await newOrganization(service)
  own = await ownCatalog(service, org, SHARDS)
  const products: Sketch[] = Array.from({ length: PRODUCTS }, (_, at) => ({
    id: `p${at}`,
    name: `Hammer ${at}`,
    manufacturer: `Maker ${Math.floor(Math.sqrt(at * 6))}`,
  }))
  await seedProducts(service, own, products)
})

const search = async (body: object) =>
  (await expectOk(org.call(`POST /api/search?catalog=${own.name}`, { body }))).body
const create = (body: object, parts = {}) => org.call('POST /api/Catalog', { body, ...parts })
const indexOf = ({ kind }: OwnIndex) => service.services.elastic.indexName(kind)

describe('the index of one catalog', () => {
  test('has its products in all of its shards, each found once', async () => {
    const { client } = service.services.elastic
    const shards = await client.cat.shards({ index: indexOf(own.index), format: 'json', h: 'docs' })
    expect(shards.map(({ docs }) => Number(docs) > 0)).toEqual([true, true, true])
    const seen = new Set<string>()
    for (let cursor = '*', pages = 0; cursor && pages < 9; pages++) {
      const page = await search({ keywords: 'hammer', pageSize: 10, cursor })
      expect(page.total).toBe(PRODUCTS)
      for (const { id } of page.products) seen.add(id)
      cursor = page.cursor
    }
    expect(seen.size).toBe(PRODUCTS)
  })

  test('is used for every write and read', async () => {
    const path = `/api/Catalog/${own.name}/products`
    await expectOk(org.call(`POST ${path}`, { body: { id: 'new', name: 'Anvil' } }))
    await expectOk(org.call(`PUT ${path}/new`, { body: { name: 'Anvil, red' } }))
    const batch = {
      operations: [{ action: 'update', id: 'new', product: { upcs: ['4006381333931'] } }],
    }
    await expectOk(org.call(`POST ${path}/batch`, { body: batch }))
    const read = await expectOk(org.call(`GET ${path}/new`))
    expect(read.body).toMatchObject({ name: 'Anvil, red', upcs: ['4006381333931'] })
    await productsOf(service.services, own).refresh()
    expect((await search({ keywords: 'anvil' })).total).toBe(1)
    // Answers are cached until something is written to any of the shards.
    for (let round = 0; round < 3; round++)
      expect((await search({ keywords: 'anvil' })).total).toBe(1)
    await expectOk(org.call(`DELETE ${path}/new`))
    await productsOf(service.services, own).refresh()
    expect((await search({ keywords: 'anvil' })).total).toBe(0)
    const shared = productsOf(service.services, { ...own, index: null })
    await shared.refresh()
    expect(await shared.count()).toBe(0)
  })

  test('shows an organization only its own products, whatever the index contains', async () => {
    const foreign = { owner: 'somebody-else', name: own.name, index: own.index }
    await seedProducts(service, foreign, [{ id: 'theirs', name: 'Hammer of others' }])
    expect((await search({ keywords: 'hammer' })).total).toBe(PRODUCTS)
    const read = await org.call(`GET /api/Catalog/${own.name}/products/theirs`)
    expect(read.status).toBe(404)
  })

  test('counts values exactly that are frequent in one shard and rare in another', async () => {
    const makers = new Map<string, number>()
    for (let at = 0; at < PRODUCTS; at++) {
      const maker = `Maker ${Math.floor(Math.sqrt(at * 6))}`
      makers.set(maker, (makers.get(maker) ?? 0) + 1)
    }
    const terms = { field: 'search.manufacturer', size: 3, shard_size: 3 }
    const body = {
      size: 0,
      aggs: { all: { filter: { match_all: {} }, aggs: { makers: { terms } } } },
    }
    const { aggregations } = await productsOf(service.services, own).search(body)
    const { buckets } = (aggregations!.all as unknown as Counted).makers
    expect(buckets).toHaveLength(3)
    for (const { key, doc_count } of buckets)
      expect([key, doc_count]).toEqual([key, makers.get(key)])
  })

  test('lists a value that is frequent overall and most frequent in no shard', async () => {
    const { client } = service.services.elastic
    const other = await newOrganization(service)
    const spread = await ownCatalog(service, other, SHARDS)
    const ids = Array.from({ length: 1_100 }, (_, at) => `p${at}`)
    await seedProducts(
      service,
      spread,
      ids.map((id) => ({ id, name: 'x' })),
    )
    const sketches: Sketch[] = []
    for (let shard = 0; shard < SHARDS; shard++) {
      const found = await client.search<{ product: { id: string } }>({
        index: indexOf(spread.index),
        preference: `_shards:${shard}`,
        size: ids.length,
        _source: ['product.id'],
      })
      // More makers of two products than a shard returns, all before one that each shard has once.
      for (const [at, { _source }] of found.hits.hits.slice(0, 321).entries()) {
        const manufacturer = at === 0 ? 'Mill zzz' : `Mill ${shard}-${(at + 1) >> 1}`
        sketches.push({ id: _source!.product.id, name: 'x', manufacturer })
      }
    }
    await seedProducts(service, spread, sketches)
    const path = `GET /api/search/quicksearch?catalog=${spread.name}&search=mill`
    const { manufacturers } = (await expectOk(other.call(path))).body
    expect(manufacturers[0]).toBe('Mill zzz')
  })

  test('corrects only words that no shard contains', async () => {
    const found = await search({ keywords: 'hamer' })
    expect(found).toMatchObject({ total: PRODUCTS, correctedTo: 'hammer' })
    // Both words occur, in products of different shards.
    const both = await search({ keywords: 'hammer 3 17' })
    expect(both.correctedTo).toBeUndefined()
  })
})

interface Counted {
  readonly makers: { readonly buckets: readonly { key: string; doc_count: number }[] }
}

describe('a catalog with an index of its own', () => {
  test('shows its shards, which only operators choose', async () => {
    const { catalogs } = (await expectOk(org.call('GET /api/Catalog'))).body
    expect(catalogs).toMatchObject([{ name: own.name, shards: SHARDS }])
    const refused = await create({ name: 'mine', shards: 1 })
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'shards: only an operator can choose the index of a catalog',
    ])
    const key = OPERATOR_KEY
    const many = await create({ name: 'many', shards: limits.catalogShards + 1 }, { key })
    expect(many.status).toBe(400)
    const taken = await create({ name: own.name, shards: 1 }, { key })
    expect(taken.status).toBe(409)
    const put = (body: object) =>
      org.call('PUT /api/Catalog', { body: { name: own.name, ...body } })
    await expectOk(put({ shards: SHARDS, description: 'Own' }))
    expect((await put({ shards: 0 })).status).toBe(403)
  })

  test('is not created if the storage has no room for its shards', async () => {
    const { elastic } = service.services
    const settings = { ...elastic.settings, replicas: 1_000 }
    const full = ownIndexOf(crypto.randomUUID(), limits.catalogShards)
    const made = createOwnIndex({ ...elastic, settings }, full)
    await expect(made).rejects.toMatchObject({
      code: 'invalid',
      message: `shards: the storage has no room for ${limits.catalogShards} more and their replicas; request fewer, or extend it`,
    })
  })

  test('keeps its index, while one whose catalog was never created is removed', async () => {
    const { elastic } = service.services
    const { client } = elastic
    const empty = await ownCatalog(service, org, 1)
    const made = ownIndexOf(crypto.randomUUID(), 1)
    await createOwnIndex(elastic, made)
    const exist = async () =>
      Promise.all([empty.index, made].map((own) => client.indices.exists({ index: indexOf(own) })))
    await removeOrphanedIndices(service.services)
    expect(await exist()).toEqual([true, true])
    // By the clock of Elasticsearch, which sets the creation date of indices.
    time = Date.now() + 61 * 60 * 1000
    await removeOrphanedIndices(service.services)
    expect(await exist()).toEqual([true, false])
  })

  test('is not created again if it is deleted while a service starts', async () => {
    const { elastic } = service.services
    const gone = ownIndexOf(crypto.randomUUID(), 1)
    await createOwnIndex(elastic, gone)
    const proxy = await startFaultProxy(elastic.settings.node)
    onTestFinished(() => proxy.close())
    proxy.hold((line) =>
      line.includes(`_alias/${indexOf(gone)}`) ? deleteOwnIndex(elastic, gone) : undefined,
    )
    const behind = createElastic({ ...elastic.settings, node: proxy.node })
    const definitions = await readDefinitions('index-mappings')
    await prepareIndices(
      behind,
      definitions.filter(({ kind }) => kind === 'products'),
    )
    expect(proxy.requests().some((line) => line.includes(`_alias/${indexOf(gone)}`))).toBe(true)
    expect(await elastic.client.indices.exists({ index: indexOf(gone) })).toBe(false)
  })

  test('is removed with its index', async () => {
    const gone = await ownCatalog(service, org, 1)
    await seedProducts(service, gone, [{ id: 'p', name: 'Left' }])
    await expectOk(org.call(`DELETE /api/Catalog/${gone.name}`))
    time += limits.catalogRemovalMs + 1
    const { client } = service.services.elastic
    await expect
      .poll(async () => {
        await removeDeletedCatalogs(service.services)
        return client.indices.exists({ index: indexOf(gone.index) })
      })
      .toBe(false)
    expect(await catalogsOf(service.services, org.id).get(gone.name)).toBeUndefined()
    expect((await org.call('POST /api/search', { body: {} })).status).toBe(400)
    await expectOk(create({ name: gone.name }))
  })
})
