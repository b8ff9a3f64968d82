import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { removeDeletedCatalogs } from '../../src/catalogs/removal.ts'
import { openCatalog } from '../../src/catalogs/store.ts'
import { limits } from '../../src/limits.ts'
import { inSettingsTurn, tuningFor } from '../../src/search/tuning/store.ts'
import { type Sketch, seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { mostUnderWay } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf } from '../support/tasks.ts'

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

/** A catalog, with shorthands to tune and to search it. */
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
  test('are returned in full, and can be sent back unchanged', async () => {
    const { put, get } = await tunedCatalog([])
    const { body: empty } = await expectOk(get('settings'))
    expect(empty).toEqual({
      synonyms: { starter: true, groups: [] },
      rules: [],
      ranking: {
        fields: { name: 1, text: 1, description: 1, partNumbers: 1, type: 1, manufacturer: 1 },
        stopPhrases: [],
        signals: {
          inStock: 1,
          notDiscontinued: 1,
          newest: 0,
          numbers: [],
          popularity: 1,
          withoutKeywords: false,
        },
      },
      facets: { order: [], hidden: [], shown: null },
      experiment: null,
      version: expect.stringMatching(/^[\w-]{22}$/),
    })
    await expectOk(put('synonyms', { groups: [{ words: [' Sofa ', 'couch'] }] }))
    await expectOk(put('settings', { facets: { order: ['Size'] } }))
    const { body: set } = await expectOk(get('settings'))
    expect(set.synonyms.groups).toEqual([{ words: ['Sofa', 'couch'], from: [], to: [] }])
    expect(set.facets).toEqual({ order: ['Size'], hidden: [], shown: null })
    const copy = await tunedCatalog([])
    await expectOk(copy.put('settings', set))
    expect((await copy.get('settings')).body).toEqual(set)
    const { experiment: _, version: _own, ...parts } = set
    for (const part of Object.keys(parts)) expect((await copy.get(part)).body).toEqual(set[part])
  })

  test('belong to the owner of the catalog: viewers read, editors write, search keys do neither', async () => {
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
    expect((await get('settings', child.call)).body.message).toContain('requires the role viewer')
    await expectOk(put('rules', [{ name: 'Margin', when: { query: 'wrench' } }], editor))
    const search = async (call: typeof viewer) =>
      (await call(`POST /api/search?catalog=${catalog}`, { body: { keywords: 'wrench' } })).body
    expect(await search(viewer)).toMatchObject({ total: 4, rules: ['Margin'] })
    const used = await search(child.call)
    expect([used.total, used.rules]).toEqual([4, undefined])
  })

  test('that somebody else changed meanwhile are not overwritten', async () => {
    const { catalog, put, get } = await tunedCatalog([])
    const version = async () => (await expectOk(get('settings'))).body.version
    const change = (line: string, body: unknown, ifMatch: string) =>
      org.call(`${line.replace(' ', ` /api/Catalog/${catalog}/search/`)}`, {
        body,
        headers: { 'if-match': ifMatch },
      })
    const read = await version()
    await expectOk(change('PUT rules', [{ name: 'Mine', when: { query: 'a' } }], `"${read}"`))
    const late = await change('PUT synonyms', { groups: [{ words: ['a', 'b'] }] }, `"${read}"`)
    expect([late.status, late.body.message]).toEqual([
      412,
      'The search settings have changed. Read them again.',
    ])
    const experiment = { name: 'x', share: 0.5, variant: { rules: [] } }
    expect((await change('PUT experiment', experiment, read)).status).toBe(412)
    expect((await get('settings')).body).toMatchObject({
      synonyms: { groups: [] },
      experiment: null,
    })
    await expectOk(change('PUT settings', { experiment }, await version()))
    expect((await change('POST experiment/end', { name: 'x', adopt: true }, read)).status).toBe(412)
    await expectOk(put('rules', []))
    await expectOk(change('POST experiment/end', { name: 'x', adopt: false }, '*'))
    expect(await version()).toBe(read)
  })

  test('are deleted with their catalog', async () => {
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
        { timeout: 60_000 },
      )
      .toBe(200)
    expect((await expectOk(get('facets'))).body.hidden).toEqual([])
  })
})

describe('synonyms', () => {
  test('take effect at once here, and within a second on another instance', async () => {
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

  test('are mutual in a group, and one-way from `from` to `to`', async () => {
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

  test('can be circular and are not transitive', async () => {
    const { put, ids } = await tunedCatalog()
    const groups = [
      { from: ['slim'], to: ['open'] },
      { from: ['open'], to: ['pipe'] },
      { from: ['pipe'], to: ['slim'] },
    ]
    await expectOk(put('synonyms', { groups }))
    expect(await ids('slim')).toEqual(['notebook', 'b-spanner'])
  })

  test('that are built in can be turned off by a catalog', async () => {
    const { put, ids } = await tunedCatalog()
    expect(await ids('laptop')).toEqual(['notebook'])
    await expectOk(put('synonyms', { starter: false }))
    expect(await ids('laptop')).toEqual([])
  })
})

describe('rules', () => {
  const DRILLS: readonly Sketch[] = Array.from({ length: 12 }, (_, at) => ({
    id: `d${String(at).padStart(2, '0')}`,
    name: `Drill ${'abcdefghijkl'[at]}`,
    manufacturer: at % 2 ? 'Odd' : 'Even',
    facets: { Size: at < 6 ? 'small' : 'large' },
  }))
  const OTHERS: readonly Sketch[] = [
    { id: 'bit', name: 'Bit set', manufacturer: 'Even', facets: { Size: 'small' } },
    { id: 'saw', name: 'Saw', manufacturer: 'Odd', facets: { Size: 'large' } },
  ]
  const when = (query: string, match = 'exact') => ({ query, match })
  const pin = (product: string, position: number) => ({ product, position })
  let shop: Awaited<ReturnType<typeof tunedCatalog>>
  let plain: string[]
  beforeAll(async () => {
    shop = await tunedCatalog([...DRILLS, ...OTHERS])
    plain = await shop.ids('drill')
  })
  const rules = (...list: object[]) =>
    expectOk(
      shop.put(
        'rules',
        list.map((rule, at) => ({ name: `Rule ${at + 1}`, ...rule })),
      ),
    )

  test('pins appear at their positions on every page, and are counted and found once', async () => {
    const pins = [pin('bit', 1), pin('d07', 3), pin('nothing of that id', 4), pin('saw', 9)]
    await rules({ when: when('drill'), pins })
    const others = plain.filter((id) => id !== 'd07')
    const placed = ['bit', others[0], 'd07', ...others.slice(1, 6), 'saw', ...others.slice(6)]
    const whole = await shop.search({ keywords: 'Drills', counts: true })
    expect(whole.products.map(({ id }: { id: string }) => id)).toEqual(placed)
    expect([whole.total, whole.rules]).toEqual([14, ['Rule 1']])
    expect(whole.metadata.counts.manufacturers).toEqual({ Even: 7, Odd: 7 })
    const explained = await shop.search({ keywords: 'drill', pageSize: 2, explain: true })
    expect(explained.products[0].explanation.aboveNext.by).toBe('pin')
    const count = await expectOk(
      org.call(`POST /api/search/count?catalog=${shop.catalog}`, { body: { keywords: 'drill' } }),
    )
    expect(count.body.count).toBe(14)
    for (const pageSize of [1, 2, 3, 5]) {
      const pages: string[] = []
      for (let page = 0; page * pageSize < 14; page++) {
        pages.push(...(await shop.ids('drill', { page, pageSize })))
      }
      expect(pages).toEqual(placed)
      const walked: string[] = []
      let cursor: string | undefined = '*'
      while (cursor !== undefined) {
        const step: { products: { id: string }[]; cursor?: string; total: number } =
          await shop.search({ keywords: 'drill', pageSize, cursor, includeMetadata: false })
        walked.push(...step.products.map(({ id }) => id))
        expect(step.total).toBe(14)
        cursor = step.cursor
      }
      expect(walked).toEqual(placed)
    }
  })

  test.each([
    { pins: 'set', first: 'd11', later: [8, 9] },
    { pins: 'taken away', first: 'saw', later: [] },
  ])(
    'a walk that began before other pins were $pins loses no product',
    async ({ first, later }) => {
      await rules({ when: when('drill'), pins: [pin(first, 1)] })
      const ask = (cursor: string) => shop.search({ keywords: 'drill', pageSize: 4, cursor })
      const seen: string[] = []
      let step = await ask('*')
      await rules({
        when: when('drill'),
        pins: later.map((place, at) => pin(plain[place]!, at + 1)),
      })
      for (;;) {
        seen.push(...step.products.map(({ id }: { id: string }) => id))
        if (step.cursor === undefined) break
        step = await ask(step.cursor)
      }
      expect(plain.filter((id) => !seen.includes(id))).toEqual([])
    },
  )

  test('pinned products satisfy filters and other criteria', async () => {
    await rules({ when: when('drill'), pins: [pin('bit', 1), pin('saw', 2)] })
    const must = [{ type: 'facet', name: 'Size', value: 'large' }]
    const large = plain.filter((id) => id >= 'd06')
    expect(await shop.ids('drill', { must })).toEqual([large[0], 'saw', ...large.slice(1)])
    expect((await shop.search({ keywords: 'drill', must })).total).toBe(7)
    expect(await shop.ids('drill', { sort: 'name' })).toEqual(['bit', ...plain.toSorted(), 'saw'])
  })

  test('pins behind the last product follow it, and appear even if nothing else is found', async () => {
    await rules({ when: when('gift'), pins: [pin('saw', 3), pin('bit', 200)] })
    expect(await shop.ids('gift')).toEqual(['saw', 'bit'])
    expect(await shop.ids('gift', { page: 1, pageSize: 1 })).toEqual(['bit'])
  })

  test('of two rules with the same position, the first wins, and the other product follows', async () => {
    await rules(
      { when: when('drill', 'contains'), pins: [pin('saw', 1)] },
      { when: when('red drill'), pins: [pin('bit', 1), pin('saw', 2)] },
    )
    expect((await shop.ids('red drill')).slice(0, 2)).toEqual(['saw', 'bit'])
  })

  test('boost and demote without hiding anything', async () => {
    const boosts = [{ type: 'manufacturer', value: 'Odd', weight: 5 }]
    await rules({ when: when('', 'contains'), boosts })
    const odd = plain.filter((id) => Number(id.slice(1)) % 2 === 1)
    const even = plain.filter((id) => Number(id.slice(1)) % 2 === 0)
    expect(await shop.ids('drill')).toEqual([...odd, ...even])
    expect((await shop.ids('')).slice(0, 7).toSorted()).toEqual([...odd.toSorted(), 'saw'])
    const explained = await shop.search({ keywords: 'drill', pageSize: 7, explain: true })
    const lift = { kind: 'rule', name: 'Rule 1', of: 'Odd', score: 5 }
    expect(explained.products[5].explanation.aboveNext.parts).toContainEqual(lift)
    await rules({ when: when('', 'contains'), boosts: [{ ...boosts[0], weight: -5 }] })
    expect(await shop.ids('drill')).toEqual([...even, ...odd])
  })

  test('hide, filter and redirect; search keys cannot see their names', async () => {
    await rules(
      { when: when('drill'), hides: { products: ['d00'], criteria: [odd] }, redirect: '/drills' },
      { when: when('large drill'), filters: [{ type: 'facet', name: 'Size', value: 'large' }] },
      { when: when('saw'), hides: { criteria: [odd, even] } },
    )
    expect((await shop.ids('drill')).toSorted()).toEqual(['d02', 'd04', 'd06', 'd08', 'd10'])
    expect((await shop.ids('large drill')).every((id: string) => id >= 'd06')).toBe(true)
    expect(await shop.search({ keywords: 'saw' })).toMatchObject({ total: 0, rules: ['Rule 3'] })
    const page = caller(service, { key: await org.key('viewer', 'search'), organization: org.id })
    const seen = await shop.search({ keywords: 'drill' }, page)
    expect([seen.redirect, seen.rules]).toEqual(['/drills', undefined])
    const other = await shop.search({ keywords: 'bit' })
    expect([other.redirect, other.rules]).toEqual([undefined, undefined])
  })
  const [odd, even] = ['Odd', 'Even'].map((value) => ({ type: 'manufacturer', value }))

  test('apply within their dates, unless they are turned off', async () => {
    const at = (days: number) => new Date(time + days * 86_400_000).toISOString()
    const hides = { products: ['saw'] }
    const found = () => shop.ids('saw')
    await rules({ when: when('saw'), hides, from: at(1), until: at(2) })
    expect(await found()).toEqual(['saw'])
    await rules({ when: when('saw'), hides, from: at(-1), until: at(1) })
    expect(await found()).toEqual([])
    await rules({ when: when('saw'), hides, from: at(-2), until: at(0) })
    expect(await found()).toEqual(['saw'])
    await rules({ when: when('saw'), hides, enabled: false })
    expect(await found()).toEqual(['saw'])
  })

  test('stop phrases are removed from the query and from what rules match', async () => {
    await expectOk(shop.put('ranking', { stopPhrases: ['looking for a', 'cheap'] }))
    await rules({ when: when('saw'), pins: [pin('bit', 2)] })
    expect(await shop.ids('Looking for a CHEAP saw!')).toEqual(['saw', 'bit'])
    expect(await shop.ids('cheap')).toEqual([])
    await expectOk(shop.put('ranking', {}))
  })
})

describe('ranking', () => {
  test('weighs fields that match, and ignores those without weight', async () => {
    const { put, ids } = await tunedCatalog([
      { id: 'a', name: 'Cable', description: 'Sturdy lamp wire' },
      { id: 'b', name: 'Lamp lamp stand with a very long name of many words for the lamp' },
    ])
    expect(await ids('lamp')).toEqual(['b', 'a'])
    const weigh = (fields: object) => expectOk(put('ranking', { fields }))
    await weigh({ name: 0, description: 5, type: 0 })
    expect(await ids('lamp')).toEqual(['a'])
    await weigh({ description: 0 })
    expect(await ids('lamp')).toEqual(['b'])
  })

  test('weighs stock as configured by the catalog', async () => {
    const offer = (inStock: boolean) => [{ vendorName: 'V', cost: 1, onHand: 1, inStock }]
    const { put, ids } = await tunedCatalog([
      { id: 'a', name: 'Desk lamp', vendors: offer(false) },
      { id: 'b', name: 'Desk lamp', vendors: offer(true) },
    ])
    expect(await ids('lamp')).toEqual(['b', 'a'])
    await expectOk(put('ranking', { signals: { inStock: 0 } }))
    expect(await ids('lamp')).toEqual(['a', 'b'])
  })
})

describe('a preview', () => {
  test('returns a search with unsaved settings beside the saved ones, and saves nothing', async () => {
    const { catalog, put, get, ids } = await tunedCatalog()
    await expectOk(put('synonyms', { groups: [{ words: ['ring', 'pipe'] }] }))
    const rule = { name: 'First', when: { query: 'spanner' } }
    const settings = {
      rules: [{ ...rule, pins: [{ product: 'wrench', position: 1 }] }],
    }
    const search = { keywords: 'spanner', includeMetadata: false }
    const line = `POST /api/Catalog/${catalog}/search/preview`
    const preview = async (body: object, call = org.call) => call(line, { body })
    const { body } = await expectOk(preview({ search, settings }))
    const order = await ids('spanner')
    const idsIn = (found: { products: { id: string }[] }) => found.products.map(({ id }) => id)
    expect(idsIn(body.saved)).toEqual(order)
    expect(idsIn(body.preview)).toEqual(['wrench', ...order])
    expect(body.moved).toEqual([
      { product: 'wrench', from: null, to: 1 },
      ...order.map((product: string, at: number) => ({ product, from: at + 1, to: at + 2 })),
    ])
    expect((await get('rules')).body).toEqual([])
    const hidden = { ...rule, hides: { products: order } }
    const gone = await expectOk(preview({ search, settings: { rules: [hidden] } }))
    expect(gone.body.preview.total).toBe(0)
    expect((await preview({ search, settings: { rules: [rule, rule] } })).status).toBe(400)
    expect((await preview({ search, settings }, await org.as('viewer'))).status).toBe(403)
  })
})

test('explained previews run one search after the other while organizations share the service', async () => {
  const { catalog } = await tunedCatalog()
  const line = `POST /api/Catalog/${catalog}/search/preview`
  const search = { keywords: 'spanner', includeMetadata: false, explain: true }
  const shared = vi.spyOn(service.services.requests, 'isShared').mockReturnValue(true)
  onTestFinished(() => shared.mockRestore())
  const preview = () => expectOk(org.call(line, { body: { search, settings: {} } }))
  const most = await mostUnderWay(
    service,
    () => Promise.all([preview(), preview()]),
    ({ path, body }) => path.includes('products/_search') && `${body}`.includes('spanner'),
  )
  expect(most).toBe(1)
})

describe('invalid settings are refused', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => `word${at}`)
  const rule = (more: object) => ({ name: 'Sale', when: { query: 'sale' }, ...more })

  test.each<[string, unknown, string]>([
    ['synonyms', { groups: [{ words: many(10_000) }] }, 'groups[0].words: at most 50 words'],
    ['synonyms', { groups: [{ words: ['a'] }] }, 'groups[0].words: expected two'],
    [
      'synonyms',
      { groups: [{ words: ['a', 'b'], to: ['c'] }] },
      'either words or both from and to',
    ],
    ['synonyms', { groups: [{ from: ['lamp'], to: ['Lamps'] }] }, 'remove it from one'],
    ['synonyms', { groups: [{ words: ['a', '*'] }] }, 'expected a letter or a digit'],
    [
      'synonyms',
      { groups: [0, 1, 2].map((at) => ({ from: ['x'], to: many(50).map((w) => w + at) })) },
      'has more than 100 synonyms in all groups',
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
      'rules[0].pins[1].position: pins[0] has the same position 1',
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
    ['rules', [rule({}), rule({})], 'rules[1].name: rules[0] has the same name "Sale"'],
    ['rules', [rule({ redirect: 'javascript:alert(1)' })], 'rules[0].redirect: must begin'],
    ['rules', [rule({ redirect: '//evil.example' })], 'rules[0].redirect: must begin'],
    ['rules', [rule({ filters: [{ type: 'facet', value: 'x' }] })], 'filters[0].name: required'],
    [
      'rules',
      [rule({ from: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' })],
      'rules[0].until: must be after from',
    ],
    ['ranking', { fields: { name: 0, text: 0 } }, 'no words are found'],
    ['facets', { ordr: [] }, 'did you mean "order"'],
  ])('%s %#', async (part, body, message) => {
    const { put } = await shared
    const refused = await put(part, body)
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining(message)])
  })

  let shared: ReturnType<typeof tunedCatalog>
  beforeAll(() => {
    shared = tunedCatalog([])
  })
})

test('Large settings are waited for until the request ends, and used once they are ready', async () => {
  const { catalog, put, ids } = await tunedCatalog()
  await expectOk(put('synonyms', { groups: [{ words: ['slim', 'ring'] }] }))
  const ctx = contextOf(org.id, service)
  const scope = await openCatalog(ctx, catalog)
  const others = Promise.withResolvers<void>()
  const turn = inSettingsTurn(ctx, () => others.promise)
  const signal = AbortSignal.timeout(50)
  await expect(tuningFor({ ...ctx, signal }, scope)).rejects.toThrow('timeout')
  others.resolve()
  await turn
  expect((await ids('slim')).toSorted()).toEqual(['a-spanner', 'notebook'])
})

describe('signals', () => {
  test('rank products that sell above others, as much as configured', async () => {
    const drill = { name: 'Cordless drill', description: 'A drill' }
    const { put, ids } = await tunedCatalog([
      { ...drill, id: 'few', filters: { Sold: 2 } },
      { ...drill, id: 'many', filters: { Sold: 5000 } },
      { ...drill, id: 'none', filters: { Sold: -1 } },
    ])
    expect(await ids('drill')).toEqual(['few', 'many', 'none'])
    const numbers = [{ name: 'Sold', weight: 2, best: 1000 }]
    await expectOk(put('ranking', { signals: { numbers, newest: 1 } }))
    expect(await ids('drill')).toEqual(['many', 'few', 'none'])
  })
})
