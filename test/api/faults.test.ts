import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { type Fault, type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

/** Maximum milliseconds that a caller waits if Elasticsearch fails: there is no second attempt. */
const PATIENCE_MS = 2 * limits.requestMs

let proxy: FaultProxy
let service: TestService
let call: Call

beforeAll(async () => {
  proxy = await startFaultProxy(inject('elasticsearch').node)
  service = await startService({ node: proxy.node })
  const organization = await newOrganization(service)
  call = organization.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c', active: true } }))
  await expectOk(call('POST /api/Catalog/c/products', { body: { id: 'p', name: 'One' } }))
})

afterAll(() => proxy.close())

const requests: [string, unknown?][] = [
  ['GET /api/Catalog'],
  ['POST /api/Catalog', { name: 'd', active: true }],
  ['GET /api/Catalog/c/products/p'],
  ['PUT /api/Catalog/c/products/p', { name: 'Two' }],
  ['POST /api/Catalog/c/products', { id: 'q', name: 'Q' }],
  ['POST /api/Catalog/c/retrieveProducts', { ids: ['p'] }],
  ['PUT /api/Catalog/c/products/p/favorites/user'],
  ['PUT /api/Catalog/c/products/p/tags', ['a']],
  ['GET /api/Catalog/c/products/p/notes'],
  ['DELETE /api/Catalog/c/products/p/notes'],
  ['GET /api/Catalog/c/products/p/extensionFields'],
  ['GET /api/favorites?catalog=c'],
  ['DELETE /api/Catalog/c/products/q'],
  ['GET /api/Catalog/c/products/p/logs'],
  ['POST /api/search?catalog=c', { keywords: 'one' }],
  ['POST /api/search/simple?catalog=c', {}],
  ['POST /api/search/count?catalog=c', {}],
  ['GET /api/search/metadata?catalog=c'],
  ['GET /api/search/quicksearch?catalog=c&search=o'],
  ['GET /api/search/history'],
  ['GET /api/organizations/current'],
  ['PUT /api/organizations/current/users/someone', { role: 'viewer' }],
  ['GET /api/KeyAuth/keys'],
  ['POST /api/KeyAuth/keys', { name: 'k', keyType: 'full' }],
  ['GET /api/tasks'],
]

const wrong: Record<Exclude<Fault, 'none' | 'dropAnswer' | 'busyItems'>, RegExp> = {
  refuse: /^elasticsearch: cannot be reached/,
  hang: /^elasticsearch: no answer within/,
  busy: /^elasticsearch: answers with status 429/,
  down: /^elasticsearch: answers with status 503/,
}

describe.each(Object.entries(wrong))('while Elasticsearch does this: %s', (fault, connection) => {
  beforeAll(() => {
    proxy.set(fault as Fault)
    return () => proxy.set('none')
  })

  test('every request returns 503 with Retry-After in time', async () => {
    const answers = await Promise.all(
      requests.map(async ([line, body]) => {
        const started = performance.now()
        const answer = await call(line, body === undefined ? {} : { body })
        return {
          line,
          status: answer.status,
          wait: answer.headers.get('retry-after'),
          ms: performance.now() - started,
        }
      }),
    )
    // A request that gets no place in time is refused with a Retry-After.
    const isTold = ({ status, wait }: (typeof answers)[number]) =>
      [429, 503].includes(status) && Number(wait) > 0
    expect(answers.filter((answer) => !isTold(answer))).toEqual([])
    expect(answers.map(({ status }) => status)).toContain(503)
    expect(answers.filter(({ ms }) => ms > PATIENCE_MS)).toEqual([])
  })

  test('the status operations respond and report the problem', async () => {
    const started = performance.now()
    expect((await call('GET /api/status')).body).toBe('ok')
    expect(performance.now() - started).toBeLessThan(limits.elasticMs)
    expect((await call('GET /api/status/connections')).body).toMatch(connection)
  })
})

describe('when Elasticsearch is back', () => {
  test('the service recovers by itself, and nothing is half-written', async () => {
    const product = await call('GET /api/Catalog/c/products/p')
    expect(product).toMatchObject({ status: 200, body: { name: 'One', version: '1' } })
    expect((await call('GET /api/Catalog/c/products/q')).status).toBe(404)
    expect((await call('GET /api/status/connections')).body).toMatch(/^elasticsearch: ok/)
  })

  test('a write whose answer was lost can be repeated without a second effect', async () => {
    const isWrite = (line: string) => /^(PUT|POST) \/[^/]*products[^/]*\/_(doc|create)/.test(line)
    proxy.set('dropAnswer', isWrite)
    const lost = await call('PUT /api/Catalog/c/products/p', { body: { name: 'Three' } })
    proxy.set('none')
    expect([200, 503]).toContain(lost.status)
    const again = await call('PUT /api/Catalog/c/products/p', { body: { name: 'Three' } })
    expect(again.status).toBe(200)
    const logs = await call('GET /api/Catalog/c/products/p/logs')
    const names = logs.body.items.map(
      (item: { changes: { field: string; after: string }[] }) =>
        item.changes.find(({ field }) => field === 'name')?.after,
    )
    expect(names).toEqual(['Three', 'One'])
  })
})
