import { newShop } from '../../support/credits.ts'
import type { Contracts } from '../contract.ts'
import type { World } from '../world.ts'

const synonyms = {
  starter: true,
  groups: [{ words: ['spanner', 'wrench'] }, { from: ['sawzall'], to: ['reciprocating saw'] }],
}
const rules = [
  {
    name: 'Summer drills',
    when: { query: 'drill', match: 'contains' },
    from: '2026-06-01T00:00:00Z',
    until: '2026-09-01T00:00:00Z',
    pins: [{ product: 'D-100', position: 1 }],
    boosts: [{ type: 'manufacturer', value: 'Drakesmoor', weight: 5 }],
    hides: { products: ['W-300'] },
  },
  { name: 'Returns', when: { query: 'return policy' }, redirect: '/returns' },
]
const ranking = { fields: { description: 0.5 }, stopPhrases: ['looking for'] }
const facets = { order: ['Voltage'], hidden: ['Batch'], shown: 10 }

/** A catalog with all search settings set. */
async function tuned(world: World) {
  const catalog = await world.catalog()
  await world.call(`PUT /api/Catalog/${catalog}/search/settings`, {
    body: { synonyms, rules, ranking, facets },
  })
  return { path: [catalog] }
}

const experiment = {
  name: 'Stock first',
  share: 0.5,
  variant: { ranking: { signals: { inStock: 5 } } },
}

/** A catalog with a running experiment. */
async function compared(world: World): Promise<string> {
  const catalog = await world.catalog()
  await world.call(`PUT /api/Catalog/${catalog}/search/experiment`, { body: experiment })
  return catalog
}

const missing = { path: ['no-such-catalog'] }
const reading = { ok: tuned, fails: { 404: missing } }
const writing = (body: unknown, wrong: unknown, conflicting?: unknown) => ({
  ok: async (world: World) => ({ path: [await world.catalog()], body }),
  fails: {
    400: async (world: World) => ({ path: [await world.catalog()], body: wrong }),
    404: { ...missing, body },
    412: async (world: World) => ({
      ...{ path: [await world.catalog()], body },
      headers: { 'if-match': '"another"' },
    }),
    ...(conflicting === undefined
      ? {}
      : { 409: async (world: World) => ({ path: [await compared(world)], body: conflicting }) }),
  },
})

export const contracts: Contracts = {
  'Get Search Settings': reading,
  'Update Search Settings': writing(
    { synonyms, rules, ranking, facets },
    { synonyms: { groups: [{ words: ['spanner'] }] } },
    { experiment: { ...experiment, variant: { ranking } } },
  ),
  'Preview Search Settings': {
    ok: async (world) => ({
      path: [await world.shop()],
      body: {
        search: { keywords: 'spanner', includeMetadata: false },
        settings: { synonyms: { groups: [{ words: ['spanner', 'wrench'] }] } },
      },
    }),
    fails: {
      400: async (world) => ({
        path: [await world.shop()],
        body: { search: { cursor: '*' }, settings: {} },
      }),
      402: async ({ service }) => {
        const { org, catalog } = await newShop(service, { searchCredits: 0 })
        const body = { search: {}, settings: {} }
        return { path: [catalog], body, key: await org.key('editor'), organization: org.id }
      },
      404: { ...missing, body: { search: {}, settings: {} } },
    },
  },
  'Get Synonyms': reading,
  'Update Synonyms': writing(synonyms, { groups: [{ from: ['spanner'], to: ['spanner'] }] }),
  'Get Search Rules': reading,
  'Update Search Rules': writing(rules, [rules[0], rules[0]]),
  'Get Ranking Settings': reading,
  'Update Ranking Settings': writing(ranking, { fields: { name: 0, text: 0 } }),
  'Get Facet Settings': reading,
  'Update Facet Settings': writing(facets, { shown: -1 }),
  'Start Experiment': writing(
    experiment,
    { ...experiment, variant: {} },
    { ...experiment, variant: { ranking } },
  ),
  'End Experiment': {
    ok: async (world) => ({
      path: [await compared(world)],
      body: { name: experiment.name, adopt: true },
    }),
    fails: {
      400: async (world) => ({ path: [await compared(world)], body: { name: experiment.name } }),
      404: async (world) => ({
        path: [await compared(world)],
        body: { name: 'another', adopt: false },
      }),
      412: async (world) => ({
        path: [await compared(world)],
        body: { name: experiment.name, adopt: true },
        headers: { 'if-match': '"another"' },
      }),
    },
  },
  'Experiment Report': {
    ok: async (world) => ({ path: [await compared(world)] }),
    fails: { 400: async (world) => ({ path: [await world.catalog()] }), 404: missing },
  },
}
