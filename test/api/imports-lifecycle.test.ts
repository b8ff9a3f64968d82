import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { limits } from '../../src/limits.ts'
import { noAnnotations } from '../../src/products/product.ts'
import { changeProduct } from '../../src/products/store.ts'
import { removeCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import {
  counts,
  importFile,
  newCatalog,
  product,
  rejectsOf,
  startImport,
  taskEnded,
  taskOf,
  upload,
} from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf } from '../support/tasks.ts'

const row = (i: number) => `P${i},Name ${i},Maker ${i % 7},M-${i},Nord,${i % 90}`
const HEADER = 'id,name,manufacturer,mpn,vendor,price'
/** One row in a hundred is invalid. */
const fileOf = (rows: number) =>
  [
    HEADER,
    ...Array.from({ length: rows }, (_, i) => (i % 100 === 50 ? `P${i},x,y,z,Nord,abc` : row(i))),
  ].join('\n')
const countsOf = (rows: number) => ({
  processed: rows,
  created: rows - rows / 100,
  updated: 0,
  unchanged: 0,
  rejected: rows / 100,
})
/** Six batches of rows, so that an import that goes on for a moment does not end. */
const ROWS = 3_000
const FILE = fileOf(ROWS)
const WHOLE = countsOf(ROWS)
/** Four batches. */
const SHORT_ROWS = 2_000
const SHORT_FILE = fileOf(SHORT_ROWS)

let folder: string
let service: TestService
let organization: TestOrganization
let call: Call
let services: TestService[] = []

async function start(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const started = await startService({ folder, ...options })
  services.push(started)
  return started
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
  service = await start()
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

afterEach(async () => {
  await Promise.all(services.map((one) => one.stop()))
  services = []
})

const underWay = (id: string, by: Call) =>
  vi.waitFor(
    async () => {
      const task = await taskOf(by, id)
      if (task.processed === 0) throw new Error(`${task.status}: ${task.message}`)
      return task
    },
    { timeout: 60_000, interval: 150 },
  )

const countIn = async (by: Call, catalog = 'c') =>
  (await expectOk(by(`POST /api/search/count?catalog=${catalog}`, { body: {} }))).body.count

/** Lets `count` batches of products through, and rejects later ones as busy. */
function takeBatches(proxy: FaultProxy, count: number): void {
  let left = count
  proxy.set(
    'busy',
    // Bulks to Insights have another filter_path, and those to the audit log are shorter.
    (line, length) =>
      /^POST \/_bulk\?filter_path=items/.test(line) && length > 10_000 && --left < 0,
  )
}

/** Calls in the same organization through another instance. */
const through = async (other: TestService, by: TestOrganization) =>
  caller(other, { key: await by.key('administrator'), organization: by.id })

describe('an interrupted import', () => {
  test('continues where it was when the service starts again', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    await service.stop()
    const first = await start({ node: proxy.node })
    const theirs = await through(first, organization)
    takeBatches(proxy, 3)
    const id = await startImport(theirs, FILE, { targetCatalog: 'c' })
    const before = await underWay(id, theirs)
    const stopping = first.stop()
    proxy.set('none')
    await stopping
    const stopped = await taskOf(theirs, id)
    expect(stopped.status).toBe('running')
    expect(stopped.processed).toBeGreaterThanOrEqual(before.processed)
    expect(stopped.processed).toBeLessThan(ROWS)
    const next = await start()
    const after = await through(next, organization)
    const task = await taskEnded(after, id)
    expect(task.status).toBe('completed')
    expect(counts(task)).toEqual(WHOLE)
    expect(await countIn(after)).toBe(WHOLE.created)
    const lines = (await rejectsOf(after, task)).trimEnd().split('\r\n')
    expect(lines).toHaveLength(1 + WHOLE.rejected)
    expect(new Set(lines).size).toBe(lines.length)
    await proxy.close()
  })

  test('is taken over from a dead instance, and counts nothing twice', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    await service.stop()
    // A lease that a short stall of the machine does not end.
    const gone = await start({ node: proxy.node, tasks: { leaseMs: 5_000 } })
    const theirs = await through(gone, organization)
    takeBatches(proxy, 3)
    const id = await startImport(theirs, FILE, { targetCatalog: 'c' })
    await underWay(id, theirs)
    proxy.set('refuse')
    const next = await start({ tasks: { leaseMs: 5_000 } })
    const after = await through(next, organization)
    const task = await taskEnded(after, id)
    expect(task.status).toBe('completed')
    expect(counts(task)).toEqual(WHOLE)
    expect(await countIn(after)).toBe(task.created)
    proxy.set('none')
    await gone.stop()
    expect(await taskOf(after, id)).toEqual(task)
    await proxy.close()
  })

  test('lists every rejected row, even if the end of the task has to be written twice', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    await service.stop()
    const gone = await start({ node: proxy.node, tasks: { leaseMs: 4_000, beatMs: 20 } })
    const theirs = await through(gone, organization)
    // Enough for several parts of the list, which are joined and removed.
    const filler = 'x'.repeat(200)
    const wrong = Array.from({ length: 3_000 }, (_, i) => `P${i},${filler},y,z,Nord,abc`)
    const isGone = Promise.withResolvers<void>()
    proxy.set('refuse', (line) => {
      if (!/^DELETE .*-files\//.test(line)) return false
      proxy.set('refuse')
      isGone.resolve()
      return true
    })
    const id = await startImport(theirs, [HEADER, ...wrong].join('\n'), { targetCatalog: 'c' })
    await isGone.promise
    const next = await start()
    const after = await through(next, organization)
    const task = await taskEnded(after, id)
    expect(task).toMatchObject({ status: 'completed', rejected: 3_000 })
    const lines = (await rejectsOf(after, task)).trimEnd().split('\r\n')
    expect(lines).toHaveLength(3_001)
    expect(new Set(lines).size).toBe(lines.length)
    proxy.set('none')
    await gone.stop()
    await proxy.close()
  })
})

describe('an import that is stopped', () => {
  /** Runs `stop` while an import has stored some of its rows and waits to store others. */
  async function stopped(stop: (by: Call, id: string) => Promise<unknown>) {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    await service.stop()
    const by = await through(await start({ node: proxy.node }), organization)
    takeBatches(proxy, 3)
    const id = await startImport(by, FILE, { targetCatalog: 'c' })
    await underWay(id, by)
    await stop(by, id)
    proxy.set('none')
    const asked = performance.now()
    const task = await taskEnded(by, id)
    expect(performance.now() - asked).toBeLessThan(20_000)
    expect(task.status).toBe('cancelled')
    return { task, by, close: () => proxy.close() }
  }

  test('is cancelled within seconds and reports what it has done', async () => {
    const { task, by, close } = await stopped((caller, id) =>
      expectOk(caller(`PUT /api/tasks/${id}`, { body: { cancelled: true } })),
    )
    expect(task.message).toMatch(/^Cancelled\. [\d,]+ rows: /)
    expect(task.processed).toBeGreaterThan(0)
    expect(task.processed).toBeLessThan(ROWS)
    await expect.poll(() => countIn(by)).toBe(task.created)
    await close()
  })

  test('is cancelled if its catalog is deleted, which stays empty', async () => {
    const { task, by, close } = await stopped((caller) => expectOk(caller('DELETE /api/Catalog/c')))
    expect(task.message).toContain('The catalog was deleted.')
    expect((await by('GET /api/Catalog/c/products/P1')).status).toBe(404)
    await close()
  })

  test('is cancelled if its catalog is replaced by another of its name, which stays empty', async () => {
    const { task, by, close } = await stopped(async (importing) => {
      const other = await start({ folder: await mkdtemp(join(tmpdir(), 'aisle-files-')) })
      const elsewhere = await through(other, organization)
      await expectOk(elsewhere('DELETE /api/Catalog/c'))
      // Products are removed only after every instance knows.
      await expect
        .poll(
          async () => (await importing('POST /api/search/count?catalog=c', { body: {} })).status,
        )
        .toBe(404)
      await removeCatalog(other, organization.id, 'c')
      await expectOk(elsewhere('POST /api/Catalog', { body: { name: 'c' } }))
    })
    expect(task.message).toContain('The catalog was deleted.')
    expect(await countIn(by)).toBe(0)
    await close()
  })
})

describe('changes during an import', () => {
  test('to annotations are kept', async () => {
    await importFile(call, `${HEADER}\n${row(1)}\n${row(2)}`)
    const scope = {
      owner: organization.id,
      name: 'c',
      index: null,
      checkRealtime: false,
      language: 'en',
    } as const
    const annotations = { [organization.id]: { ...noAnnotations, favorite: true, tags: ['seen'] } }
    await changeProduct(contextOf(organization.id, service), scope, 'P1', (document) => ({
      ...document,
      annotations,
    }))
    await expectOk(call('PUT /api/Catalog/c/products/P1', { body: { segment: 'Own' } }))
    const task = await importFile(call, `${HEADER}\n${row(1).replace('Name 1', 'New name')}\n`)
    expect(counts(task)).toMatchObject({ updated: 1 })
    expect(await product(call, 'P1')).toMatchObject({
      name: 'New name',
      segment: 'Own',
      favorite: { company: true, user: false },
      tags: ['seen'],
    })
  })

  test('through the API at the same time are all kept', async () => {
    const ids = Array.from({ length: 200 }, (_, i) => `P${i}`)
    await importFile(call, ['id,name', ...ids.map((id) => `${id},old`)].join('\n'))
    const rows = ids.map((id) => `${id},new,blue`)
    const running = startImport(call, ['id,name,facet:Color', ...rows].join('\n'), {
      targetCatalog: 'c',
    })
    const edits = ids
      .slice(0, 60)
      .map((id) => expectOk(call(`PUT /api/Catalog/c/products/${id}`, { body: { segment: 'S' } })))
    await Promise.all(edits)
    const task = await taskEnded(call, await running)
    expect(counts(task)).toMatchObject({ updated: 200, rejected: 0 })
    for (const id of ids.slice(0, 60)) {
      expect(await product(call, id)).toMatchObject({
        name: 'new',
        segment: 'S',
        facets: { Color: 'blue' },
        version: '3',
      })
    }
  })

  test('by another import that identifies products differently create each product once', async () => {
    const numbers = Array.from({ length: 1_000 }, (_, i) => i)
    const byId = numbers.map((i) => `P${i},Acme,M-${i},Nord,5`)
    const byKey = numbers.toReversed().map((i) => `Acme,M-${i},Sud,6`)
    const start = (heading: string, lines: readonly string[]) =>
      startImport(call, [heading, ...lines].join('\n'), { targetCatalog: 'c' })
    const ids = [
      await start('id,manufacturer,mpn,vendor,price', byId),
      await start('manufacturer,mpn,vendor,price', byKey),
    ]
    for (const id of ids) expect(await taskEnded(call, id)).toMatchObject({ rejected: 0 })
    expect(await countIn(call)).toBe(1_000)
    expect((await product(call, 'P77')).vendors).toHaveLength(2)
  })

  test('by another import of the same file create each product once', async () => {
    const file = [HEADER, ...Array.from({ length: 1_000 }, (_, i) => row(i))].join('\n')
    const ids = await Promise.all([1, 2].map(() => startImport(call, file, { targetCatalog: 'c' })))
    const tasks = await Promise.all(ids.map((id) => taskEnded(call, id)))
    const created = tasks.map((task) => task.created).reduce((a, b) => a + b)
    const unchanged = tasks.map((task) => task.unchanged).reduce((a, b) => a + b)
    expect([created, unchanged]).toEqual([1_000, 1_000])
    expect(await countIn(call)).toBe(1_000)
  })
})

test('the batches of an import release their places between writes', async () => {
  const { requests } = service.services
  const entered = vi.spyOn(requests, 'enter')
  expect(counts(await importFile(call, SHORT_FILE))).toEqual(countsOf(SHORT_ROWS))
  const batches = entered.mock.calls.filter(([, request]) => request?.givesWay)
  expect(batches.length).toBeGreaterThan(1)
  entered.mockRestore()
  for (const owner of ['a', 'b', 'c', 'd']) {
    await requests.enter(owner, { cost: limits.requestPlaces / 4 })
  }
})

test('short rows about large products are sent in requests of a few megabytes', async () => {
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  await service.stop()
  const by = await through(await start({ node: proxy.node }), organization)
  const text = 'x'.repeat(200)
  const attributes = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, i) => [`Attribute ${i}`, text]),
  )
  const ids = Array.from({ length: 40 }, (_, i) => `P${i}`)
  const lines = ids.map((id) => JSON.stringify({ id, name: id, attributes }))
  await importFile(by, lines.join('\n'), { name: 'data.jsonl' })
  proxy.set('none')
  const prices = ids.map((id) => `${id},Nord,5`)
  const task = await importFile(by, ['id,vendor,cost', ...prices, 'P7,Nord,6'].join('\n'))
  expect(counts(task)).toMatchObject({ processed: 41, updated: 41, rejected: 0 })
  expect((await product(by, 'P7')).vendors).toMatchObject([{ cost: 6 }])
  expect(await countIn(by)).toBe(40)
  expect(proxy.largest()).toBeGreaterThan(2_000_000)
  expect(proxy.largest()).toBeLessThan(6_000_000)
  await proxy.close()
})

describe('while Elasticsearch is in trouble', () => {
  test('an import saves its list of rejected rows as soon as it can, and continues', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    await service.stop()
    // With this lease, a holder that gave up the task would be replaced only after a minute.
    const troubled = await start({ node: proxy.node, tasks: { leaseMs: 60_000 } })
    const theirs = await through(troubled, organization)
    const filler = 'x'.repeat(200)
    const wrong = Array.from({ length: 3_000 }, (_, i) => `P${i},${filler},y,z,Nord,abc`)
    const fileUrl = await upload(theirs, [HEADER, ...wrong].join('\n'))
    let faulty = 0
    proxy.set('down', (line) => /^PUT .*-files\//.test(line) && ++faulty <= 3)
    const body = { fileUrl, targetCatalog: 'c' }
    const queued = await expectOk(theirs('POST /api/extensions/import/import', { body }))
    const task = await taskEnded(theirs, queued.body.taskId)
    expect(faulty).toBeGreaterThan(3)
    expect(task).toMatchObject({ status: 'completed', rejected: 3_000 })
    expect((await rejectsOf(theirs, task)).trimEnd().split('\r\n')).toHaveLength(3_001)
    await proxy.close()
  })

  const faults = ['busy', 'busyItems', 'down', 'refuse', 'dropAnswer'] as const

  test.each(faults)('%s: an import waits, continues by itself and loses nothing', async (fault) => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    await service.stop()
    const troubled = await start({ node: proxy.node })
    const theirs = await through(troubled, organization)
    const fileUrl = await upload(theirs, SHORT_FILE)
    let faulty = 0
    proxy.set(fault, (line) => {
      if (!line.startsWith('POST /_bulk')) return false
      return ++faulty % 3 === 0 && faulty < 30
    })
    const body = { fileUrl, targetCatalog: 'c' }
    const queued = await expectOk(theirs('POST /api/extensions/import/import', { body }))
    const task = await taskEnded(theirs, queued.body.taskId)
    expect(faulty).toBeGreaterThan(10)
    expect(task.status).toBe('completed')
    expect(counts(task)).toEqual(countsOf(SHORT_ROWS))
    await proxy.close()
  })
})
