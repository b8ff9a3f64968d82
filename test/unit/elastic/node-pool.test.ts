import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { sendBulk } from '../../../src/elastic/bulk.ts'
import { createElastic } from '../../../src/elastic/client.ts'
import type { NodePool } from '../../../src/elastic/node-pool.ts'
import { limits } from '../../../src/limits.ts'
import { lengthenDeadlines } from '../../support/deadlines.ts'

interface TestNode {
  /** Status of an answer; undefined to never answer. */
  answer: (incoming: IncomingMessage) => number | undefined
  /** Delays all answers but those to pings. */
  until: Promise<void>
  readonly seen: string[]
  readonly server: Server
}

let nodes: TestNode[] = []
afterEach(() => {
  for (const { server } of nodes) {
    server.closeAllConnections()
    server.close()
  }
})

async function twoNodes() {
  nodes = await Promise.all([startNode(), startNode()])
  const ports = nodes.map(({ server }) => (server.address() as AddressInfo).port)
  const node = ports.map((port) => `http://127.0.0.1:${port}`).join(',')
  const elastic = createElastic({ node, prefix: 'none', shards: 1, replicas: 0 })
  const { client } = elastic
  return {
    elastic,
    nodes,
    write: () => client.index({ index: 'none', document: {} }),
    read: () => client.get({ index: 'none', id: '1' }),
  }
}

async function startNode(): Promise<TestNode> {
  const node: TestNode = {
    answer: () => 200,
    until: Promise.resolve(),
    seen: [],
    server: createServer(async (incoming, outgoing) => {
      node.seen.push(incoming.method!)
      if (incoming.method !== 'HEAD') await node.until
      const status = node.answer(incoming)
      if (status === undefined) return
      const headers = {
        'content-type': 'application/json',
        'x-elastic-product': 'Elasticsearch',
      }
      outgoing.writeHead(status, headers).end('{}')
    }),
  }
  await new Promise<void>((resolve) => node.server.listen(0, '127.0.0.1', resolve))
  return node
}

test('after a node rejects a write, the others are spared, and it still gets reads', async () => {
  const { elastic, nodes, write, read } = await twoNodes()
  const [refusing] = nodes as [TestNode]
  refusing.answer = ({ method }) => (method === 'GET' ? 200 : 503)
  const first = await Promise.allSettled([write(), write()])
  expect(first.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await Promise.all([write(), write(), write()])
  for (const { seen } of nodes) seen.length = 0
  await Promise.all([read(), read(), read(), read()])
  expect(nodes.map(({ seen }) => seen.length)).toEqual([2, 2])
  await elastic.client.close()
})

test('slow nodes that answer pings get few reads twice', async () => {
  // A fake clock, so that nodes are not silent longer than intended when this process is busy.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  Object.assign(limits, { elasticMs: 60_000 })
  onTestFinished(lengthenDeadlines)
  const { elastic, nodes, read } = await twoNodes()
  const slow = Promise.withResolvers<void>()
  for (const node of nodes) node.until = slow.promise
  const reads = Array.from({ length: 8 }, read)
  const seen = (wanted: string) =>
    nodes.map(({ seen }) => seen.filter((method) => method === wanted).length)
  const asked = () => seen('GET').reduce((sum, count) => sum + count)
  await expect.poll(() => [asked(), Math.min(...seen('HEAD')) > 1]).toEqual([8, true])
  // In steps so short that a node whose ping is under way does not seem to hang. The first ping of a
  // step may have been sent before it.
  for (let step = 0; step < 4; step++) {
    const before = seen('HEAD')
    vi.advanceTimersByTime(limits.furtherTryMs / 4)
    await expect.poll(() => seen('HEAD').every((count, at) => count > before[at]! + 1)).toBe(true)
  }
  await expect.poll(asked).toBe(8 + limits.slowTries)
  slow.resolve()
  await Promise.all(reads)
  expect(asked()).toBe(8 + limits.slowTries)
  await elastic.client.close()
})

test('a read that a slow node delays is also sent to a node that has recovered', async () => {
  const { elastic, nodes, read } = await twoNodes()
  const [away, slow] = nodes as [TestNode, TestNode]
  away.answer = ({ socket }) => void socket.destroy()
  await Promise.all([read(), read()])
  away.answer = () => 200
  slow.answer = ({ method }) => (method === 'GET' ? undefined : 200)
  await expect(Promise.all([read(), read()])).resolves.toHaveLength(2)
  await elastic.client.close()
})

test('a request to a node that answers no ping is aborted long before its own timeout', async () => {
  const { elastic, nodes, read } = await twoNodes()
  const [hanging] = nodes as [TestNode]
  hanging.answer = () => undefined
  const began = performance.now()
  const written = sendBulk(elastic, { body: '{}\n', count: 1 }, { timeoutMs: 60_000 })
  written.catch(() => undefined)
  await Promise.all([read(), read()])
  await expect(written).rejects.toThrow()
  expect(performance.now() - began).toBeLessThan(30_000)
  await elastic.client.close()
})

/** A node in a thread of its own, which reports each request and answers it after 300 ms. */
const THREAD = `
  const { createServer } = require('node:http')
  const { parentPort } = require('node:worker_threads')
  const headers = { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' }
  const server = createServer((_, outgoing) => {
    parentPort.postMessage('asked')
    setTimeout(() => outgoing.writeHead(200, headers).end('{}'), 300)
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

test('a pause of this process does not fail requests that were answered meanwhile', async () => {
  const threads = [THREAD, THREAD].map((code) => new Worker(code, { eval: true }))
  const heard = () => Promise.all(threads.map((thread) => once(thread, 'message')))
  const node = (await heard()).map(([port]) => `http://127.0.0.1:${port}`).join(',')
  const elastic = createElastic({ node, prefix: 'none', shards: 1, replicas: 0 })
  const write = () =>
    elastic.client.index({ index: 'none', document: {} }, { requestTimeout: 60_000 })
  const asked = heard()
  const written = Promise.all([write(), write()])
  await asked
  const pool = elastic.client.connectionPool as NodePool
  pool.pingAll()
  // Longer than a ping may take.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
  await expect(written).resolves.toHaveLength(2)
  await elastic.client.close()
  await Promise.all(threads.map((thread) => thread.terminate()))
})
