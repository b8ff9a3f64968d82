import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Call, caller, expectOk, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import { withProductionDeadlines } from '../support/deadlines.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

let nodes: FaultProxy[]
let service: TestService
let call: Call

beforeAll(async () => {
  const { node } = inject('elasticsearch')
  nodes = await Promise.all([startFaultProxy(node), startFaultProxy(node)])
  // Without the cache, equal searches are all sent.
  service = await startService({
    idle: true,
    node: nodes.map((one) => one.node).join(', '),
    answerBytes: 0,
  })
  const organization = await newOrganization(service)
  call = organization.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  const body = { id: 'p', name: 'Anvil' }
  await expectOk(call('POST /api/Catalog/c/products', { body }))
})
afterAll(async () => {
  await service.stop()
  await Promise.all(nodes.map((one) => one.close()))
})

const isSearch = (line: string) => line.includes('_search')
const searched = () => nodes.map((one) => one.requests().filter(isSearch).length)
const find = () => call('POST /api/search/simple?catalog=c', { body: { keywords: 'anvil' } })
const times = (count: number) => Array.from({ length: count }, find)

/** Which of six searches a failing node receives. */
async function searchesOf(at: number, mode: 'refuse' | 'hang') {
  nodes[at]!.set(mode)
  await Promise.all(times(6))
  return nodes[at]!.requests().filter(isSearch)
}

/** Number of retries at another node. */
async function retries(): Promise<number> {
  const { body } = await caller(service, { key: OPERATOR_KEY })('GET /metrics')
  const counts = (body as string).matchAll(/^aisle_elasticsearch_retries_total\{.*\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

describe('with several nodes', () => {
  test('all receive requests', async () => {
    for (const node of nodes) node.set('none')
    const statuses = new Set<number>()
    // A node that was slow for a moment is avoided for some seconds.
    const leastAsked = async () => {
      for (const { status } of await Promise.all(times(6))) statuses.add(status)
      return Math.min(...searched())
    }
    await expect.poll(leastAsked).toBeGreaterThan(0)
    expect([...statuses]).toEqual([200])
  })

  test('a search succeeds if one is down, which is reported and avoided', async () => {
    nodes[0]!.set('refuse')
    nodes[1]!.set('none')
    const answers = await Promise.all(times(6))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const told = async () => {
      const count = await retries()
      if (count > 0) return count
      // A ping noticed the failure before any search did.
      nodes[0]!.set('none')
      await find()
      nodes[0]!.set('refuse')
      await Promise.all(times(6))
      return count
    }
    await expect.poll(told).toBeGreaterThan(0)
    await expect.poll(() => searchesOf(0, 'refuse')).toEqual([])
  })

  test('a search succeeds if one hangs, which is then avoided', async () => {
    // Wait until the other node is used again.
    await expect
      .poll(
        async () => {
          for (const node of nodes) node.set('none')
          await Promise.all(times(6))
          return Math.min(...searched())
        },
        { timeout: 60_000 },
      )
      .toBeGreaterThan(0)
    nodes[1]!.set('hang')
    const answers = await Promise.all(times(6))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    await expect.poll(() => searchesOf(1, 'hang')).toEqual([])
  })

  test('a search succeeds if a copy of a shard hangs', async () => {
    // Searches prefer one copy of the shard, whichever node gets them.
    for (const node of nodes)
      node.set('hang', (line) => isSearch(line) && line.includes('preference='))
    const answers = await Promise.all(times(6))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  })

  test('a read by id is sent to another node if the first one hangs', async () => {
    for (const node of nodes) {
      node.set('hang', (line) => line.includes('_doc/') && !line.includes('preference=_local'))
    }
    const { status } = await call('GET /api/Catalog/c/products/p')
    expect(status).toBe(200)
  })

  test('a write is sent once', async () => {
    for (const node of nodes) node.set('hang', (line) => line.startsWith('PUT'))
    const body = { id: 'q', name: 'Vice' }
    const { status, headers } = await withProductionDeadlines(() =>
      call('POST /api/Catalog/c/products', { body }),
    )
    expect([status, headers.get('retry-after')]).toEqual([503, '2'])
    const writes = nodes.flatMap((one) => one.requests().filter((line) => line.startsWith('PUT')))
    expect(writes).toEqual([expect.stringContaining('timeout=1500ms')])
  })
})
