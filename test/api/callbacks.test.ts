import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deliveriesOf } from '../../src/callbacks/store.ts'
import { sweepCallbacks } from '../../src/callbacks/sweep.ts'
import { collection } from '../../src/elastic/collection.ts'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { reencryptAll } from '../../src/sealing/reencrypt.ts'
import { callbackOf, callbacksOf, importCallingBack } from '../support/callbacks.ts'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'
import { newCatalog, startImport, taskEnded, taskOf } from '../support/imports.ts'
import { isSignedBy, type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type TestService } from '../support/service.ts'

const settings = {
  outbound: createOutbound({ allow: '127.0.0.1' }),
}

let service: TestService
let receiver: Receiver
let organization: Awaited<ReturnType<typeof newOrganization>>
let call: Call
beforeAll(async () => {
  service = await startService(settings)
})
afterAll(() => service.stop())
beforeEach(async () => {
  receiver = await startReceiver()
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
  return () => receiver.close()
})

const rotate = async (): Promise<string> =>
  (await expectOk(call('POST /api/callbacks/secret'))).body.secret

const delivered = (taskId: string) =>
  callbackOf(call, taskId, ({ status }) => status === 'delivered')

describe('the address of a callback', () => {
  const stored = async (kind: string) => {
    await refreshIndex(service.services.elastic, kind)
    const scope = [organization.id]
    const found = await collection<object>(service.services.elastic, { kind, scope }).search({})
    return JSON.stringify(found.hits.hits)
  }

  test('is stored encrypted, in the task and in the delivery', async () => {
    await delivered(await importCallingBack(call, receiver.url('/done?token=s3cret')))
    expect(await stored('tasks')).not.toContain('s3cret')
    expect(await stored('callbacks')).not.toContain('s3cret')
    expect(receiver.received()[0]!.path).toBe('/done?token=s3cret')
  })

  test('is read if an earlier version stored it unencrypted, and encrypted later', async () => {
    const id = await importCallingBack(call, receiver.url('/failing'))
    const callback = await delivered(id)
    const deliveries = deliveriesOf(service.services, organization.id)
    const found = (await deliveries.get(callback.id))!
    const url = receiver.url('/done?token=s3cret')
    await deliveries.replace(callback.id, { ...found.source, url }, found, { refresh: true })
    const again = () => expectOk(call(`POST /api/callbacks/${callback.id}/redeliver`))
    const paths = () => receiver.received().map(({ path }) => path)
    await again()
    await expect.poll(paths).toEqual(['/failing', '/done?token=s3cret'])
    await delivered(id)
    await reencryptAll(service.services)
    expect(await stored('callbacks')).not.toContain('s3cret')
    await again()
    await expect.poll(paths).toHaveLength(3)
    expect(paths()[2]).toBe('/done?token=s3cret')
    expect((await delivered(id)).url).toBe(url)
  })
})

describe('a completed task', () => {
  test('sends its callback the task as Get Tasks returns it, signed, once', async () => {
    const secret = await rotate()
    const id = await importCallingBack(call, receiver.url('/done?token=1'))
    const callback = await delivered(id)
    const [message, ...more] = receiver.received()
    expect(more).toEqual([])
    // A third-party library accepts signature, time and form.
    const payload = new Webhook(secret).verify(message!.body, { ...message!.headers })
    const { items } = (await call('GET /api/tasks')).body
    expect(payload).toEqual({
      type: 'task.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
      data: items[0],
    })
    expect(items[0]).toMatchObject({ id, status: 'completed', created: 1 })
    expect(message).toMatchObject({ path: '/done?token=1', id: callback.id })
    expect(message!.headers['content-type']).toBe('application/json')
    expect(callback).toEqual({
      id: callback.id,
      taskId: id,
      url: receiver.url('/done?token=1'),
      status: 'delivered',
      attempts: [{ time: expect.any(String), status: 200, error: null }],
      nextAttempt: null,
    })
  })

  test('reports its outcome', async () => {
    const failing = await startImport(call, 'not a gzip', {
      name: 'x.csv.gz',
      targetCatalog: 'c',
      callbackUrl: receiver.url('/failing'),
      zippedFile: 'none.csv',
    })
    await delivered(failing)
    const { body } = receiver.received('/failing')[0]!
    expect(JSON.parse(body)).toMatchObject({ type: 'task.failed', data: { status: 'failed' } })
  })

  test('reports that it was cancelled before it started', async () => {
    const idle = await startService({ ...settings, tasks: { concurrency: 0 } })
    const { key, id } = organization
    const asleep = caller(idle, { key: await key('administrator'), organization: id })
    const task = await importCallingBack(asleep, receiver.url())
    await expectOk(asleep(`PUT /api/tasks/${task}`, { body: { cancelled: true } }))
    await delivered(task)
    expect(JSON.parse(receiver.received()[0]!.body).type).toBe('task.cancelled')
    await idle.stop()
  })

  test('without a callback sends nothing', async () => {
    const id = await startImport(call, 'id\n1\n', { targetCatalog: 'c', callbackUrl: '' })
    await taskEnded(call, id)
    await delivered(await importCallingBack(call, receiver.url()))
    expect(await callbacksOf(call)).toHaveLength(1)
  })
})

test.each([
  ['http://127.0.0.1:1/x', 'leads to an address that is only allowed'],
  ['http://[::ffff:7f00:1]/x', 'leads to an address that is only allowed'],
  ['http://localhost/x', 'leads to an address that is only allowed'],
  ['https://user:secret@example.com/', 'must not contain a user name or password'],
  ['ftp://example.com/', 'must begin with https:// or http://'],
  ['example.com', 'must be a URL'],
])('an import with the callback %s is refused', async (callbackUrl, reason) => {
  const strict = await startService()
  const { key, id } = organization
  const guarded = caller(strict, { key: await key('administrator'), organization: id })
  const body = { fileUrl: 'x', targetCatalog: 'c', callbackUrl }
  const answer = await guarded('POST /api/extensions/import/import', { body })
  expect(answer.status).toBe(400)
  expect(answer.body.message).toContain(`callbackUrl: ${reason}`)
  expect((await guarded('GET /api/tasks')).body.items).toEqual([])
  await strict.stop()
})

describe('Redeliver', () => {
  test('sends the same message with the same id, even if it was accepted before', async () => {
    const task = await importCallingBack(call, receiver.url())
    const { id } = await delivered(task)
    const answer = await call(`POST /api/callbacks/${id}/redeliver`)
    expect(answer.body).toEqual({
      success: true,
      message: 'The callback is queued.',
      id,
      taskId: null,
    })
    const again = await callbackOf(call, task, ({ attempts }) => attempts.length === 2)
    expect(again.status).toBe('delivered')
    const [first, second] = receiver.received()
    expect([second!.id, second!.body]).toEqual([first!.id, first!.body])
  })

  test('returns the same 404 for a foreign callback as for a missing one', async () => {
    const { id } = await delivered(await importCallingBack(call, receiver.url()))
    const other = await newOrganization(service)
    const foreign = await other.call(`POST /api/callbacks/${id}/redeliver`)
    const missing = await other.call('POST /api/callbacks/task_none/redeliver')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
    expect(await callbacksOf(other.call)).toEqual([])
  })
})

describe('the secret', () => {
  test('is a new one each time, and the previous one signs as well', async () => {
    const [first, second] = [await rotate(), await rotate()]
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(second).not.toBe(first)
    await delivered(await importCallingBack(call, receiver.url()))
    const [message] = receiver.received()
    for (const secret of [first, second]) {
      new Webhook(secret).verify(message!.body, { ...message!.headers })
    }
  })

  test('no longer signs 24 hours after it was replaced', async () => {
    const [first, second] = [await rotate(), await rotate()]
    const { id } = await delivered(await importCallingBack(call, receiver.url()))
    await service.stop()
    const later = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) })
    for (const hours of [23.9, 24.1]) {
      const timed = await startService({ ...settings, clock: later(hours) })
      const { key } = organization
      const there = caller(timed, { key: await key('editor'), organization: organization.id })
      await expectOk(there(`POST /api/callbacks/${id}/redeliver`))
      await callbackOf(there, (await callbacksOf(there))[0]!.taskId, (callback) => {
        return callback.status === 'delivered' && callback.attempts.length === (hours < 24 ? 2 : 3)
      })
      const message = receiver.received().at(-1)!
      expect([first, second].map((secret) => isSignedBy(secret, message))).toEqual([
        hours < 24,
        true,
      ])
      await timed.stop()
    }
    service = await startService(settings)
  })

  test('is stored encrypted', async () => {
    const secret = await rotate()
    await refreshIndex(service.services.elastic, 'callback-secrets')
    const kept = collection<object>(service.services.elastic, {
      kind: 'callback-secrets',
      scope: [organization.id],
    })
    const { hits } = await kept.search({ size: 10, query: { match_all: {} } })
    const text = JSON.stringify(hits)
    expect(text).toContain(organization.id)
    expect(text).not.toContain(secret.slice('whsec_'.length))
  })

  test('is only for administrators', async () => {
    const editor = await organization.as('editor')
    expect((await editor('POST /api/callbacks/secret')).status).toBe(403)
    const viewer = await organization.as('viewer')
    expect((await viewer('GET /api/callbacks')).status).toBe(403)
  })
})

test('callbacks are listed page by page, newest first', async () => {
  const tasks: string[] = []
  for (const _ of [1, 2, 3]) {
    const id = await importCallingBack(call, receiver.url())
    await delivered(id)
    tasks.unshift(id)
  }
  const page = async (query: string) =>
    (await expectOk(call(`GET /api/callbacks?${query}`))).body.items.map(
      ({ taskId }: { taskId: string }) => taskId,
    )
  expect(await page('')).toEqual(tasks)
  expect(await page('page=0&pageSize=2')).toEqual(tasks.slice(0, 2))
  expect(await page('page=1&pageSize=2')).toEqual(tasks.slice(2))
  expect((await call('GET /api/callbacks?page=400&pageSize=25')).status).toBe(400)
})

test('callbacks are deleted after 30 days, their tasks are not', async () => {
  const task = await importCallingBack(call, receiver.url())
  await delivered(task)
  const at = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)
  const sweepAt = (days: number) =>
    sweepCallbacks({ ...service.services, clock: { now: () => at(days) } })
  await refreshIndex(service.services.elastic, 'callbacks')
  await sweepAt(29.9)
  await refreshIndex(service.services.elastic, 'callbacks')
  expect(await callbacksOf(call)).toHaveLength(1)
  await sweepAt(30.1)
  await refreshIndex(service.services.elastic, 'callbacks')
  expect(await callbacksOf(call)).toEqual([])
  expect((await taskOf(call, task)).status).toBe('completed')
})
