import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { limits } from '../../src/limits.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { type Sketch, seedCatalog, seedProducts } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { BACKGROUND_MS } from '../support/deadlines.ts'
import { fileAt, linesOf, runExport, startReceiver } from '../support/exports.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService, workerPrefix } from '../support/service.ts'
import { type Instance, startInstance } from './instances.ts'
import { leaseIn } from './stored.ts'
import { watchProgress } from './watch.ts'

/** Three parts of a file. */
const COUNT = 12_000
/** Products of 20 KB each, some 85 MB in total. */
const LARGE_COUNT = 4_250
const idOf = (n: number) => `P${String(n).padStart(6, '0')}`
const IDS = Array.from({ length: COUNT }, (_, n) => idOf(n))
const LEASE_MS = 1_500
/** A lease that no stall of the machine outlasts, where nobody takes over. */
const LONG_MS = 60_000
const MIB = 1024 * 1024

let front: TestService
let organization: TestOrganization
let call: Call
let catalog: string
let large: string
let folder: string
let proxy: FaultProxy
let alive: Instance[] = []
let born = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-exports-'))
  proxy = await startFaultProxy(inject('elasticsearch').node)
  const outbound = createOutbound({ allow: '127.0.0.0/8' })
  front = await startService({ folder, outbound, tasks: { concurrency: 0 } })
  organization = await newOrganization(front)
  call = organization.call
  catalog = await seed(IDS, {})
  const value = 'a'.repeat(2_000)
  const links = Array.from({ length: 10 }, (_, n) => ({
    type: `Text ${n}`,
    value,
    recommended: false,
  }))
  large = await seed(IDS.slice(0, LARGE_COUNT), { links })
})

async function seed(ids: readonly string[], more: Omit<Sketch, 'id'>): Promise<string> {
  const name = await seedCatalog(front, organization, [])
  const products = ids.map((id) => ({ id, name: `Product ${id}`, ...more }))
  for (let at = 0; at < ids.length; at += 500) {
    const some = products.slice(at, at + 500)
    await seedProducts(front, { owner: organization.id, name }, some)
  }
  return name
}

beforeEach(async () => {
  await Promise.all(alive.map((one) => one.end()))
  alive = []
  proxy.hold(() => undefined)
})

afterAll(async () => {
  await Promise.all(alive.map((one) => one.end()))
  await front.stop()
  await proxy.close()
})

async function start(leaseMs = LEASE_MS): Promise<Instance> {
  const started = await startInstance({
    name: `exporter-${++born}`,
    node: proxy.node,
    prefix: workerPrefix(),
    folder,
    publicUrl: front.services.publicUrl,
    skewMs: 0,
    leaseMs,
    concurrency: 2,
    allow: '127.0.0.0/8',
  })
  alive.push(started)
  return started
}

/** Delays each page, so that there is time to interrupt. */
const slowly = (ms: number) =>
  proxy.hold((line) => (line.includes('products/_search') ? sleep(ms) : undefined))

/** Finds the process that runs the task, and removes it from the list. */
async function strike(): Promise<Instance> {
  const place = { node: inject('elasticsearch').node, prefix: workerPrefix() }
  // After a kill, the lease of the process that is gone has to lapse first.
  const holder = await vi.waitFor(
    async () => {
      const lease = await leaseIn(place, organization.id)
      const found = alive.find(({ name }) => name === lease?.holder)
      if (!found) throw new Error(`nobody runs it: ${JSON.stringify(lease)}`)
      return found
    },
    { timeout: BACKGROUND_MS, interval: 150 },
  )
  alive = alive.filter((one) => one !== holder)
  return holder
}

/** Kills the process that runs the task, and starts another one. */
async function kill(): Promise<void> {
  const holder = await strike()
  await Promise.all([holder.end(), start()])
}

const memoryOf = async ({ pid }: Instance): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024
}

describe('the export of a large catalog', () => {
  test('uses little memory, however large the file', async () => {
    const exporter = await start(LONG_MS)
    const small = await expectOk(
      runExport(call, 'jsonl', {
        catalog: large,
        additionalFields: { search: '{"pageSize":1,"keywords":"P000001"}' },
      }),
    )
    await watchProgress(call, small.body.taskId).ended
    const before = await memoryOf(exporter)
    const run = await expectOk(runExport(call, 'jsonl', { catalog: large }))
    const watch = watchProgress(call, run.body.taskId)
    expect(await watch.ended).toMatchObject({ status: 'completed', processed: LARGE_COUNT })
    const more = (await memoryOf(exporter)) - before
    const file = await fileAt(call, run.body.redirectUrl)
    expect(linesOf(file.body).map(({ id }) => id)).toEqual(IDS.slice(0, LARGE_COUNT))
    expect(file.body.length).toBeGreaterThan(80 * MIB)
    expect(more).toBeLessThan(150 * MIB)
  })

  test('continues after kills and a freeze: every product is in the file once', async () => {
    await Promise.all([start(), start()])
    slowly(100)
    const run = await expectOk(
      runExport(call, 'csv', { catalog, additionalFields: { columns: 'id,name' } }),
    )
    const watch = watchProgress(call, run.body.taskId)
    for (const processed of [3_000, 6_000]) {
      expect(await watch.reaches(processed)).toBe(true)
      await kill()
    }
    expect(await watch.reaches(7_000)).toBe(true)
    const frozen = await strike()
    frozen.signal('SIGSTOP')
    expect(await watch.ended).toMatchObject({ status: 'completed', processed: COUNT })
    frozen.signal('SIGCONT')
    alive.push(frozen)
    await sleep(LEASE_MS)
    expect(watch.fell()).toBe(0)
    const file = await fileAt(call, run.body.redirectUrl)
    const lines = file.body.trimEnd().split('\r\n')
    expect(lines).toEqual(['id,name', ...IDS.map((id) => `${id},Product ${id}`)])
  })

  test('by pages loses none after kills, and repeats pages only with the same id', async () => {
    const to = await startReceiver()
    const additionalData = { url: to.url, secret: `whsec_${'c2VjcmV0'.repeat(4)}`, pageSize: '250' }
    const { body } = await expectOk(
      call('POST /api/extensions/available/http/install', { body: { additionalData } }),
    )
    await Promise.all([start(), start()])
    slowly(100)
    const run = await expectOk(runExport(call, body.id, { catalog }))
    const watch = watchProgress(call, run.body.taskId)
    for (const processed of [2_000, 4_500, 7_000]) {
      expect(await watch.reaches(processed)).toBe(true)
      await kill()
    }
    expect(await watch.ended).toMatchObject({ status: 'completed', processed: COUNT })
    const pages = new Map(to.delivered.map((page) => [page.headers['webhook-id'], page]))
    expect(pages.size).toBe(COUNT / 250)
    const ids = [...pages.values()].flatMap((page) =>
      page.body.products.map((one: { id: string }) => one.id),
    )
    expect(ids).toEqual(IDS)
    await to.close()
  })

  test('goes on when Elasticsearch answers too late that a part is stored', async () => {
    await start(LONG_MS)
    let isLate = true
    proxy.hold((line) => {
      if (!isLate || !line.includes('files/_refresh')) return undefined
      isLate = false
      return sleep(limits.requestMs + 500)
    })
    const run = await expectOk(
      runExport(call, 'csv', { catalog, additionalFields: { columns: 'id' } }),
    )
    expect(await watchProgress(call, run.body.taskId).ended).toMatchObject({
      ...{ status: 'completed', processed: COUNT },
    })
    expect(isLate).toBe(false)
    const { body } = await fileAt(call, run.body.redirectUrl)
    expect(body.trimEnd().split('\r\n')).toEqual(['id', ...IDS])
  })

  test('is cancelled within seconds, and leaves nothing behind', async () => {
    await start(LONG_MS)
    slowly(200)
    const run = await expectOk(runExport(call, 'jsonl', { catalog }))
    const watch = watchProgress(call, run.body.taskId)
    await watch.reaches(3_000)
    const asked = performance.now()
    await expectOk(call(`PUT /api/tasks/${run.body.taskId}`, { body: { cancelled: true } }))
    expect(await watch.ended).toMatchObject({ status: 'cancelled', message: 'Cancelled.' })
    expect(performance.now() - asked).toBeLessThan(20_000)
    expect((await fileAt(call, run.body.redirectUrl)).status).toBe(404)
  })
})
