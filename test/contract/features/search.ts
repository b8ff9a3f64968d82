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

/** Another organization, which has no search credits. */
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
