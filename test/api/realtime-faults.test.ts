import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { THRESHOLD } from '../../src/realtime/circuit-breaker.ts'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { withProductionDeadlines } from '../support/deadlines.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  type Behaviour,
  each,
  installVendor,
  registerVendor,
  startVendor,
  type TestVendor,
  toLoopback,
} from '../support/vendor.ts'

let service: TestService
let good: TestVendor
let bad: TestVendor
/** Milliseconds that the service's clock is ahead. */
let ahead = 0

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + ahead) }
  service = await startService({ outbound: toLoopback, clock })
  good = await startVendor()
  bad = await startVendor()
})
afterAll(async () => {
  await Promise.all([good.close(), bad.close()])
  await service.stop()
})

const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `p${n}`, manufacturerPartNumber: `M-${n}` }))

let org: TestOrganization
let catalog: string
beforeEach(async () => {
  org = await newOrganization(service)
  catalog = await seedCatalog(service, org, numbered(40))
  good.does(each({ cost: 5 }))
  bad.does(each({ cost: 6 }))
})

const ask = async (...ids: string[]) => {
  const body = { products: ids.map((id) => ({ catalog, id })) }
  const answer = await expectOk(org.call('POST /api/extensions/realtime/run', { body }))
  return { items: answer.body.items }
}
const bothInstalled = async () => {
  await installVendor(org, good, { vendor: 'Good' })
  return installVendor(org, bad, { vendor: 'Bad' })
}

const text =
  (body: string, { type = 'application/json', status = 200 } = {}): Behaviour =>
  (_asked, answer) =>
    void answer.writeHead(status, { 'content-type': type }).end(body)

const drip: Behaviour = (_asked, answer) => {
  answer.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => answer.write(' '), 100)
  answer.on('close', () => clearInterval(timer))
}

const endless: Behaviour = async (_asked, answer) => {
  answer.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(256 * 1024, 32)
  while (!answer.destroyed) {
    answer.write(chunk)
    await setTimeout(1)
  }
}

const item = (fields: object) => JSON.stringify({ items: [fields] })
const FAULTS: readonly (readonly [string, Behaviour, RegExp])[] = [
  ['answers 500', text('{}', { status: 500 }), /status 500/],
  ['answers HTML', text('<html>', { type: 'text/html' }), /text\/html/],
  ['answers garbage', text('{"items": [{]}'), /sent an invalid response/],
  ['answers a list', text('[]'), /sent an invalid response/],
  ['answers another type', text(item({ cost: 'much' })), /items\[0\]\.cost/],
  ['nests without end', text('['.repeat(100_000)), /sent an invalid response/],
  ['redirects', text('', { status: 302 }), /sent no usable response/],
  ['sends without end', endless, /too large|did not respond within/],
  ['hangs up', (_asked, answer) => void answer.destroy(), /sent no usable response/],
  ['answers about another product', text(item({ manufacturerPartNumber: 'Z-9' })), /but Z-9/],
  ['answers a price below 0', text(item({ manufacturerPartNumber: 'M-1', cost: -1 })), /below 0/],
  ['says that it failed', text('{"success": false}'), /reported a failure/],
  ['hangs', () => undefined, /did not respond within 2 s/],
  ['drips', drip, /did not respond within 2 s|sent no usable response/],
]

describe('a failing vendor', () => {
  test.each(FAULTS)(
    'that %s gets an error, without affecting others',
    async (_what, fault, error) => {
      await bothInstalled()
      bad.does(fault)
      const { items } = await withProductionDeadlines(() => ask('p1'))
      const [one, other] = items[0].vendors
      expect(one).toMatchObject({ vendorName: 'Good', cost: 5, error: null })
      expect(other).toMatchObject({ vendorName: 'Bad', cost: null, active: true })
      expect(other.error).toMatch(error)
      await service.services.background.settled()
      const { body } = await org.call(`GET /api/Catalog/${catalog}/products/p1`)
      expect(body.vendors.map((offer: { vendorName: string }) => offer.vendorName)).toEqual([
        'Good',
      ])
    },
  )

  test('that answers late serves the next request', async () => {
    const id = await bothInstalled()
    // The call itself is in time, but started late because others had the places.
    const over = Promise.withResolvers<void>()
    let begun = 0
    bad.does(async (asked) => {
      await (++begun > limits.realtimeCalls ? over.promise : setTimeout(1_000))
      return each({ cost: 6 })(asked, undefined as never)
    })
    const line = `POST /api/extensions/realtime/${id}/run`
    const one = (n: number) =>
      expectOk(org.call(line, { body: { products: [{ catalog, id: `p${n}` }] } }))
    const all = Array.from({ length: limits.realtimeCalls + 2 }, (_, n) => n)
    const answers = await withProductionDeadlines(() => Promise.all(all.map(one)))
    const costs = answers.map(({ body }) => body.items[0].cost)
    const late = all.filter((n) => costs[n] === null)
    expect(late).toHaveLength(2)
    over.resolve()
    const again = await Promise.all(late.map(one))
    expect(again.map(({ body }) => body.items[0].cost)).toEqual([6, 6])
    expect(bad.asked).toHaveLength(limits.realtimeCalls + 2)
  })
})

describe('calls to a vendor are saved', () => {
  test('by one call for all concurrent requests for the same, and none for a while after', async () => {
    await installVendor(org, good, { vendor: 'Good' })
    good.does(async (asked) => {
      await setTimeout(300)
      return each({ cost: 5 })(asked, undefined as never)
    })
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('p1', 'p2')))
    for (const { items } of answers) expect(items[1].vendors[0].cost).toBe(5)
    expect(good.asked).toHaveLength(1)
    await ask('p1', 'p3')
    expect(good.asked.map(({ request }) => request.products.length)).toEqual([2, 1])
    ahead += limits.realtimeBelievedMs
    await ask('p1')
    expect(good.asked).toHaveLength(3)
  })

  test('by few concurrent calls, however many requests there are', async () => {
    await installVendor(org, good, { vendor: 'Good' })
    good.does(async (asked) => {
      await setTimeout(100)
      return each({ cost: 5 })(asked, undefined as never)
    })
    await Promise.all(Array.from({ length: 15 }, (_, n) => ask(`p${n}`)))
    expect(good.asked).toHaveLength(15)
    expect(good.most).toBe(limits.realtimeCalls)
  })

  test('if the queue is full', async () => {
    const id = await installVendor(org, good, { vendor: 'Good' })
    good.does(() => undefined)
    const line = `POST /api/extensions/realtime/${id}/run`
    const many = limits.realtimeCalls + limits.realtimeWaiting + 3
    const question = (n: number) =>
      expectOk(org.call(line, { body: { products: [{ catalog, id: `p${n}` }] } }))
    const answers = await withProductionDeadlines(() =>
      Promise.all(Array.from({ length: many }, (_, n) => question(n))),
    )
    const errors = answers.map(({ body }) => body.error as string)
    expect(errors.filter((error) => /Too many requests to Good/.test(error))).toHaveLength(3)
  })

  test('after several failures, until a trial call succeeds', async () => {
    await installVendor(org, bad, { vendor: 'Bad' })
    bad.does(text('{}', { status: 503 }))
    for (let n = 0; n < THRESHOLD; n++) await ask('p1')
    expect(bad.asked).toHaveLength(THRESHOLD)
    const { items } = await ask('p1', 'p2')
    expect(items[0].vendors[0].error).toMatch(/Bad failed several times/)
    expect(bad.asked).toHaveLength(THRESHOLD)
    bad.does(each({ cost: 6 }))
    ahead += 6_000
    expect((await ask('p1')).items[0].vendors[0].cost).toBe(6)
    expect((await ask('p2')).items[0].vendors[0].cost).toBe(6)
  })

  test('but not because of one caller’s values', async () => {
    const id = await installVendor(org, bad, { vendor: 'Bad' })
    bad.does(text('{}', { status: 400 }))
    const body = { products: [{ catalog, id: 'p1' }], additionalFields: { customer: 'x' } }
    for (let n = 0; n <= THRESHOLD; n++) {
      await expectOk(org.call(`POST /api/extensions/realtime/${id}/run`, { body }))
    }
    bad.does(each({ cost: 6 }))
    expect((await ask('p1')).items[0].vendors[0].cost).toBe(6)
  })

  const fields = [{ field: 'password', protected: true, sharedKey: 'oakvale' }]
  const given = (password: string) => ({ additionalData: { password } })
  const change = (id: string, body: object) =>
    expectOk(org.call(`PUT /api/extensions/installed/${id}`, { body }))

  test.each<[string, (id: string, other: string) => Promise<unknown>]>([
    ['its settings are changed', (id) => change(id, { extensionNickname: crypto.randomUUID() })],
    ['a value that it shares is changed', (id) => change(id, given('right'))],
    ['another one changes that value', (_id, other) => change(other, given('right'))],
    ['it is registered again', () => registerVendor(org.call, bad, { id: 'bad', fields })],
  ])('no longer once %s', async (_what, mend) => {
    const parts = { fields, more: given('wrong') }
    const id = await installVendor(org, bad, { vendor: 'Bad', id: 'bad', ...parts })
    const other = await installVendor(org, bad, { vendor: 'Good', ...parts })
    bad.does(text('{}', { status: 401 }))
    const said = async () =>
      (await ask('p1')).items[0].vendors.find(
        (one: { vendorName: string }) => one.vendorName === 'Bad',
      )
    for (let n = 0; n < THRESHOLD; n++) await ask('p1')
    bad.does(each({ cost: 6 }))
    expect((await said()).error).toMatch(/failed several times/)
    await mend(id, other)
    expect((await said()).cost).toBe(6)
    // Cached answers of the former account are dropped as well.
    bad.does(each({ cost: 7 }))
    expect((await said()).cost).toBe(6)
    await mend(id, other)
    expect((await said()).cost).toBe(7)
  })
})

test('many products are requested in several calls, each with its own result', async () => {
  await installVendor(org, good, { vendor: 'Good' })
  const name = await seedCatalog(service, org, numbered(250))
  good.does(each((id) => ({ cost: Number(id.slice(1)) })))
  const body = { products: numbered(250).map(({ id }) => ({ catalog: name, id })) }
  const answer = await expectOk(org.call('POST /api/extensions/realtime/run', { body }))
  expect(answer.body.items).toHaveLength(250)
  for (const { id, vendors } of answer.body.items) {
    expect([id, vendors[0].cost]).toEqual([id, Number(id.slice(1))])
  }
  const sizes = good.asked.map(({ request }) => request.products.length)
  expect(sizes.toSorted()).toEqual([100, 100, 50])
})

describe('long answers', () => {
  const COUNT = 100
  /** An answer of about 17 kB as JSON. */
  const long = {
    description: 'd'.repeat(1_000),
    warehouses: Array.from({ length: 65 }, (_, at) => ({
      warehouse: `${at} ${'w'.repeat(190)}`,
      onHand: at,
      inStockDate: null,
    })),
  }
  const shop = async () => {
    const name = await seedCatalog(service, org, numbered(COUNT))
    return { products: numbered(COUNT).map(({ id }) => ({ catalog: name, id })) }
  }
  const install = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) =>
        installVendor(org, good, { vendor: `Long ${at}`, more: { extensionLevel: 'user' } }),
      ),
    )

  test('of many vendors are returned as far as one answer has room', async () => {
    await install(8)
    good.does(each(long))
    const { body } = await expectOk(
      org.call('POST /api/extensions/realtime/run', { body: await shop() }),
    )
    const said: { error: string | null; warehouses: unknown[] }[] = body.items.flatMap(
      ({ vendors }: { vendors: unknown[] }) => vendors,
    )
    expect(said).toHaveLength(8 * COUNT)
    const [told, left] = [said.filter(({ error }) => !error), said.filter(({ error }) => error)]
    expect(told.length).toBeGreaterThan(0)
    expect(left.length).toBeGreaterThan(0)
    for (const { error, warehouses } of left) {
      // On a busy machine the last ones are late.
      expect(error).toMatch(/Request fewer products at once|did not respond within/)
      expect(warehouses).toEqual([])
    }
    expect(JSON.stringify(body).length).toBeLessThan(limits.realtimeAnswerLength * 1.1)
  })

  test('are evicted from the cache if they exceed its size', async () => {
    const ids = await install(11)
    good.does(each(long))
    const { products } = await shop()
    const ask = async (id: string) => {
      for (let at = 0; at < COUNT; at += 25) {
        const body = { products: products.slice(at, at + 25) }
        const answer = await expectOk(org.call(`POST /api/extensions/realtime/${id}/run`, { body }))
        expect(answer.body).toMatchObject({ success: true, error: null })
      }
    }
    for (const id of ids) await ask(id)
    const before = good.asked.length
    await ask(ids[0]!)
    expect(good.asked.length - before).toBe(COUNT / 25)
  })
})

describe('an offer whose write', () => {
  const store = async (
    fault: 'dropAnswer' | 'busy' | 'down',
    matches: (line: string) => boolean,
  ) => {
    await installVendor(org, good, { vendor: 'Good' })
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const through = await startService({ node: proxy.node, outbound: toLoopback })
    const call = caller(through, { key: await org.key('viewer'), organization: org.id })
    const body = { products: [{ catalog, id: 'p1' }] }
    let left = 1
    proxy.set(fault, (line) => matches(line) && left-- > 0)
    const answer = await expectOk(call('POST /api/extensions/realtime/run', { body }))
    await through.services.background.settled()
    proxy.set('none')
    await through.stop()
    await proxy.close()
    expect(answer.body.items[0].vendors[0]).toMatchObject({ cost: 5, error: null })
    expect(left).toBeLessThan(1)
    const path = `/api/Catalog/${catalog}/products/p1`
    const product = (await expectOk(org.call(`GET ${path}`))).body
    return { product, path }
  }
  const insights = async (path: string) =>
    (await expectOk(org.call(`GET ${path}/insights`))).body.vendorInsights.map(
      ({ price }: { price: number }) => price,
    )

  test('succeeds without an answer is stored once', async () => {
    const { product, path } = await store('dropAnswer', (line) => /^PUT .*products/.test(line))
    expect(product).toMatchObject({ version: '2', vendors: [{ vendorName: 'Good', cost: 5 }] })
    await expect.poll(() => insights(path)).toEqual([5])
  })

  test('fails is returned, and the product is unchanged', async () => {
    const { product } = await store('down', (line) => /^POST \/_bulk/.test(line))
    expect(product).toMatchObject({ version: '1', vendors: [] })
  })
})
