import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createElastic } from '../../src/elastic/client.ts'
import { readDefinitions, versionedName } from '../../src/elastic/indices.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const SHARD_AWAY = 'A part of the storage is unavailable. Try again shortly.'

/** Two shards, of which a single node can hold only one. */
const HALF_THERE = {
  number_of_shards: 2,
  'routing.allocation.total_shards_per_node': 1,
  number_of_replicas: 0,
}

let service: Standalone
let call: Call
let red: string
let well: string

beforeAll(async () => {
  const definitions = await readDefinitions('index-mappings')
  const products = definitions.find(({ kind }) => kind === 'products')!
  const { node } = inject('elasticsearch')
  const prefix = `${inject('indexPrefix')}-red`
  const elastic = createElastic({ node, prefix, shards: 2, replicas: 0 })
  await elastic.client.indices.create({
    index: versionedName(elastic, products),
    aliases: { [elastic.indexName('products')]: {} },
    settings: { ...products.settings, ...HALF_THERE },
    mappings: products.mappings,
    wait_for_active_shards: 0,
  })
  await elastic.client.close()
  service = await startStandalone('red', { definitions })
  const organization = await newOrganization(service)
  call = organization.call
  const { client, indexName } = service.services.elastic
  const index = indexName('products')
  const isThere = async (catalog: string) => {
    const { shards } = await client.searchShards({
      index,
      routing: `${organization.id}/${catalog}`,
    })
    return shards[0]!.length > 0
  }
  const names = Array.from({ length: 40 }, (_, n) => `c-${n}`)
  const there = await Promise.all(names.map(isThere))
  red = names[there.indexOf(false)]!
  well = names[there.indexOf(true)]!
  for (const name of [red, well]) await expectOk(call('POST /api/Catalog', { body: { name } }))
})
afterAll(() => service.stop())

const find = (catalog: string) =>
  call(`POST /api/search/simple?catalog=${catalog}`, { body: { keywords: 'vice' } })
const write = (catalog: string) =>
  call(`POST /api/Catalog/${catalog}/products`, { body: { id: 'p', name: 'Vice' } })
const read = (catalog: string) => call(`GET /api/Catalog/${catalog}/products/p`)

describe('while the shard of a catalog is unavailable', () => {
  test('its reads and writes are refused clearly', async () => {
    const answers = await Promise.all([find(red), read(red), write(red)])
    const told = answers.map(({ status, body, headers }) => [
      status,
      body.message,
      headers.has('retry-after'),
    ])
    expect(told).toEqual(Array(3).fill([503, SHARD_AWAY, true]))
    const { body } = await call('GET /api/status/connections')
    expect(body).toBe('elasticsearch: some shards are missing (red)')
  })

  test('other catalogs are read and written, however many requests there are for it', async () => {
    const away = Array.from({ length: 20 }, () => find(red))
    const written = await write(well)
    const found = [await read(well), await find(well)]
    expect([written, ...found].map(({ status }) => status)).toEqual([200, 200, 200])
    const statuses = (await Promise.all(away)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([503]))
  })

  test('refused writes do not appear later', async () => {
    const { client, indexName } = service.services.elastic
    const settings = { 'routing.allocation.total_shards_per_node': 2 }
    await client.indices.putSettings({ index: indexName('products'), settings })
    await expect.poll(async () => (await read(red)).status).toBe(404)
    await expectOk(write(red))
  })
})
