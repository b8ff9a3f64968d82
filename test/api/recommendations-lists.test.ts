import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { LAYOUTS, type ListedProduct, lineAt, listOf, numbersOf } from '../../bench/bom/lines.ts'
import { type AnsweredLine, scoreOf } from '../../bench/bom/score.ts'
import { productAt } from '../../bench/catalog/product.ts'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { lengthenDeadlines, useProductionDeadlines } from '../support/deadlines.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService } from '../support/service.ts'

const PRODUCTS = 400
const LINES = 100
const SLOW_MS = 400

let proxy: FaultProxy
let viewer: Call
let catalog: string
let products: ListedProduct[]

beforeAll(async () => {
  proxy = await startFaultProxy(inject('elasticsearch').node)
  const service = await startService({ node: proxy.node })
  const organization = await newOrganization(service)
  viewer = await organization.as('viewer')
  const made = Array.from({ length: PRODUCTS }, (_, at) => productAt(at))
  // Several products of one manufacturer share a part number.
  const shared = made.slice(0, 20).map((one, at) => ({
    ...one,
    id: `shared-${at}`,
    upcs: [],
    vendors: [],
    name: `${one.name} refurbished`,
  }))
  products = [...made, ...shared]
  catalog = await seedCatalog(service, organization, [...made, ...shared])
})
afterEach(() => {
  proxy.set('none')
  proxy.hold(() => undefined)
})
afterAll(() => proxy.close())

const run = (text: string) =>
  viewer('POST /api/extensions/recommendation/bom/run', {
    body: { additionalFields: { catalog, text } },
  })

interface Entry {
  readonly productId: string
  readonly qty: string | null
  readonly matchGroup: string
}

async function answers(layout: (typeof LAYOUTS)[number]): Promise<AnsweredLine[]> {
  const known = numbersOf(products)
  const lines = Array.from({ length: LINES }, (_, at) => lineAt(`${layout} ${at}`, products, known))
  const text = listOf(lines, layout, layout)
  const { matchedProducts, possibleProducts } = (await expectOk(run(text))).body
  const written = text.split('\n')
  const skipped = written.length - lines.length
  const of = (entries: readonly Entry[], at: number) =>
    entries.filter(({ matchGroup }) => matchGroup === String(at + skipped + 1))
  return lines.map((made, at) => ({
    made,
    text: written[at + skipped]!,
    matched: of(matchedProducts, at),
    possible: of(possibleProducts, at),
  }))
}

describe('realistic lists', () => {
  test('have matches for numbers and possible products for words, with hardly any errors', async () => {
    const all: Awaited<ReturnType<typeof answers>> = []
    for (const layout of LAYOUTS) all.push(...(await answers(layout)))
    const { unique, several, words, quantities, wrong, faults } = scoreOf(all)
    const share = ({ right, of }: { right: number; of: number }) => right / of
    expect(unique.of).toBeGreaterThan(200)
    expect(share(unique), faults.join('\n')).toBeGreaterThanOrEqual(0.98)
    expect(share(several)).toBeGreaterThanOrEqual(0.95)
    expect(share(words)).toBeGreaterThanOrEqual(0.85)
    expect(share(quantities)).toBeGreaterThanOrEqual(0.98)
    expect(wrong.right, faults.join('\n')).toBeLessThanOrEqual(1)
  })

  test.each(LAYOUTS)('cost at most three round trips for a hundred lines (%s)', async (layout) => {
    await answers(layout)
    proxy.set('none')
    await answers(layout)
    const trips = proxy.requests().filter((line) => line.includes('_msearch'))
    expect(trips.length).toBeGreaterThan(0)
    expect(trips.length).toBeLessThanOrEqual(3)
  })
})

test('are matched a few at a time, the others wait', async () => {
  let asking = 0
  let most = 0
  proxy.hold(async (line) => {
    if (!line.includes('_msearch')) return
    most = Math.max(most, ++asking)
    await setTimeout(20)
    asking--
  })
  const lists = await Promise.all(Array.from({ length: 8 }, () => run('CB436A')))
  expect(lists.map(({ status }) => status)).toEqual(lists.map(() => 200))
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(2)
})

describe('if Elasticsearch', () => {
  beforeAll(useProductionDeadlines)
  afterAll(lengthenDeadlines)

  const long = Array.from(
    { length: limits.recommendationLines },
    (_, at) => `word-${at} tool`,
  ).join('\n')

  test('is slow, a long list is refused with advice to split it', async () => {
    proxy.hold((line) => (line.includes('_msearch') ? setTimeout(SLOW_MS) : undefined))
    const answer = await run(long)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('Send the list in parts')
    expect((await run('CB436A')).status).toBe(200)
  })

  test.each(['hang', 'refuse', 'busy', 'down'] as const)(
    'does not respond (%s): 503',
    async (fault) => {
      proxy.set(fault, (line) => line.includes('_msearch'))
      expect((await run('CB436A')).status).toBe(503)
    },
  )
})
