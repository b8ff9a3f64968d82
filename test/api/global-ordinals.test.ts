import { expect, test } from 'vitest'
import { shownImages } from '../../src/images/records.ts'
import { learnTypes } from '../../src/search/learning/learn-types.ts'
import { seedCatalog, seedProducts } from '../support/catalog.ts'
import { caller, expectOk, newOrganization } from '../support/client.ts'
import { exportCatalog } from '../support/exports.ts'
import { startService } from '../support/service.ts'

/** Fields of which an organization may have any number of values, except what facetSearch lists. */
const UNBOUNDED = [
  ...['search.groupId', 'search.options', 'search.images', 'search.unspsc'],
  ...['products', 'query', 'product'],
]

/** What the client's types do not know. */
interface Fielddata {
  readonly global_ordinals: { readonly fields: object }
}

test('global ordinals are built for no field whose values nothing bounds', async () => {
  const service = await startService()
  const { elastic } = service.services
  const organization = await newOrganization(service)
  const { call } = organization
  const picture = `${crypto.randomUUID().slice(0, 22)}.png`
  const catalog = await seedCatalog(service, organization, [])
  // Each in a segment of its own: one segment needs no global ordinals.
  for (const id of ['a', 'b', 'c']) {
    const product = {
      id,
      name: `Glove for ${id}`,
      unspsc: '46181504',
      image: `http://localhost:3000/api/images/${picture}`,
      groupId: 'glove',
      options: { Size: id },
      facets: { Grip: 'firm' },
    }
    await seedProducts(service, { owner: organization.id, name: catalog }, [product])
  }
  const grouped = async (body: object) =>
    (await expectOk(call(`POST /api/search?catalog=${catalog}`, { body }))).body
  const facetSearch = { type: 'facet', name: 'Grip', text: 'f' }
  const found = await grouped({ group: true, counts: true, facetSearch })
  expect(found).toMatchObject({
    total: 1,
    products: [{ group: { options: { Size: ['a', 'b', 'c'] } } }],
  })
  await exportCatalog(call, 'csv', { catalog })
  expect(await shownImages(service.services, [picture])).toEqual(new Set([picture]))
  await learnTypes(elastic, { owner: organization.id, name: catalog, index: null, language: 'en' })
  for (const name of ['w1', 'w2']) {
    await expectOk(call('POST /api/workspaces', { body: { name } }))
    const items = ['a', 'b'].map((productId) => ({ catalog, productId }))
    await expectOk(call(`POST /api/workspaces/${name}/items`, { body: { items } }))
  }
  const products = [{ catalog, id: 'a' }]
  await expectOk(call('POST /api/extensions/recommendation/together/run', { body: { products } }))
  for (const keywords of ['glove', 'glove for a']) {
    const path = `/api/search/simple?catalog=${catalog}`
    await expectOk(call(`POST ${path}`, { body: { keywords } }))
    const report = async () => (await call('GET /api/reporting/searches')).body.queries
    await expect.poll(report).toContainEqual(expect.objectContaining({ query: keywords }))
  }
  // A new instance reads at once what is popular.
  const fresh = await startService()
  const again = caller(fresh, { key: await organization.key('viewer') })
  await expectOk(again(`POST /api/search/simple?catalog=${catalog}`, { body: {} }))
  await fresh.services.background.settled()
  const { _all: stats } = await elastic.client.indices.stats({
    index: ['products', 'workspaces', 'searches'].map((kind) => elastic.indexName(kind)),
    metric: 'fielddata',
    fields: '*',
  })
  const { fielddata } = stats.primaries as { fielddata?: Fielddata }
  const built = Object.keys(fielddata!.global_ordinals.fields)
  expect(built).toContain('search.facets')
  expect(built.filter((field) => UNBOUNDED.includes(field))).toEqual([])
})
