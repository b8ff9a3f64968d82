import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { term } from '../../src/elastic/clauses.ts'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { workspacesOf } from '../../src/workspaces/store.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Answer,
  type Call,
  caller,
  expectOk,
  newOrganization,
  untilAccepted,
} from '../support/client.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const CLIENTS = 64

let proxy: FaultProxy
/** The service behind the proxy, and the one that is not. */
let shaky: TestService
let steady: TestService
let through: Call
let direct: Call
let catalog: string
let who: { key: string; organization: string }

beforeAll(async () => {
  proxy = await startFaultProxy(inject('elasticsearch').node)
  shaky = await startService({ node: proxy.node })
  steady = await startService()
  const organization = await newOrganization(steady)
  const key = await organization.key('viewer')
  who = { key, organization: organization.id }
  through = caller(shaky, who)
  direct = caller(steady, who)
  catalog = await seedCatalog(
    steady,
    organization,
    Array.from({ length: CLIENTS }, (_, n) => ({ id: `p-${n}`, msrp: 1 })),
  )
})
afterAll(() => proxy?.close())

const instance = (n: number) => (n % 2 ? through : direct)
const each = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: CLIENTS }, (_, n) => work(n)))
const fresh = () => `w-${crypto.randomUUID().slice(0, 8)}`
const add = (call: Call, name: string, n: number, quantity: number) =>
  call(`POST /api/Catalog/${catalog}/products/p-${n}/addToWorkspace/${name}`, {
    body: { quantity },
  })
const change = (call: Call, name: string, id: string, quantity: number) =>
  call(`PUT /api/workspaces/${name}/items/${id}`, { body: { quantity } })
const remove = (call: Call, name: string, id: string) =>
  call(`DELETE /api/workspaces/${name}/items/${id}`)

/**
 * Sorted statuses. After a 503 a repetition may get the status `late` for its own work; one of
 * these then counts as 200.
 */
function statusesOf(answers: Awaited<ReturnType<typeof untilAccepted>>[], late: number): number[] {
  const statuses = answers.map(({ answer }) => answer.status).sort()
  const mayHaveDone = answers.some((one) => one.unclear > 0 && one.answer.status === late)
  return mayHaveDone && statuses[0] === late ? [200, ...statuses.slice(1)] : statuses
}

/** Quantities by product; asserts that each product is listed once. */
async function quantitiesOf(name: string): Promise<Record<string, number>> {
  const { products } = (await expectOk(direct(`GET /api/workspaces/${name}`))).body
  const entries = products.map((item: { productId: string; details: { quantity: number } }) => [
    item.productId,
    item.details.quantity,
  ])
  const found = Object.fromEntries(entries)
  expect(Object.keys(found)).toHaveLength(entries.length)
  return found
}

describe('64 clients of one workspace through two instances', () => {
  test('add, change and delete, without losing or duplicating anything', async () => {
    const name = fresh()
    const statuses = await each(async (n) => {
      const { answer: added } = await untilAccepted(() => add(instance(n), name, n, 2))
      const id = added.body.id as string
      const { answer: changed } = await untilAccepted(() =>
        change(instance(n + 1), name, id, n + 1),
      )
      if (n % 4 !== 0) return [added.status, changed.status]
      const { answer: removed, unclear } = await untilAccepted(() => remove(instance(n), name, id))
      const gone = unclear > 0 && removed.status === 404
      return [added.status, changed.status, gone ? 200 : removed.status]
    })
    expect(statuses.flat().filter((status) => status !== 200)).toEqual([])
    const kept = Array.from({ length: CLIENTS }, (_, n) => n).filter((n) => n % 4 !== 0)
    expect(await quantitiesOf(name)).toEqual(Object.fromEntries(kept.map((n) => [`p-${n}`, n + 1])))
  })

  test('all add the same product: one item, with the values of one request', async () => {
    const name = fresh()
    const adding = await each((n) => untilAccepted(() => add(instance(n), name, 7, n + 1)))
    const answers = adding.map(({ answer }) => answer)
    expect(answers.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(200))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(Object.keys(await quantitiesOf(name))).toEqual(['p-7'])
  })

  test('change quantity and price of one item: both are kept', async () => {
    const name = fresh()
    const { body } = await expectOk(add(direct, name, 2, 1))
    const item = `/api/workspaces/${name}/items/${body.id}`
    for (let round = 1; round <= 12; round++) {
      const items = [{ catalog, productId: 'p-2', quantity: round + 1 }]
      const answers = await Promise.all([
        round % 2
          ? direct(`PUT ${item}`, { body: { quantity: round + 1 } })
          : direct(`POST /api/workspaces/${name}/items`, { body: { items } }),
        through(`PUT ${item}`, { body: { price: round } }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const shown = await expectOk(direct(`GET /api/workspaces/${name}`))
      expect(shown.body.products[0].details).toEqual({ quantity: round + 1, price: round })
    }
  })

  test('delete the same item: exactly one succeeds', async () => {
    const name = fresh()
    const { body } = await expectOk(add(direct, name, 1, 1))
    const answers = await each((n) => untilAccepted(() => remove(instance(n), name, body.id)))
    expect(statusesOf(answers, 404)).toEqual([200, ...Array(CLIENTS - 1).fill(404)])
    expect(await quantitiesOf(name)).toEqual({})
  })

  test('create the same workspace: exactly one succeeds', async () => {
    const name = fresh()
    const create = (call: Call) => call('POST /api/workspaces', { body: { name } })
    const answers = await each((n) => untilAccepted(() => create(instance(n))))
    expect(statusesOf(answers, 409)).toEqual([200, ...Array(CLIENTS - 1).fill(409)])
  })
})

describe('adding several items at once', () => {
  const addAll = (call: Call, name: string, ns: readonly number[], quantity: number) =>
    call(`POST /api/workspaces/${name}/items`, {
      body: { items: ns.map((n) => ({ catalog, productId: `p-${n}`, quantity })) },
    })

  test('by two clients leaves all of the last one, and no reader sees half of it', async () => {
    const name = fresh()
    await expectOk(direct('POST /api/workspaces', { body: { name } }))
    const ns = Array.from({ length: 20 }, (_, n) => n)
    let running = true
    const seen: Record<string, number>[] = []
    const watching = (async () => {
      while (running) seen.push(await quantitiesOf(name))
    })()
    for (let round = 1; round <= 5; round++) {
      const pair = [
        addAll(direct, name, ns, round),
        addAll(through, name, ns.toReversed(), -round + 20),
      ]
      const statuses = (await Promise.all(pair)).map(({ status }) => status)
      expect(statuses).toEqual([200, 200])
    }
    running = false
    await watching
    expect(seen.length).toBeGreaterThan(5)
    for (const quantities of [...seen, await quantitiesOf(name)]) {
      expect([0, ns.length]).toContain(Object.keys(quantities).length)
      expect(new Set(Object.values(quantities)).size).toBeLessThanOrEqual(1)
    }
  })

  const ns = [1, 2, 3]
  const isRead = (line: string) => line.startsWith('POST /_mget')
  const isWrite = (line: string) => /^PUT .*workspaces\/_doc\//.test(line)

  test.each([
    ['the answer to the read is lost', 'dropAnswer', isRead, 503],
    ['the answer to the write is lost', 'dropAnswer', isWrite, 200],
    ['the write does not arrive', 'refuse', isWrite, 503],
  ] as const)('adds all or none if %s', async (_, fault, matches, expected) => {
    const name = fresh()
    await expectOk(add(direct, name, 1, 9))
    proxy.set(fault, matches)
    const { status } = await addAll(through, name, ns, 5)
    proxy.set('none')
    const now = await quantitiesOf(name)
    const added = { 'p-1': 5, 'p-2': 5, 'p-3': 5 }
    expect([status, now]).toEqual([expected, expected === 200 ? added : { 'p-1': 9 }])
    await expectOk(addAll(direct, name, ns, 6))
    expect(await quantitiesOf(name)).toEqual({ 'p-1': 6, 'p-2': 6, 'p-3': 6 })
  })
})

test('is independent of a deleted workspace with the same name', async () => {
  const name = fresh()
  await each((n) => add(direct, name, n, 1))
  const { id } = (await expectOk(direct(`GET /api/workspaces/${name}`))).body
  await expectOk(direct(`DELETE /api/workspaces/${name}`))
  await expectOk(add(direct, name, 3, 2))
  await refreshIndex(steady.services.elastic, 'workspaces')
  const workspaces = workspacesOf(steady.services, who.organization)
  expect(await workspaces.count(term('id', id))).toBe(0)
  expect(await quantitiesOf(name)).toEqual({ 'p-3': 2 })
})

test('with 5 % of the answers of Elasticsearch lost, nothing takes effect twice and nothing acknowledged is lost', async () => {
  const name = fresh()
  await expectOk(direct('POST /api/workspaces', { body: { name } }))
  let state = 42
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  let lost = 0
  proxy.set('dropAnswer', () => {
    const drop = random() < 0.05
    lost += Number(drop)
    return drop
  })
  const after = (before: (number | null)[], { status }: Answer, wanted: number | null) => {
    // After a 429 nothing was done.
    if (status === 429) return before
    return status === 503 ? [...before, wanted] : [wanted]
  }
  const outcomes = await each(async (n) => {
    // Possible quantities of the item: a single one as long as all answers arrive.
    let possible: (number | null)[] = [null]
    let id: string | undefined
    for (let quantity = 1; quantity <= 6; quantity++) {
      const added = await add(through, name, n, quantity)
      id ??= added.body.id ?? undefined
      possible = after(possible, added, quantity)
      if (quantity === 2 && n % 3 === 0 && id) {
        const removed = await remove(through, name, id)
        expect([200, 404, 429, 503]).toContain(removed.status)
        if (removed.status === 404) expect(possible).toContain(null)
        possible = after(possible, removed, null)
      }
    }
    return possible
  })
  proxy.set('none')
  expect(lost).toBeGreaterThan(20)
  const found = await quantitiesOf(name)
  const wrong = outcomes.filter((possible, n) => !possible.includes(found[`p-${n}`] ?? null))
  expect(wrong).toEqual([])
  expect(outcomes.filter((possible) => possible.length === 1).length).toBeGreaterThan(CLIENTS / 2)
})
