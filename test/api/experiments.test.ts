import { beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})

const PRODUCTS = [
  { id: 'D-1', name: 'Drill' },
  { id: 'D-2', name: 'Drill for wood and stone' },
]
const pins = [{ product: 'D-2', position: 1 }]
const rules = [{ name: 'Turned', when: { query: 'drill' }, pins, hides: { products: ['D-3'] } }]
const experiment = { name: 'Turned round', share: 0.5, variant: { rules } }
const VISITORS = Array.from({ length: 80 }, (_, at) => `visitor ${at}`)

interface Shop {
  readonly org: TestOrganization
  readonly catalog: string
  readonly page: Call
  readonly path: string
}

async function newShop(started: object | null = experiment): Promise<Shop> {
  const org = await newOrganization(service)
  const catalog = await seedCatalog(service, org, PRODUCTS)
  const path = `/api/Catalog/${catalog}/search`
  if (started) await expectOk(org.call(`PUT ${path}/experiment`, { body: started }))
  return { org, catalog, path, page: caller(service, { key: await org.key('viewer', 'search') }) }
}

interface Answer {
  readonly products: readonly { readonly id: string }[]
  readonly searchId: string
}

/** The answers for each visitor, several searches per request. */
async function searches({ catalog }: Shop, call: Call, visitors = VISITORS): Promise<Answer[]> {
  const answers: Answer[] = []
  for (let at = 0; at < visitors.length; at += 20) {
    const requests = visitors
      .slice(at, at + 20)
      .map((visitor) => ({ keywords: 'drill', visitor, analytics: true, includeMetadata: false }))
    const line = `POST /api/search/many?catalog=${catalog}`
    const { body } = await expectOk(call(line, { body: { requests } }))
    answers.push(...body.results.map(({ answer }: { answer: Answer }) => answer))
  }
  return answers
}

const firstOf = ({ products }: Answer) => products[0]!.id

describe('an experiment', () => {
  test('reports the effect of its variant and the significance', async () => {
    const shop = await newShop()
    const { org, path, page } = shop
    const answers = await searches(shop, page)
    const turned = answers.map((answer) => firstOf(answer) === 'D-2')
    const variant = turned.filter(Boolean).length
    expect(variant).toBeGreaterThan(20)
    expect(variant).toBeLessThan(60)
    const other = await startService({ idle: true })
    const there = caller(other, { key: await org.key('viewer', 'search') })
    const again = (await searches(shop, there)).map((answer) => firstOf(answer) === 'D-2')
    expect(again).toEqual(turned)
    // With the variant most visitors click the first hit; without it every fifth does, and buys it.
    let clicked = { control: 0, variant: 0 }
    // Counted for each group, since visitors are assigned by chance.
    const seen = { control: 0, variant: 0 }
    for (const [at, answer] of answers.entries()) {
      if (turned[at] ? seen.variant++ % 10 === 0 : seen.control++ % 5 !== 0) continue
      const productId = firstOf(answer)
      for (const kind of turned[at] ? ['click'] : ['click', 'purchase']) {
        const body = { searchId: answer.searchId, productId, kind }
        await expectOk(page('POST /api/search/choice', { body }))
      }
      clicked = turned[at]
        ? { ...clicked, variant: clicked.variant + 1 }
        : { ...clicked, control: clicked.control + 1 }
    }
    const control = VISITORS.length - variant
    const counted = (searches: number, clicks: number) => ({
      searches: 2 * searches,
      trackedSearches: 2 * searches,
      chosen: clicks,
      clicks,
      clickPosition: 1,
    })
    const report = async () => (await org.call(`GET ${path}/experiment`)).body
    await expect.poll(report).toMatchObject({
      name: 'Turned round',
      running: true,
      control: { ...counted(control, clicked.control), purchases: clicked.control },
      variant: { ...counted(variant, clicked.variant), converted: 0, conversionRate: 0 },
    })
    const { difference } = await report()
    const { value, low, high } = difference.clickThroughRate
    const expected = clicked.variant / (2 * variant) - clicked.control / (2 * control)
    expect(value).toBeCloseTo(expected, 3)
    expect(low).toBeGreaterThan(0)
    expect(low).toBeLessThan(value)
    expect(high - value).toBeCloseTo(value - low, 3)
    expect(difference.conversionRate.value).toBeLessThan(0)
    expect(difference.clickPosition).toEqual({ value: 0, low: null, high: null })
    const { totals } = (await org.call('GET /api/reporting/searches')).body
    expect(totals.searches).toBe(2 * VISITORS.length)
    await other.stop()
  })

  test('shows a visitor the same variant in Count, and assigns by key if no visitor is named', async () => {
    const shop = await newShop({ ...experiment, variant: { rules: [hiding] } })
    const { catalog, page } = shop
    const found = await searches(shop, page, VISITORS.slice(0, 20))
    const count = async (visitor: string) => {
      const body = { keywords: 'drill', visitor }
      return (await page(`POST /api/search/count?catalog=${catalog}`, { body })).body.count
    }
    const counts = await Promise.all(VISITORS.slice(0, 20).map(count))
    expect(counts).toEqual(found.map(({ products }) => products.length))
    expect(new Set(counts)).toEqual(new Set([1, 2]))
    const body = { keywords: 'drill' }
    const unnamed = async (agent: string) =>
      (
        await page(`POST /api/search?catalog=${catalog}`, {
          body,
          headers: { 'user-agent': agent },
        })
      ).body.total
    const agents = Array.from({ length: 12 }, (_, at) => `Browser/${at}`)
    const totals = await Promise.all(agents.map(unnamed))
    expect(await Promise.all(agents.map(unnamed))).toEqual(totals)
    expect(new Set(totals)).toEqual(new Set([1, 2]))
  })
  const hiding = { name: 'Less', when: { query: 'drill' }, hides: { products: ['D-1'] } }

  test('shows cached answers to GET the general settings, unless the address names the visitor', async () => {
    const { org, catalog } = await newShop({ ...experiment, share: 0.5 })
    const settings = { keyType: 'search', cache: { maxAge: 60 } }
    const { key } = (await expectOk(org.call('POST /api/KeyAuth/keys', { body: settings }))).body
    const page = caller(service, { key })
    const line = `GET /api/search?catalog=${catalog}&keywords=drill`
    const seen = async (more: string, agent: string) => {
      const { body, headers } = await page(line + more, { headers: { 'user-agent': agent } })
      return `${firstOf(body)} ${headers.get('etag')}`
    }
    const alike = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((agent) => seen('', agent)))
    expect(new Set(alike).size).toBe(1)
    expect(alike[0]).toMatch(/^D-1 W\//)
    const named = await Promise.all(
      VISITORS.slice(0, 12).map((visitor, at) => seen(`&visitor=${visitor}`, `x${at % 2}`)),
    )
    expect(new Set(named.map((one) => one.slice(0, 3)))).toEqual(new Set(['D-1', 'D-2']))
    expect(await seen(`&visitor=${VISITORS[0]}`, 'y')).toBe(named[0])
  })

  test('ends with its variant for everybody or for nobody', async () => {
    const shop = await newShop()
    const { org, path, page } = shop
    const end = (body: object) => org.call(`POST ${path}/experiment/end`, { body })
    expect((await end({ name: 'another', adopt: true })).status).toBe(404)
    const settings = (await expectOk(org.call(`GET ${path}/settings`))).body
    expect(settings.experiment).toMatchObject({ name: 'Turned round', share: 0.5 })
    await expectOk(org.call(`PUT ${path}/settings`, { body: settings }))
    const search = { keywords: 'drill' }
    const preview = await expectOk(org.call(`POST ${path}/preview`, { body: { search, settings } }))
    expect(firstOf(preview.body.preview)).toBe('D-1')
    await expectOk(end({ name: 'Turned round', adopt: true }))
    const adopted = (await org.call(`GET ${path}/settings`)).body
    expect(adopted).toEqual({
      ...settings,
      version: expect.any(String),
      experiment: null,
      rules: settings.experiment.variant.rules,
    })
    expect(new Set((await searches(shop, page)).map(firstOf))).toEqual(new Set(['D-2']))
    expect((await org.call(`GET ${path}/experiment`)).body.message).toContain(
      'no experiment is running',
    )
    const past = await expectOk(org.call(`GET ${path}/experiment?name=Turned%20round`))
    expect(past.body).toMatchObject({ running: false, control: { searches: 0 } })
    const other = { ...experiment, name: 'Unpinned', variant: { rules: [] } }
    await expectOk(org.call(`PUT ${path}/experiment`, { body: other }))
    await searches(shop, page, VISITORS.slice(0, 3))
    await expectOk(end({ name: 'Unpinned', adopt: false }))
    // Counts that were recorded under a name are not changed.
    const counted = async () => {
      const { body } = await org.call(`GET ${path}/experiment?name=Unpinned`)
      return body.control.searches + body.variant.searches
    }
    await expect.poll(counted).toBe(3)
    expect((await org.call(`PUT ${path}/experiment`, { body: other })).status).toBe(409)
    const restored = { body: { experiment: other } }
    expect((await org.call(`PUT ${path}/settings`, restored)).status).toBe(409)
    expect(new Set((await searches(shop, page)).map(firstOf))).toEqual(new Set(['D-2']))
  })

  test('is for those who manage the search settings of the catalog, and has one variant', async () => {
    const { org, path } = await newShop()
    const child = await newOrganization(service, org.id)
    const start = { body: experiment }
    const statuses = async (call: Call) => [
      (await call(`PUT ${path}/experiment`, start)).status,
      (await call(`GET ${path}/experiment`)).status,
    ]
    expect(await statuses(await org.as('viewer'))).toEqual([403, 403])
    expect(await statuses(child.call)).toEqual([403, 403])
    expect(await statuses(await org.as('editor'))).toEqual([200, 200])
    const refused = async (more: object) =>
      (await org.call(`PUT ${path}/experiment`, { body: { ...experiment, ...more } })).body.message
    expect(await refused({ variant: { rules: [] } })).toContain('choose another name')
    expect(await refused({ name: 'b', variant: {} })).toContain('does not differ')
    expect(await refused({ name: 'b', variant: { rules: [...rules, ...rules] } })).toContain(
      'experiment.variant.rules[1].name: experiment.variant.rules[0] has the same name',
    )
    expect(await refused({ share: 1 })).toContain('share: ')
  })
})
