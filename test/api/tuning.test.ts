import { beforeAll, describe, expect, test } from 'vitest'
import { removeDeletedCatalogs } from '../../src/catalogs/removal.ts'
import { limits } from '../../src/limits.ts'
import { type Sketch, seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let time = Date.now()
let org: TestOrganization
const clock = { now: () => new Date(time) }

beforeAll(async () => {
  service = await startService({ clock })
  org = await newOrganization(service)
})

const PRODUCTS: readonly Sketch[] = [
  { id: 'a-spanner', name: 'Ring spanner', manufacturer: 'Acme', facets: { Size: '19' } },
  { id: 'b-spanner', name: 'Open spanner', manufacturer: 'Bolton', facets: { Size: '19' } },
  { id: 'wrench', name: 'Pipe wrench', manufacturer: 'Acme', facets: { Size: '24' } },
  { id: 'notebook', name: 'Slim notebook', description: 'With a spanner on its cover' },
]

/** A catalog, and short ways to tune and to search it. */
async function tunedCatalog(products: readonly Sketch[] = PRODUCTS) {
  const catalog = await seedCatalog(service, org, products)
  const put = (part: string, body: unknown, call = org.call) =>
    call(`PUT /api/Catalog/${catalog}/search/${part}`, { body })
  const get = (part: string, call = org.call) => call(`GET /api/Catalog/${catalog}/search/${part}`)
  const search = async (body: object, call = org.call) =>
    (await expectOk(call(`POST /api/search?catalog=${catalog}`, { body }))).body
  const ids = async (keywords: string, more: object = {}) =>
    (await search({ keywords, ...more })).products.map(({ id }: { id: string }) => id)
  return { catalog, put, get, search, ids }
}

describe('settings', () => {
  test('are answered in full, and go back as they came', async () => {
    const { put, get } = await tunedCatalog([])
    const { body: empty } = await expectOk(get('settings'))
    expect(empty).toEqual({
      synonyms: { starter: true, groups: [] },
      rules: [],
      ranking: {
        fields: { name: 1, text: 1, description: 1, partNumbers: 1, type: 1, manufacturer: 1 },
        stopPhrases: [],
        signals: { inStock: 1 },
      },
      facets: { order: [], hidden: [], shown: null },
    })
    await expectOk(put('synonyms', { groups: [{ words: [' Sofa ', 'couch'] }] }))
    await expectOk(put('settings', { facets: { order: ['Size'] } }))
    const { body: set } = await expectOk(get('settings'))
    expect(set.synonyms.groups).toEqual([{ words: ['Sofa', 'couch'], from: [], to: [] }])
    expect(set.facets).toEqual({ order: ['Size'], hidden: [], shown: null })
    const copy = await tunedCatalog([])
    await expectOk(copy.put('settings', set))
    expect((await copy.get('settings')).body).toEqual(set)
    for (const part of Object.keys(set)) expect((await copy.get(part)).body).toEqual(set[part])
  })

  test('belong to who owns the catalog: viewers read, editors write, search keys do neither', async () => {
    const { catalog, put, get } = await tunedCatalog()
    const [viewer, editor] = [await org.as('viewer'), await org.as('editor')]
    const child = await newOrganization(service, org.id)
    const page = caller(service, { key: await org.key('viewer', 'search'), organization: org.id })
    const groups = { groups: [{ words: ['spanner', 'wrench'] }] }
    const statuses = async (call: typeof viewer) => [
      (await get('settings', call)).status,
      (await put('synonyms', groups, call)).status,
    ]
    expect(await statuses(viewer)).toEqual([200, 403])
    expect(await statuses(child.call)).toEqual([403, 403])
    expect(await statuses(page)).toEqual([403, 403])
    expect(await statuses(editor)).toEqual([200, 200])
    expect((await get('settings', child.call)).body.message).toContain('needs the role viewer')
    const used = await child.call(`POST /api/search?catalog=${catalog}`, {
      body: { keywords: 'wrench' },
    })
    expect(used.body.total).toBe(4)
  })

  test('are gone with their catalog', async () => {
    const { catalog, put, get } = await tunedCatalog([])
    await expectOk(put('facets', { hidden: ['Batch'] }))
    await expectOk(org.call(`DELETE /api/Catalog/${catalog}`))
    time += limits.catalogRemovalMs + limits.cacheMs
    await expect
      .poll(
        async () => {
          await removeDeletedCatalogs(service.services)
          return (await org.call('POST /api/Catalog', { body: { name: catalog } })).status
        },
        { timeout: 15_000 },
      )
      .toBe(200)
    expect((await expectOk(get('facets'))).body.hidden).toEqual([])
  })
})

describe('synonyms', () => {
  test('are in effect at once here, and within a second on another instance', async () => {
    const other = await startService({ clock, idle: true })
    const { catalog, put, ids } = await tunedCatalog()
    const body = { keywords: 'bolt turner' }
    const line = `POST /api/search/count?catalog=${catalog}`
    const there = async () =>
      (
        await expectOk(
          caller(other, { key: await org.key('viewer'), organization: org.id })(line, { body }),
        )
      ).body.count
    expect(await there()).toBe(0)
    await expectOk(put('synonyms', { groups: [{ from: ['bolt turner'], to: ['spanner'] }] }))
    expect((await ids('bolt turners')).toSorted()).toEqual(['a-spanner', 'b-spanner', 'notebook'])
    time += 999
    expect(await there()).toBe(3)
  })

  test('stand for each other in a group, and one way from `from` to `to`', async () => {
    const { put, ids } = await tunedCatalog()
    await expectOk(
      put('synonyms', {
        groups: [{ words: ['Schlüssel', 'wrench'] }, { from: ['ring'], to: ['pipe'] }],
      }),
    )
    expect(await ids('schlussel')).toEqual(['wrench'])
    expect(await ids('ring')).toEqual(['a-spanner', 'wrench'])
    expect(await ids('pipe')).toEqual(['wrench'])
  })

  test('go in a circle without leading further', async () => {
    const { put, ids } = await tunedCatalog()
    const groups = [
      { from: ['slim'], to: ['open'] },
      { from: ['open'], to: ['pipe'] },
      { from: ['pipe'], to: ['slim'] },
    ]
    await expectOk(put('synonyms', { groups }))
    expect(await ids('slim')).toEqual(['notebook', 'b-spanner'])
  })

  test('that come with Aisle are switched off by a catalog', async () => {
    const { put, ids } = await tunedCatalog()
    expect(await ids('laptop')).toEqual(['notebook'])
    await expectOk(put('synonyms', { starter: false }))
    expect(await ids('laptop')).toEqual([])
  })
})

describe('refused', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => `word${at}`)
  const rule = (more: object) => ({ name: 'Sale', when: { query: 'sale' }, ...more })

  test.each<[string, unknown, string]>([
    ['synonyms', { groups: [{ words: many(10_000) }] }, 'groups[0].words: at most 50 words'],
    ['synonyms', { groups: [{ words: ['a'] }] }, 'groups[0].words: expected two'],
    ['synonyms', { groups: [{ words: ['a', 'b'], to: ['c'] }] }, 'either words, or from and to'],
    ['synonyms', { groups: [{ from: ['lamp'], to: ['Lamps'] }] }, 'leave it out of one'],
    ['synonyms', { groups: [{ words: ['a', '*'] }] }, 'expected a letter or a digit'],
    [
      'synonyms',
      { groups: [0, 1, 2].map((at) => ({ from: ['x'], to: many(50).map((w) => w + at) })) },
      'stands for more than 100 words in all groups',
    ],
    [
      'rules',
      [
        rule({
          pins: [
            { product: 'a', position: 1 },
            { product: 'b', position: 1 },
          ],
        }),
      ],
      'rules[0].pins[1].position: 1 is that of pins[0]',
    ],
    [
      'rules',
      [
        rule({
          pins: [
            { product: 'a', position: 1 },
            { product: 'a', position: 2 },
          ],
        }),
      ],
      'same product',
    ],
    [
      'rules',
      [rule({ pins: [{ product: 'a', position: 1 }], hides: { products: ['a'] } })],
      'hidden by the same rule',
    ],
    ['rules', [rule({}), rule({})], 'rules[1].name: rules[0] is called "Sale"'],
    ['rules', [rule({ redirect: 'javascript:alert(1)' })], 'rules[0].redirect: expected'],
    ['rules', [rule({ redirect: '//evil.example' })], 'rules[0].redirect: expected'],
    ['rules', [rule({ filters: [{ type: 'facet', value: 'x' }] })], 'filters[0].name: required'],
    [
      'rules',
      [rule({ from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' })],
      'rules[0].until: not after from',
    ],
    ['ranking', { fields: { name: 0, text: 0 } }, 'no word would be found'],
    ['facets', { ordr: [] }, 'did you mean "order"'],
  ])('%s: %j', async (part, body, message) => {
    const { put } = await shared
    const refused = await put(part, body)
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)])
  })

  let shared: ReturnType<typeof tunedCatalog>
  beforeAll(() => {
    shared = tunedCatalog([])
  })
})
