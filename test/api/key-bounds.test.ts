import { beforeAll, describe, expect, test, vi } from 'vitest'
import { operations } from '../../src/operations.ts'
import { type Sketch, seedCatalog } from '../support/catalog.ts'
import {
  type Answer,
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { outcome } from '../support/organizations.ts'
import { startService, type TestService } from '../support/service.ts'

const WAIT = { timeout: 60_000, interval: 100 }

let service: TestService
let org: TestOrganization
let catalog: string
let other: string

/** Matches every word, number and name that only hidden products have. */
const SECRET =
  /xylophone|Granb|Veiled|Clandestine|Ultraviolet|Hush|9191|q-hidden|Nightshade|NS-4711|ns4711|31\.37|Undisclosed/i

const hidden = (id: string): Sketch => ({
  id,
  name: 'Granb xylophone',
  manufacturer: 'Veiled Works',
  manufacturerPartNumber: `Hush-${id}`,
  description: 'An xylophone of the Undisclosed series',
  segment: 'Instruments',
  category: 'Clandestine',
  facets: { Colour: 'Ultraviolet', Undisclosed: 'yes' },
  attributes: { Finish: 'Ultraviolet' },
  filters: { Weight: 9191, Undisclosed: 5 },
  groupId: 'g',
  options: { Size: 'Undisclosed' },
  vendors: [{ vendorName: 'Nightshade', vendorPartNumber: 'NS-4712', cost: 3, inStock: true }],
})

const shown = (id: string, organization: string): Sketch => ({
  id,
  name: 'Grand piano',
  manufacturer: 'Open Works',
  manufacturerPartNumber: `P-${id}`,
  segment: 'Instruments',
  category: 'Pianos',
  ...(id === 'p1' ? { msrp: 99 } : {}),
  facets: { Colour: 'Black' },
  filters: { Weight: 400 },
  groupId: 'g',
  options: { Size: 'L' },
  links: [{ type: 'web', value: 'https://maker.example', recommended: false }],
  vendors: [
    {
      vendorName: 'Nightshade',
      vendorPartNumber: 'NS-4711',
      cost: 31.37,
      onHand: 7,
      inStock: true,
    },
  ],
  annotations: { [organization]: { tags: ['shop'] } },
})

const generate = (body: object) =>
  expectOk(
    org.call('POST /api/KeyAuth/keys', { body: { name: 'page', keyType: 'search', ...body } }),
  )

async function keyWith(body: object): Promise<Call> {
  const made = await generate(body)
  return caller(service, { key: made.body.key })
}

const SHOP = { filter: { must: [{ type: 'tag', value: 'shop' }] }, hide: ['public'] }

let bound: Call
beforeAll(async () => {
  service = await startService()
  org = await newOrganization(service)
  catalog = await seedCatalog(service, org, [
    ...['q-hidden', 'q-hidden-2'].map(hidden),
    ...['p1', 'p2'].map((id) => shown(id, org.id)),
  ])
  other = await seedCatalog(service, org, [{ id: 'o', name: 'Oboe' }])
  bound = await keyWith({ ...SHOP, catalogs: [catalog] })
})

interface Attempt {
  /** The method, and the path with its query. */
  readonly line: string
  readonly body?: object
  readonly status?: number
  readonly finds?: ((body: Answer['body']) => unknown) | undefined
  readonly found?: unknown
}

const totalOf: Attempt['finds'] = ({ total }) => total

/** Searches that could reveal something, and how many of the visible products they find. */
const SEARCHES: readonly (readonly [body: object, total: number])[] = [
  [{}, 2],
  [{ counts: true, facets: { lists: true, tree: true, ranges: true } }, 2],
  [{ group: true, counts: true }, 1],
  [{ cursor: '*', sort: 'updated' }, 2],
  [{ fields: ['id', 'name'] }, 2],
  [{ fields: ['id', 'price', 'inStock'], sort: 'price' }, 2],
  [{ fields: ['vendors', 'links', 'vendors.vendorName'] }, 2],
  [{ keywords: 'piano', highlight: true, boost: [{ type: 'category', value: 'Pianos' }] }, 2],
  [{ keywords: 'xylophone' }, 0],
  [{ keywords: 'xylophon' }, 0],
  [{ keywords: 'grand xylophon' }, 0],
  [{ keywords: 'xyloph', typing: true }, 0],
  [{ keywords: 'q-hidden' }, 0],
  [{ keywords: 'NS-4711' }, 0],
  [{ keywords: 'piano NS-4711' }, 2],
  [{ keywords: 'P-p1' }, 1],
  [{ keywords: '4711' }, 0],
  // As similar to a hidden word as to a visible one.
  [{ keywords: 'granx' }, 2],
  [{ keywords: 'granb' }, 2],
  [{ keywords: 'ns47', typing: true }, 0],
  [{ must: [{ type: 'partNumber', value: 'NS4711' }] }, 0],
  [{ manufacturer: ['Veiled Works'] }, 0],
  [{ must: [{ type: 'facet', name: 'Colour', value: 'Ultraviolet' }] }, 0],
  [{ filters: [{ name: 'Weight', min: 1_000, max: 10_000 }] }, 0],
  // By the list price, which one of the products has.
  [{ sort: '-price', inStock: true }, 2],
  [{ lowPrice: 98.5 }, 1],
  [{ highPrice: 50, inStock: true }, 0],
  [{ facetSearch: { type: 'manufacturer', text: 'veil' } }, 2],
  [{ facetSearch: { type: 'attribute', name: 'Finish', text: '' } }, 2],
]

const REFUSED: readonly object[] = [
  { highPrice: 40, vendors: ['Nightshade'] },
  { vendors: ['Nightshade'] },
  { exclude: [{ type: 'vendor', value: 'Nightshade' }] },
  { facetSearch: { type: 'vendor', text: 'n' } },
  { explain: true },
  { must: [{ type: 'tag', value: 'shop' }] },
]

/** The texts of a request, which its answer may repeat. */
const sent = ({ line, body }: Attempt) =>
  `${decodeURIComponent(line.replaceAll('+', ' '))} ${JSON.stringify(body ?? '')}`

const searchesBy = (path: string, finds: Attempt['finds']): Attempt[] => [
  ...SEARCHES.map(([body, total]) => ({ line: `POST ${path}`, body, finds, found: total })),
  ...REFUSED.map((body) => ({ line: `POST ${path}`, body, status: 403 })),
]

/** The fields of a search as query parameters. */
const parametersOf = (body: object) =>
  new URLSearchParams(
    Object.entries(body).flatMap(([name, value]) =>
      Array.isArray(value) && typeof value[0] === 'string' && name !== 'fields'
        ? value.map((one) => [name, one] as [string, string])
        : [
            [
              name,
              name === 'fields' || typeof value !== 'object'
                ? String(value)
                : JSON.stringify(value),
            ],
          ],
    ) as [string, string][],
  )

/** Requests for each operation that a search key may call. */
const ATTEMPTS: Readonly<Record<string, () => Promise<Attempt[]> | Attempt[]>> = {
  Search: () => searchesBy(`/api/search?catalog=${catalog}`, totalOf),
  'Search (GET)': () =>
    searchesBy('', totalOf).map(({ body = {}, ...attempt }) => ({
      ...attempt,
      line: `GET /api/search?catalog=${catalog}&${parametersOf(body)}`,
    })),
  'Search Many': () => {
    const line = `POST /api/search/many?catalog=${catalog}`
    const half = Math.ceil(SEARCHES.length / 2)
    const totals = ({ results }: Answer['body']) =>
      results.map(({ answer }: { answer: Answer['body'] }) => answer.total)
    return [
      ...[SEARCHES.slice(0, half), SEARCHES.slice(half)].map((some) => ({
        line,
        body: { requests: some.map(([body]) => body) },
        finds: totals,
        found: some.map(([, total]) => total),
      })),
      {
        line,
        body: { requests: REFUSED },
        finds: ({ results }: Answer['body']) => results.map((one: Answer['body']) => one.status),
        found: REFUSED.map(() => 403),
      },
    ]
  },
  'Simple Search': () => searchesBy(`/api/search/simple?catalog=${catalog}`, totalOf),
  Count: () => searchesBy(`/api/search/count?catalog=${catalog}`, ({ count }) => count),
  Metadata: () => [
    {
      line: `GET /api/search/metadata?catalog=${catalog}&counts=true`,
      finds: ({ manufacturers, vendors, counts }) => [manufacturers, vendors, counts.price],
      found: [['Open Works'], [], { min: 99, max: 99 }],
    },
    { line: `GET /api/search/metadata?catalog=${other}`, status: 404 },
  ],
  Quicksearch: async () => {
    const lineOf = (text: string) =>
      `GET /api/search/quicksearch?catalog=${catalog}&search=${text}&include=products,queries,categories`
    for (const call of [org.call, await org.as('viewer')]) {
      const body = { keywords: 'NS-4711' }
      await expectOk(call(`POST /api/search?catalog=${catalog}`, { body }))
    }
    const texts = ['veil', 'xyl', 'clan', 'hush', 'ns-47', 'gran', 'open works', 'pia']
    await vi.waitFor(async () => {
      const { queries } = (await expectOk(org.call(lineOf('ns-47')))).body.suggestions
      expect(JSON.stringify(queries)).toContain('ns-4711')
    }, WAIT)
    for (const text of texts) await expectOk(org.call(lineOf(text)))
    return texts.map((text) => ({ line: lineOf(text) }))
  },
  'Get Product': () => [
    { line: `GET /api/Catalog/${catalog}/products/q-hidden`, status: 404 },
    { line: `GET /api/Catalog/${other}/products/o`, status: 404 },
    {
      line: `GET /api/Catalog/${catalog}/products/p1`,
      finds: ({ vendors, notes }) => ({ vendors, notes }),
      found: {
        notes: [],
        vendors: [
          expect.objectContaining({
            ...{ vendorName: '', vendorPartNumber: null, cost: null, inStock: true },
          }),
        ],
      },
    },
  ],
  'Retrieve Products': () => [
    {
      line: `POST /api/Catalog/${catalog}/retrieveProducts`,
      body: { ids: ['q-hidden', 'p1'] },
      finds: (body) => body.map(({ id }: { id: string }) => id),
      found: ['p1'],
    },
  ],
  'Report Choice': async () => {
    const body = { keywords: 'works', analytics: true }
    const { searchId } = (await expectOk(org.call(`POST /api/search?catalog=${catalog}`, { body })))
      .body
    return ['q-hidden', 'p1'].map((productId) => ({
      line: 'POST /api/search/choice',
      body: { searchId, productId, kind: 'click' },
      status: productId === 'p1' ? 200 : 400,
    }))
  },
}

const forSearchKeys = operations.filter(({ keys }) => keys.includes('search'))

describe('what is hidden from a search key', () => {
  test.each(forSearchKeys.map(({ name }) => name))('does not appear in %s', async (name) => {
    const attempts = await ATTEMPTS[name]!()
    for (const attempt of attempts) {
      const { line, body, status = 200, finds, found } = attempt
      const answer = await bound(line, { ...(body ? { body } : {}) })
      expect([attempt, answer.status]).toEqual([attempt, status])
      if (finds) expect([sent(attempt), finds(answer.body)]).toEqual([sent(attempt), found])
      // Refusals name the field that the key is bound by.
      const told = JSON.stringify(answer.body).match(SECRET)?.[0]
      if (status === 200 && told !== undefined) expect(sent(attempt)).toContain(told)
    }
  })

  test('is found by an unrestricted key, so the attempts would reveal it', async () => {
    const open = await keyWith({})
    const found = await expectOk(
      open(`POST /api/search?catalog=${catalog}`, { body: { keywords: 'xylophon' } }),
    )
    expect(found.body).toMatchObject({ total: 2, correctedTo: 'xylophone' })
    expect(JSON.stringify(found.body)).toMatch(SECRET)
    const byNumber = await expectOk(
      open(`POST /api/search/count?catalog=${catalog}`, { body: { keywords: 'NS-4711' } }),
    )
    expect(byNumber.body.count).toBe(2)
  })

  test('cannot be searched by, whatever else is shown', async () => {
    for (const [hide, body] of [
      [['msrp'], { lowPrice: 1 }],
      [['vendors.cost'], { sort: 'price' }],
      [['vendors.cost'], { highPrice: 40, vendors: ['Nightshade'] }],
    ] as const) {
      const key = await keyWith({ hide })
      const refused = await key(`POST /api/search?catalog=${catalog}`, { body })
      expect(outcome(refused)).toEqual([
        403,
        expect.stringContaining(`This key cannot see ${hide[0]}, and therefore cannot use`),
      ])
    }
    const key = await keyWith({ hide: ['msrp', 'vendors.onHand', 'links'] })
    const { body } = await expectOk(key(`GET /api/Catalog/${catalog}/products/p1`))
    expect(body).toMatchObject({ msrp: null, links: [], vendors: [{ cost: 31.37, onHand: null }] })
    const line = `POST /api/search?catalog=${catalog}`
    const { metadata } = (await expectOk(key(line, { body: { counts: true } }))).body
    expect(metadata.counts.price).toEqual({ min: null, max: null })
  })

  test('does not affect the order, which uses visible values', async () => {
    const offer = (cost: number) => ({ vendorName: 'Nightshade', cost, inStock: true })
    const priced = await seedCatalog(service, org, [
      { id: 'dear', msrp: 90, vendors: [offer(60)] },
      { id: 'fair', msrp: 80, vendors: [offer(70)] },
    ])
    const open = await keyWith({ catalogs: [priced] })
    const closed = await keyWith({ catalogs: [priced], hide: ['public'] })
    const ids = async (call: Call, body: object) => {
      const found = await expectOk(call('POST /api/search', { body: { ...body, counts: true } }))
      return found.body.products.map(({ id }: { id: string }) => id)
    }
    for (const [body, byCost] of [
      [{ lowPrice: 50, highPrice: 100, sort: 'price' }, ['dear', 'fair']],
      [{ highPrice: 100, sort: '-price', inStock: true }, ['fair', 'dear']],
    ] as const) {
      expect([body, await ids(open, body)]).toEqual([body, byCost])
      expect([body, await ids(closed, body)]).toEqual([body, byCost.toReversed()])
    }
    const costless = await keyWith({ catalogs: [priced], hide: ['vendors.cost'] })
    const facets = { ranges: true }
    const chosen = { vendors: ['Nightshade'], facets, group: true }
    expect(await ids(costless, chosen)).toEqual(['dear', 'fair'])
  })

  test('includes stock of other vendors, and words that only hidden products contain', async () => {
    const offer = (vendorName: string, inStock: boolean) => ({ vendorName, inStock })
    const others = [...'abcdefghij'].map((letter) => ({ id: letter, name: `widge${letter}` }))
    const shop = await seedCatalog(service, org, [
      { id: 'there', name: 'widget', vendors: [offer('Ann', true)] },
      { id: 'sold', name: 'widgex', vendors: [offer('Ann', false), offer('Bob', true)] },
      ...others,
    ])
    const key = await keyWith({ catalogs: [shop], filter: { vendors: ['Ann'], inStock: true } })
    const ids = ['sold', 'there', 'there']
    const read = key(`POST /api/Catalog/${shop}/retrieveProducts`, { body: { ids } })
    const like = key('POST /api/search', { body: { keywords: 'widgek' } })
    for (const products of [(await read).body, (await like).body.products]) {
      expect(products.map(({ id }: { id: string }) => id)).toEqual(['there'])
    }
  })

  test('depends on the current product and on every condition of a filter', async () => {
    const filters: readonly [object, string[]][] = [
      [{ manufacturer: ['Open Works'], inStock: true }, ['p1', 'p2']],
      [
        { must: [{ type: 'categoryPath', value: 'Instruments > Clandestine' }] },
        ['q-hidden', 'q-hidden-2'],
      ],
      [
        { vendors: ['Nightshade'], exclude: [{ type: 'partNumber', value: 'P p1' }] },
        ['p2', 'q-hidden', 'q-hidden-2'],
      ],
      [{ must: [{ type: 'facet', name: 'Colour', value: 'Black' }] }, ['p1', 'p2']],
      [{ must: [{ type: 'groupId', value: 'g' }] }, ['p1', 'p2', 'q-hidden', 'q-hidden-2']],
      [{ must: [{ type: 'groupId', value: 'another' }] }, []],
      [
        { segment: 'Instruments', category: 'Pianos', must: [{ type: 'tag', value: 'shop' }] },
        ['p1', 'p2'],
      ],
    ]
    const ids = ['p1', 'p2', 'q-hidden', 'q-hidden-2']
    for (const [filter, expected] of filters) {
      const key = await keyWith({ filter, catalogs: [catalog] })
      const found = await expectOk(key('POST /api/search', { body: {} }))
      const read = await expectOk(
        key(`POST /api/Catalog/${catalog}/retrieveProducts`, { body: { ids } }),
      )
      for (const list of [found.body.products, read.body]) {
        expect([filter, list.map(({ id }: { id: string }) => id).sort()]).toEqual([
          filter,
          expected,
        ])
      }
    }
    const child = await newOrganization(service, org.id)
    const inParent = `/api/Catalog/${catalog}/products/q-hidden`
    await expectOk(child.call(`PUT ${inParent}/tags`, { body: ['shop'] }))
    for (const organization of [org.id, child.id]) {
      const read = await bound(`GET ${inParent}`, { organization })
      const { body } = await bound('POST /api/search', { organization, body: {} })
      expect([read.status, body.total]).toEqual([404, 2])
    }
    const product = `/api/Catalog/${other}/products/o`
    const page = await keyWith({ ...SHOP, catalogs: [other] })
    expect((await page(`GET ${product}`)).status).toBe(404)
    await expectOk(org.call(`PUT ${product}/tags`, { body: ['shop'] }))
    expect((await page(`GET ${product}`)).status).toBe(200)
  })
})
