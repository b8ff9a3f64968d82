import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { partOf } from '../../src/platform/load-owner.ts'
import { removeCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import {
  importFile,
  newCatalog,
  product,
  startImport,
  taskEnded,
  taskOf,
  taskWaiting,
} from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

const FULL = { vendor: 'Nord', fullFile: true, targetCatalog: 'c' }
const numbers = (from: number, until: number) =>
  Array.from({ length: until - from }, (_, i) => from + i)
const rows = (ids: readonly number[], price = 5) =>
  ['id,name,price', ...ids.map((id) => `P${id},Name ${id},${price}`)].join('\n')

const vendorsOf = async (id: string) =>
  (await product(call, id)).vendors.map((offer: { vendorName: string }) => offer.vendorName)

const offersOf = async (vendor: string, by = call) =>
  (await expectOk(by('POST /api/search/count?catalog=c', { body: { vendors: [vendor] } }))).body
    .count

const answer = (id: string, body: object) => call(`PUT /api/tasks/${id}`, { body })

describe('a full file', () => {
  test('removes its vendor’s offers that it does not list, and nothing else', async () => {
    await importFile(call, rows(numbers(0, 40)), { vendor: 'Nord' })
    await importFile(call, rows(numbers(0, 40)), { vendor: 'Sud' })
    await expectOk(call('PUT /api/Catalog/c/products/P1', { body: { segment: 'Own' } }))
    await expectOk(call('POST /api/Catalog', { body: { name: 'other' } }))
    const elsewhere = { vendor: 'Nord', targetCatalog: 'other' }
    await taskEnded(call, await startImport(call, rows([1]), elsewhere))

    const entered = vi.spyOn(service.services.requests, 'enter')
    onTestFinished(() => entered.mockRestore())
    const task = await importFile(call, rows(numbers(12, 42), 6), FULL)
    // One batch of rows and one of removed offers.
    const batches = entered.mock.calls.filter(([who]) => who === partOf('imports', organization.id))
    expect(batches).toHaveLength(2)
    expect(task).toMatchObject({
      status: 'completed',
      created: 2,
      updated: 28,
      removed: 12,
      processed: 30,
    })
    expect(task.message).toContain('12 offers of Nord removed that the file does not list.')
    expect(await vendorsOf('P11')).toEqual(['Sud'])
    expect(await vendorsOf('P12')).toEqual(['Nord', 'Sud'])
    expect(await product(call, 'P1')).toMatchObject({ segment: 'Own', name: 'Name 1' })
    expect((await product(call, 'P1', 'other')).vendors).toHaveLength(1)
    expect([await offersOf('Nord'), await offersOf('Sud')]).toEqual([30, 40])

    const again = await importFile(call, rows(numbers(12, 42), 6), FULL)
    expect(again).toMatchObject({ status: 'completed', unchanged: 30, removed: 0 })
    expect(again.message).toContain('The file lists all offers of Nord.')
  })

  test('records removed prices in Insights, and leaves products without offers', async () => {
    await importFile(call, `${rows([1, 2, 3])}\nDS 18 040,,5`, { vendor: 'Nord' })
    // A row with only an id of several words lists its offer.
    const listed = `${rows([1, 2])}\nDS 18 040,,`
    expect(await importFile(call, listed, FULL)).toMatchObject({ processed: 3, removed: 1 })
    expect((await product(call, 'P3')).vendors).toEqual([])
    expect(await vendorsOf('DS 18 040')).toEqual(['Nord'])
    const prices = async () => {
      const { body } = await expectOk(call('GET /api/Catalog/c/products/P3/insights'))
      return body.vendorInsights.map(({ price }: { price: number | null }) => price)
    }
    await expect.poll(prices).toEqual([5, null])
  })

  test('requires a vendor', async () => {
    const body = { fileUrl: 'http://localhost:3000/api/files/x', fullFile: true, fileType: 'csv' }
    const refused = await call('POST /api/extensions/import/import', { body })
    expect(refused.status).toBe(400)
  })

  test('keeps offers that its rows name, even if the rows are rejected', async () => {
    await importFile(call, rows([1, 2, 3]), { vendor: 'Nord' })
    await importFile(call, 'id,attribute: A\nP2,x\n')
    const wrong = `id,name,price\nP1,Name 1,5\nP2,Name 2,abc\nP3,Name 3,5`
    const id = await startImport(call, wrong, FULL)
    const task = await taskWaiting(call, id)
    expect(task.message).toContain(
      'The file does not list 1 of the 3 offers of Nord. 1 rejected row may contain some of them: see rejectsUrl.',
    )
    expect(await vendorsOf('P2')).toEqual(['Nord'])
    await expectOk(answer(id, { cancelled: true }))
    expect(await taskOf(call, id)).toMatchObject({ status: 'cancelled', removed: 0, rejected: 1 })
    expect(await vendorsOf('P2')).toEqual(['Nord'])
  })
})

describe('a full file that lists less than half', () => {
  const begun = async () => {
    await importFile(call, rows(numbers(0, 30)), { vendor: 'Nord' })
    const id = await startImport(call, rows(numbers(0, 5), 7), FULL)
    return { id, task: await taskWaiting(call, id) }
  }

  test('asks before it removes anything, and continues after confirmation', async () => {
    const { id, task } = await begun()
    expect(task).toMatchObject({ processed: 5, updated: 5, removed: 0, completed: false })
    expect(task.message).toContain('The file does not list 25 of the 30 offers of Nord.')
    expect(await offersOf('Nord')).toBe(30)
    // The waiting task does not block other imports.
    expect(await importFile(call, rows([99]), { vendor: 'Sud' })).toMatchObject({ created: 1 })
    await expectOk(answer(id, { confirmed: true }))
    await expectOk(answer(id, { confirmed: true }))
    expect(await taskEnded(call, id)).toMatchObject({
      status: 'completed',
      processed: 5,
      updated: 5,
      removed: 25,
      percentCompleted: 100,
    })
    expect(await offersOf('Nord')).toBe(5)
    expect(await offersOf('Sud')).toBe(1)
    expect((await answer(id, { cancelled: true })).status).toBe(409)
  })

  test('removes nothing if it is cancelled', async () => {
    const { id } = await begun()
    await expectOk(answer(id, { cancelled: true }))
    const task = await taskOf(call, id)
    expect(task).toMatchObject({ status: 'cancelled', completed: true, updated: 5, removed: 0 })
    expect(task.message).toContain(
      'Cancelled. It was waiting for confirmation: The file does not list 25',
    )
    expect(await offersOf('Nord')).toBe(30)
    expect((await answer(id, { confirmed: true })).status).toBe(409)
  })

  test('asks again if offers were added since it asked', async () => {
    const { id } = await begun()
    await importFile(call, rows(numbers(0, 60)), FULL)
    await expectOk(answer(id, { confirmed: true }))
    const task = await taskWaiting(call, id)
    expect(task.message).toContain(
      'The file does not list 55 of the 60 offers of Nord. The previous question was about 25 such offers.',
    )
    expect(await offersOf('Nord')).toBe(60)
    await expectOk(answer(id, { confirmed: true }))
    expect(await taskEnded(call, id)).toMatchObject({ status: 'completed', removed: 55 })
    expect(await offersOf('Nord')).toBe(5)
  })

  test('asks again if as many offers are missing, but others', async () => {
    const { id, task: first } = await begun()
    await expectOk(call('DELETE /api/Catalog/c/products/P29'))
    await importFile(call, rows([40]), { vendor: 'Nord' })
    await expectOk(answer(id, { confirmed: true, message: first.message }))
    const task = await taskWaiting(call, id)
    expect(task.message).toContain(
      'The file does not list 25 of the 30 offers of Nord. Some of them were not part of the previous question.',
    )
    expect(await vendorsOf('P40')).toEqual(['Nord'])
    const stale = await answer(id, { confirmed: true, message: first.message })
    expect([stale.status, stale.body.message]).toEqual([
      409,
      'message: the task now asks a different question',
    ])
    await expectOk(answer(id, { confirmed: true, message: task.message }))
    expect(await taskEnded(call, id)).toMatchObject({ status: 'completed', removed: 25 })
  })

  test('is cancelled if its catalog is deleted, even if there is a new one of its name', async () => {
    const { id } = await begun()
    await expectOk(call('DELETE /api/Catalog/c'))
    await removeCatalog(service, organization.id, 'c')
    await newCatalog(organization)
    await importFile(call, rows(numbers(0, 30)), { vendor: 'Nord' })
    await expectOk(answer(id, { confirmed: true }))
    expect(await taskEnded(call, id)).toMatchObject({ status: 'cancelled' })
    expect(await offersOf('Nord')).toBe(30)
  })

  test('can be confirmed only while it asks', async () => {
    const task = await importFile(call, rows([1]), { vendor: 'Nord' })
    const refused = await answer(task.id, { confirmed: true })
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'confirmed: the task is completed and does not need confirmation',
    ])
  })

  test('does not run on a later catalog of the same name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
    const idle = await startService({ folder, idle: true, tasks: { concurrency: 0 } })
    const key = await organization.key('administrator')
    const queuing = caller(idle, { key, organization: organization.id })
    const deleting = { ...FULL, missing: 'delete' }
    const queued = [
      await startImport(queuing, rows([1, 2]), deleting),
      await startImport(queuing, rows([1, 2]), { targetCatalog: 'c' }),
    ]
    const pictures = await expectOk(queuing('POST /api/Catalog/c/pictures/fetch', { body: {} }))
    await expectOk(call('DELETE /api/Catalog/c'))
    await removeCatalog(service, organization.id, 'c')
    await newCatalog(organization)
    await importFile(call, rows([7]), { vendor: 'Nord' })
    const running = await startService({ folder })
    const through = caller(running, { key, organization: organization.id })
    for (const id of [...queued, pictures.body.taskId]) {
      expect(await taskEnded(through, id)).toMatchObject({
        status: 'cancelled',
        message: expect.stringContaining('The catalog was deleted.'),
      })
    }
    const found = await expectOk(call('POST /api/search/simple', { body: { catalog: 'c' } }))
    expect(found.body.products.map(({ id }: { id: string }) => id)).toEqual(['P7'])
  })

  test('waits through a restart, an interruption and for another instance', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
    const first = await startService({ folder })
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const key = await organization.key('administrator')
    const through = (one: TestService) => caller(one, { key, organization: organization.id })
    const count = 3_000
    await importFile(through(first), rows(numbers(0, count)), { vendor: 'Nord' })
    const listed = numbers(0, 18).map((id) => `P${id},Name ${id},5,`)
    const withDeleted = ['id,name,price,_delete', ...listed, 'P18,,,x', 'P19,,,x'].join('\n')
    const deleting = { ...FULL, missing: 'delete' }
    const id = await startImport(through(first), withDeleted, deleting)
    await taskWaiting(through(first), id)
    await first.stop()
    expect(await taskOf(call, id)).toMatchObject({ status: 'waiting' })

    const second = await startService({ folder, node: proxy.node, tasks: { leaseMs: 1_000 } })
    let batches = 0
    const isGone = Promise.withResolvers<void>()
    proxy.set('dropAnswer', (line) => {
      if (!line.includes('_bulk?filter_path=items') || ++batches < 3) return false
      setImmediate(() => {
        proxy.set('refuse')
        isGone.resolve()
      })
      return true
    })
    await expectOk(answer(id, { confirmed: true }))
    await isGone.promise
    const third = await startService({ folder, tasks: { leaseMs: 1_000 } })
    const task = await taskEnded(through(third), id)
    expect(task).toMatchObject({ status: 'completed', removed: count - 20, unchanged: 18 })
    expect(task.message).toContain('2 updated (2 deleted), 18 unchanged')
    expect(await offersOf('Nord', through(third))).toBe(18)
    await proxy.close()
    await Promise.all([second.stop(), third.stop()])
  })
})
