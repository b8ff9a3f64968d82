import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors } from '@elastic/elasticsearch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendBulk } from '../../../src/elastic/bulk.ts'
import { createElastic, translate } from '../../../src/elastic/client.ts'
import { Unavailable } from '../../../src/errors.ts'

const MIB = 1024 * 1024
const BODY = 2 * MIB

let status: number | undefined
let received = 0
const server = createServer((incoming, outgoing) => {
  if (incoming.method !== 'HEAD') received++
  incoming.resume().on('end', () => {
    if (status === undefined) return
    outgoing.writeHead(status, { 'x-elastic-product': 'Elasticsearch' }).end()
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test.each([
  ['is refused', 503],
  ['is not answered in time', undefined],
])('a large bulk request that %s uses no memory besides its body', async (_, answer) => {
  status = answer
  const { port } = server.address() as AddressInfo
  const node = `http://127.0.0.1:${port}`
  const auth = { apiKey: 'key-of-the-cluster' }
  const elastic = createElastic({ node, auth, prefix: 'none', shards: 1, replicas: 0 })
  const body = Buffer.alloc(BODY, 'x')
  const before = process.memoryUsage()
  const failure = await sendBulk(elastic, { body, count: 1 }, { timeoutMs: 500 }).catch(
    (error: unknown) => error,
  )
  const { heapUsed, rss } = process.memoryUsage()
  await elastic.client.close()
  expect(failure).toBeInstanceOf(Unavailable)
  expect(heapUsed - before.heapUsed).toBeLessThan(50 * MIB)
  expect(rss - before.rss).toBeLessThan(100 * MIB)
  const { meta } = (failure as Error).cause as { meta?: unknown }
  expect(
    JSON.stringify(meta ?? null, (key, value) => (key === 'body' ? null : value)),
  ).not.toContain(auth.apiKey)
})

test('a write is sent to the next node if one cannot be reached, and once otherwise', async () => {
  status = 201
  const { port } = server.address() as AddressInfo
  const node = `http://127.0.0.1:1, http://127.0.0.1:${port}`
  const elastic = createElastic({ node, prefix: 'none', shards: 1, replicas: 0 })
  const write = () => elastic.client.index({ index: 'none', document: {} })
  await Promise.all([write(), write()])
  received = 0
  status = undefined
  await expect(write()).rejects.toThrow('no answer')
  await elastic.client.close()
  expect(received).toBe(1)
})

test('an aggregation that is cancelled at its deadline is unavailable, not an error of the service', () => {
  const cause = { type: 'task_cancelled_exception', reason: 'not building sub-aggregations' }
  const error = { type: 'search_phase_execution_exception', reason: '', root_cause: [cause] }
  const answer = { statusCode: 400, body: { error, status: 400 }, headers: {}, warnings: null }
  expect(translate(new errors.ResponseError(answer as never))).toBeInstanceOf(Unavailable)
})
