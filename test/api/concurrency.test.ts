import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Call, caller, expectOk, newOrganization, untilAccepted } from '../support/client.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const FIELDS = ['name', 'description', 'manufacturer', 'segment', 'category', 'image', 'unspsc']
const WRITERS = 64

interface Log {
  readonly fieldsUpdated: string[]
  readonly changes: { field: string; before: unknown; after: unknown }[]
}

let proxy: FaultProxy
let service: TestService
let call: Call
/** The same caller at another instance of the service. */
let elsewhere: Call

beforeAll(async () => {
  proxy = await startFaultProxy(inject('elasticsearch').node)
  service = await startService({ node: proxy.node })
  const organization = await newOrganization(service)
  call = organization.call
  const key = await organization.key('administrator')
  elsewhere = caller(await startService(), { key, organization: organization.id })
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
})
afterAll(() => proxy.close())

const path = (id: string) => `/api/Catalog/c/products/${id}`
const create = (id: string) => call('POST /api/Catalog/c/products', { body: { id } })
const read = async (id: string) => (await expectOk(call(`GET ${path(id)}`))).body
const logsOf = async (id: string): Promise<Log[]> =>
  (await expectOk(call(`GET ${path(id)}/logs?pageSize=250`))).body.items

/**
 * Replays a log from its oldest entry; each entry must start from the state the one before left.
 */
function replay(newestFirst: Log[]): Record<string, unknown> {
  const state: Record<string, unknown> = Object.fromEntries(FIELDS.map((field) => [field, null]))
  for (const { changes } of newestFirst.toReversed()) {
    for (const { field, before, after } of changes) {
      expect([field, before]).toEqual([field, state[field]])
      state[field] = after
    }
  }
  return state
}

const writes = (id: string, through: (n: number) => Call) =>
  Promise.all(
    Array.from({ length: WRITERS }, (_, n) => {
      const body = { [FIELDS[n % FIELDS.length]!]: `value ${n}` }
      return untilAccepted(() => through(n)(`PUT ${path(id)}`, { body }))
    }),
  )
type Written = Awaited<ReturnType<typeof writes>>
const statusesOf = (written: Written) => written.map(({ answer }) => answer.status)

/** Asserts that no write is lost or logged twice, and that the log reproduces the product. */
async function expectAllWritten(id: string, written: Written) {
  const product = await read(id)
  const version = Number(product.version)
  // A write that is repeated after a 503 finds itself applied, or what another one wrote since.
  const again = written.reduce((sum, { unclear }) => sum + unclear, 0)
  expect(version).toBeGreaterThan(WRITERS)
  expect(version).toBeLessThanOrEqual(WRITERS + 1 + again)
  const logs = await logsOf(id)
  expect(logs).toHaveLength(version)
  const told = logs.flatMap(({ changes }) => changes.map(({ after }) => after))
  expect(new Set(told)).toEqual(new Set(Array.from({ length: WRITERS }, (_, n) => `value ${n}`)))
  const state = replay(logs)
  expect(product).toMatchObject(state)
  for (const [index, field] of FIELDS.entries()) {
    expect(Number(String(product[field]).slice('value '.length)) % FIELDS.length).toBe(index)
  }
}

describe('64 updates of one product at once', () => {
  test('without If-Match all return 200 and are logged in the order of versions', async () => {
    await expectOk(create('free'))
    const written = await writes('free', () => call)
    expect(statusesOf(written)).toEqual(Array(WRITERS).fill(200))
    await expectAllWritten('free', written)
    await service.services.background.settled()
    await expectAllWritten('free', written)
  })

  test('at two instances have the same result', async () => {
    await expectOk(create('two'))
    const written = await writes('two', (n) => (n % 2 ? call : elsewhere))
    expect(statusesOf(written)).toEqual(Array(WRITERS).fill(200))
    await expectAllWritten('two', written)
  })

  test('with the same If-Match: exactly one returns 200, the others 412', async () => {
    await expectOk(create('matched'))
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, (_, n) =>
        (n % 2 ? call : elsewhere)(`PUT ${path('matched')}`, {
          body: { name: `value ${n}` },
          headers: { 'if-match': '"1"' },
        }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(WRITERS - 1)
    const winner = statuses.indexOf(200)
    expect(await read('matched')).toMatchObject({ name: `value ${winner}`, version: '2' })
    expect(await logsOf('matched')).toHaveLength(2)
  })

  test('with the same value: one change and one log entry', async () => {
    await expectOk(create('same'))
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, () => call(`PUT ${path('same')}`, { body: { name: 'x' } })),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect((await read('same')).version).toBe('2')
    expect(await logsOf('same')).toHaveLength(2)
  })

  test('together with a deletion leave nothing behind', async () => {
    await expectOk(create('dying'))
    const updates = writes('dying', () => call)
    const deletion = await call(`DELETE ${path('dying')}`)
    const statuses = statusesOf(await updates)
    expect(deletion.status).toBe(200)
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true)
    expect((await call(`GET ${path('dying')}`)).status).toBe(404)
  })
})

describe('a write whose answer is lost', () => {
  const isWrite = (line: string) => /^(PUT|POST) \/[^/]*products[^/]*\/_(doc|create)/.test(line)

  /** Drops the answers to the next `count` writes of products, which are applied nevertheless. */
  function loseAnswers(count: number) {
    let left = count
    proxy.set('dropAnswer', (line) => isWrite(line) && left-- > 0)
  }

  test('is recognized as applied: 200, one version, one log entry', async () => {
    await expectOk(create('lost'))
    await service.services.background.settled()
    loseAnswers(1)
    await expectOk(call(`PUT ${path('lost')}`, { body: { name: 'new' } }))
    expect(await read('lost')).toMatchObject({ name: 'new', version: '2' })
    expect((await logsOf('lost')).map(({ fieldsUpdated }) => fieldsUpdated)).toEqual([['name'], []])
  })

  test('is recognized with If-Match too', async () => {
    await expectOk(create('lost match'))
    await service.services.background.settled()
    loseAnswers(1)
    const headers = { 'if-match': '1' }
    await expectOk(call(`PUT ${path('lost%20match')}`, { body: { name: 'new' }, headers }))
    expect(await read('lost%20match')).toMatchObject({ name: 'new', version: '2' })
  })

  test('is not reported as a conflict if it was a creation', async () => {
    loseAnswers(1)
    await expectOk(create('lost creation'))
    expect(await logsOf('lost%20creation')).toHaveLength(1)
  })

  test('is recognized among many concurrent ones', async () => {
    await expectOk(create('storm'))
    loseAnswers(2)
    const written = await writes('storm', () => call)
    expect(statusesOf(written)).toEqual(Array(WRITERS).fill(200))
    await expectAllWritten('storm', written)
  })

  test('returns 503 if it is never answered, and can be repeated without a second effect', async () => {
    await expectOk(create('silent'))
    await service.services.background.settled()
    loseAnswers(Number.POSITIVE_INFINITY)
    const line = `PUT ${path('silent')}`
    expect([200, 503]).toContain((await call(line, { body: { name: 'new' } })).status)
    proxy.set('none')
    await expectOk(call(line, { body: { name: 'new' } }))
    expect(await read('silent')).toMatchObject({ name: 'new', version: '2' })
    expect(await logsOf('silent')).toHaveLength(2)
  })
})
