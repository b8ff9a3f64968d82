import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { seedCatalog, seedProducts } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { fileAt, linesOf, runExport, startReceiver } from '../support/exports.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService, workerPrefix } from '../support/service.ts'
import { type Instance, startInstance } from './instances.ts'
import { leaseIn } from './stored.ts'
import { watchProgress } from './watch.ts'

const COUNT = 20_000
/** Products of 20 KB each, some 85 MB in total. */
const LARGE_COUNT = 4_250
const idOf = (n: number) => `P${String(n).padStart(6, '0')}`
const IDS = Array.from({ length: COUNT }, (_, n) => idOf(n))
const LEASE_MS = 1_500
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
  const text = 'a'.repeat(2_000)
  const attributes = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`Text ${n}`, text]))
  large = await seed(IDS.slice(0, LARGE_COUNT), attributes)
})

async function seed(ids: readonly string[], attributes: Record<string, string>): Promise<string> {
  const name = await seedCatalog(front, organization, [])
  const products = ids.map((id) => ({ id, name: `Product ${id}`, attributes }))
  for (let at = 0; at < ids.length; at += 1_000) {
    const some = products.slice(at, at + 1_000)
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

async function start(): Promise<Instance> {
  const started = await startInstance({
    name: `exporter-${++born}`,
    node: proxy.node,
    prefix: workerPrefix(),
    folder,
    publicUrl: front.services.publicUrl,
    skewMs: 0,
    leaseMs: LEASE_MS,
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
  const lease = await leaseIn(place, organization.id)
  const holder = alive.find(({ name }) => name === lease?.holder)
  if (!holder) throw new Error(`nobody runs it: ${JSON.stringify(lease)}`)
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
    const exporter = await start()
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
    slowly(50)
    const run = await expectOk(
      runExport(call, 'csv', { catalog, additionalFields: { columns: 'id,name' } }),
    )
    const watch = watchProgress(call, run.body.taskId)
    for (const processed of [5_000, 10_000]) {
      expect(await watch.reaches(processed)).toBe(true)
      await kill()
    }
    expect(await watch.reaches(15_000)).toBe(true)
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
    slowly(50)
    const run = await expectOk(runExport(call, body.id, { catalog }))
    const watch = watchProgress(call, run.body.taskId)
    for (const processed of [3_000, 9_000, 15_000]) {
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

  test('is cancelled within seconds, and leaves nothing behind', async () => {
    await start()
    slowly(100)
    const run = await expectOk(runExport(call, 'jsonl', { catalog }))
    const watch = watchProgress(call, run.body.taskId)
    await watch.reaches(5_000)
    const asked = performance.now()
    await expectOk(call(`PUT /api/tasks/${run.body.taskId}`, { body: { cancelled: true } }))
    expect(await watch.ended).toMatchObject({ status: 'cancelled', message: 'Cancelled.' })
    expect(performance.now() - asked).toBeLessThan(20_000)
    expect((await fileAt(call, run.body.redirectUrl)).status).toBe(404)
  })
})
