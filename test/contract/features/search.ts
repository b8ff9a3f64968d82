import { newShop } from '../../support/credits.ts'
import type { Contract, Contracts } from '../contract.ts'

const search: Contract = {
  ok: async (world) => ({
    query: { catalog: await world.shop() },
    body: { keywords: 'cordless drill', inStock: true, pageSize: 2 },
  }),
  fails: {
    400: async (world) => ({ query: { catalog: await world.shop() }, body: { pageSize: 251 } }),
    404: { query: { catalog: 'no-such-catalog' }, body: {} },
  },
}

/** Fails with 402 in another organization, which has no search credits. */
const charged: Contract = {
  ...search,
  fails: {
    ...search.fails,
    402: async ({ service }) => {
      const { org, catalog } = await newShop(service, { searchCredits: 0 })
      const key = await org.key('viewer')
      return { query: { catalog }, body: {}, key, organization: org.id }
    },
  },
}

export const contracts: Contracts = {
  Search: charged,
  'Simple Search': charged,
  'Search (GET)': {
    ok: async (world) => ({
      query: {
        catalog: await world.shop(),
        keywords: 'cordless drill',
        inStock: 'true',
        pageSize: '2',
        fields: 'name,image,price,inStock',
        must: JSON.stringify([{ type: 'facet', name: 'Voltage', value: '18 V' }]),
      },
    }),
    fails: {
      400: async (world) => ({ query: { catalog: await world.shop(), must: 'Voltage' } }),
      402: async ({ service }) => {
        const { org, catalog } = await newShop(service, { searchCredits: 0 })
        const key = await org.key('viewer')
        return { query: { catalog }, key, organization: org.id }
      },
      404: { query: { catalog: 'no-such-catalog' } },
    },
  },
  'Search Many': {
    ok: async (world) => ({
      query: { catalog: await world.shop() },
      body: {
        requests: [
          { keywords: 'cordless drill', pageSize: 2, includeMetadata: false },
          { lowPrice: 20, highPrice: 10 },
        ],
      },
    }),
    fails: { 400: { body: { requests: [] } } },
  },
  Count: search,
  Metadata: {
    ok: async (world) => ({ query: { catalog: await world.shop(), counts: 'true' } }),
    fails: {
      400: async (world) => ({ query: { catalog: await world.shop(), counts: 'yes' } }),
      404: { query: { catalog: 'no-such-catalog' } },
    },
  },
  Quicksearch: {
    ok: async (world) => ({
      query: {
        catalog: await world.shop(),
        search: 'dra',
        include: 'products,queries,categories',
      },
    }),
    fails: {
      400: async (world) => ({ query: { catalog: await world.shop() } }),
      404: { query: { catalog: 'no-such-catalog', search: 'dra' } },
    },
  },
  'Search History': {
    ok: { query: { page: '0', pageSize: '25' } },
    fails: { 400: { query: { pageSize: 'many' } } },
  },
}
