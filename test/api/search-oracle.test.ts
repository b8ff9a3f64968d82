import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ownCatalog, type Sketch, seedCatalog, seedProducts } from '../support/catalog.ts'
import { newOrganization, type TestOrganization } from '../support/client.ts'
import { Oracle } from '../support/search-oracle.ts'
import { randomProduct, randomWish } from '../support/search-random.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let org: TestOrganization

beforeAll(async () => {
  service = await startService()
  org = await newOrganization(service)
})

/** A seed gives the same catalog and the same requests in every run. */
const SEEDS = (process.env.SEARCH_SEEDS ?? '1,2,3').split(',').map(Number)
/** The catalogs of every third seed are spread over several shards. */
const shardsOf = (seed: number) => (seed % 3 === 0 ? 3 : 0)
const REQUESTS = Number(process.env.SEARCH_REQUESTS ?? 50)

describe.each(SEEDS)('a random catalog (seed %i)', (seed) => {
  let catalog: string
  let oracle: Oracle

  beforeAll(async () => {
    const drawn = fc.sample(randomProduct, { seed, numRuns: 60 }) as unknown as Partial<Sketch>[]
    const products = drawn.map((product, at) => ({
      lastUpdated: '2026-01-01T00:00:00.000Z',
      ...product,
      annotations: {
        [org.id]: product.annotations ?? {},
        other: { favorite: true, tags: ['urgent', 'later'] },
      },
      id: `p${at}`,
    })) as Sketch[]
    oracle = new Oracle(products, { organization: org.id, username: 'viewer' })
    if (shardsOf(seed) === 0) {
      catalog = await seedCatalog(service, org, products)
      return
    }
    const own = await ownCatalog(service, org, shardsOf(seed))
    await seedProducts(service, own, products)
    catalog = own.name
  })

  test(`returns the same as the oracle for ${REQUESTS} random requests`, {
    timeout: 300_000,
  }, async () => {
    const call = await org.as('viewer')
    const post = async (path: string, body: object) => {
      const answer = await call(`POST /api/search${path}?catalog=${catalog}`, { body })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
      return answer.body
    }
    const property = fc.asyncProperty(randomWish, async (asked) => {
      const expected = oracle.find(asked).map(({ id }) => id)
      const order = oracle.order(asked)
      const { products, total, metadata } = await post('', {
        ...asked,
        pageSize: 250,
        counts: true,
      })
      const ids = products.map(({ id }: { id: string }) => id)
      expect(ids.toSorted(), 'products').toEqual(expected.toSorted())
      expect(total, 'total').toBe(expected.length)
      if (order) expect(ids, 'order').toEqual(order)

      const { counts, filters } = metadata
      expect(counts.manufacturers, 'manufacturers').toEqual(oracle.manufacturers(asked))
      expect(counts.vendors, 'vendors').toEqual(oracle.vendors(asked))
      expect(counts.segments, 'segments').toEqual(oracle.segments(asked))
      expect(counts.categories, 'categories').toEqual(oracle.categories(asked))
      expect(counts.subCategories, 'subCategories').toEqual(oracle.subCategories(asked))
      expect(counts.facets, 'facets').toEqual(oracle.facets(asked))
      expect(counts.price, 'price').toEqual(oracle.prices(asked))
      expect(metadata.facetSearch, 'facetSearch').toEqual(oracle.found(asked))
      const numbers = oracle.numbers(asked)
      expect(Object.keys(filters).toSorted(), 'numbers').toEqual(Object.keys(numbers).toSorted())
      for (const [name, ends] of Object.entries(numbers)) {
        if (ends.min !== null) expect(filters[name], name).toEqual({ key: name, ...ends })
      }

      const simple = await post('/simple', { ...asked, page: 1, pageSize: 7 })
      expect(simple, 'Simple Search').toEqual({ products: products.slice(7, 14), total })
      expect((await post('/count', asked)).count, 'Count').toBe(total)
    })
    await fc.assert(property, { seed, numRuns: REQUESTS, endOnFailure: false })
  })
})
