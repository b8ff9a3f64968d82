import { afterEach, describe, expect, inject, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { callbackOf, callbacksOf, importCallingBack } from '../support/callbacks.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { newCatalog, startImport, taskEnded } from '../support/imports.ts'
import { isSignedBy, type Receiver, startReceiver } from '../support/receiver.ts'
import { startService, type TestService } from '../support/service.ts'

const outbound = createOutbound({ allow: '127.0.0.1' })
/** Milliseconds after which a callback is seen to be due again, once the test has moved the clock. */
const POLL_MS = 100
/** An instance that runs tasks but sends no callbacks. */
const mute = { outbound, callbacks: { atOnce: 0 } }

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const service = await startService({ outbound, callbacks: { pollMs: POLL_MS }, ...options })
  cleanups.push(() => service.stop())
  return service
}

async function receive(port?: number): Promise<Receiver> {
  const receiver = await startReceiver(port)
  cleanups.push(receiver.close)
  return receiver
}

async function shop(service: TestService) {
  const organization = await newOrganization(service)
  await newCatalog(organization)
  return organization
}

/** Calls of the same user at another instance. */
async function at(service: TestService, organization: Awaited<ReturnType<typeof shop>>) {
  return caller(service, {
    key: await organization.key('administrator'),
    organization: organization.id,
  })
}

/** A clock that the test moves. */
function movable() {
  let ahead = 0
  return {
    clock: { now: () => new Date(Date.now() + ahead) },
    moveTo(time: string) {
      ahead = Math.max(ahead, Date.parse(time) - Date.now())
    },
    move(ms: number) {
      ahead += ms
    },
  }
}

const attempts = (count: number) => (callback: { attempts: readonly unknown[] }) =>
  callback.attempts.length === count

describe('a receiver that does not accept a callback', () => {
  test('is retried for a day with one id, and then given up', async () => {
    const time = movable()
    const service = await start({ clock: time.clock })
    const { call } = await shop(service)
    const { secret } = (await expectOk(call('POST /api/callbacks/secret'))).body
    const receiver = await receive()
    receiver.reply({ status: 500 })
    const task = await importCallingBack(call, receiver.url())
    for (let count = 1; count < 11; count++) {
      const { status, nextAttempt } = await callbackOf(call, task, attempts(count))
      expect(status).toBe('pending')
      time.moveTo(nextAttempt!)
    }
    const last = await callbackOf(call, task, attempts(11))
    expect(last).toMatchObject({ status: 'failed', nextAttempt: null })
    expect(last.attempts[0]).toMatchObject({
      status: 500,
      error: 'The receiver responded with status 500.',
    })
    const all = receiver.received()
    expect(new Set(all.map(({ id, body }) => id + body)).size).toBe(1)
    expect(all.every((message) => isSignedBy(secret, message))).toBe(true)
    const times = last.attempts.map((one) => Date.parse(one.time) / 1_000)
    const delays = times.slice(1).map((one, index) => one - times[index]!)
    const wanted = [5, 30, 120, 600, 1800, 3600, 7200, 14400, 28800, 28800]
    // Up to a tenth longer by design, plus the time that the test itself takes.
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(wanted[index]!)
      expect(delay).toBeLessThan(wanted[index]! * 1.1 + 20)
    }
  })

  test('is retried after the delay that it asks for', async () => {
    const time = movable()
    const service = await start({ clock: time.clock })
    const { call } = await shop(service)
    const receiver = await receive()
    receiver.reply({ status: 429, headers: { 'retry-after': '600' } })
    const task = await importCallingBack(call, receiver.url())
    const { nextAttempt } = await callbackOf(call, task, attempts(1))
    const wait = Date.parse(nextAttempt!) - time.clock.now().getTime()
    expect(wait / 1_000).toBeGreaterThan(560)
    expect(wait / 1_000).toBeLessThanOrEqual(600)
    receiver.reply({ status: 204 })
    time.moveTo(nextAttempt!)
    expect(await callbackOf(call, task, attempts(2))).toMatchObject({ status: 'delivered' })
  })

  test('is not retried after 410', async () => {
    const service = await start()
    const { call } = await shop(service)
    const receiver = await receive()
    receiver.reply({ status: 410 })
    const task = await importCallingBack(call, receiver.url())
    expect(await callbackOf(call, task, attempts(1))).toMatchObject({
      status: 'failed',
      nextAttempt: null,
    })
  })

  test('is not followed if it redirects', async () => {
    const service = await start()
    const { call } = await shop(service)
    const [receiver, elsewhere] = [await receive(), await receive()]
    receiver.reply({ status: 307, headers: { location: elsewhere.url() } })
    const task = await importCallingBack(call, receiver.url())
    const callback = await callbackOf(call, task, attempts(1))
    expect(callback).toMatchObject({
      status: 'pending',
      attempts: [{ status: null, error: 'The response is a redirect, which is not followed.' }],
    })
    expect(elsewhere.received()).toEqual([])
  })

  test('does not delay others if it hangs', async () => {
    const service = await start({ callbacks: { atOnce: 3, perOrganization: 2 } })
    const [slow, quick] = [await shop(service), await shop(service)]
    const [hanging, receiver] = [await receive(), await receive()]
    hanging.reply('hang')
    const waiting: string[] = []
    for (const _ of [1, 2, 3, 4]) waiting.push(await importCallingBack(slow.call, hanging.url()))
    for (const task of waiting) await taskEnded(slow.call, task)
    const task = await importCallingBack(quick.call, receiver.url())
    await callbackOf(quick.call, task, ({ status }) => status === 'delivered')
    expect(hanging.received()).toHaveLength(2)
  })

  test('lets other receivers of its organization go first once it did not respond', async () => {
    const queuing = await start({ callbacks: { perOrganization: 0 } })
    const { call } = await shop(queuing)
    const [silent, receiver] = [await receive(), await receive()]
    silent.reply('close')
    const due = async (url: string) => {
      const task = await importCallingBack(call, url)
      await callbackOf(call, task, ({ status }) => status === 'pending')
      return task
    }
    for (const _ of [1, 2, 3]) await due(silent.url())
    const task = await due(receiver.url())
    receiver.reply('hang')
    await start({ callbacks: { perOrganization: 1 } })
    await expect.poll(() => receiver.received()).toHaveLength(1)
    expect(new Set(silent.received().map(({ id }) => id)).size).toBe(1)
    receiver.release()
    await callbackOf(call, task, ({ status }) => status === 'delivered')
    await expect.poll(() => new Set(silent.received().map(({ id }) => id)).size).toBe(3)
  })

  test('lets other organizations go first, even if it has more callbacks due', async () => {
    const queuing = await start({ callbacks: { perOrganization: 0 } })
    const [slow, quick] = [await shop(queuing), await shop(queuing)]
    const [hanging, receiver] = [await receive(), await receive()]
    hanging.reply('hang')
    const due = async ({ call }: TestOrganization, url: string) => {
      const task = await importCallingBack(call, url)
      await callbackOf(call, task, ({ status }) => status === 'pending')
      return task
    }
    for (const _ of [1, 2, 3, 4]) await due(slow, hanging.url())
    const task = await due(quick, receiver.url())
    await start({ callbacks: { atOnce: 2, perOrganization: 2 } })
    await expect.poll(() => hanging.received().length).toBe(2)
    hanging.release()
    await callbackOf(quick.call, task, ({ status }) => status === 'delivered')
  })

  test('lets a sibling organization go first, even if it had more callbacks due before', async () => {
    const queuing = await start({ callbacks: { perOrganization: 0 } })
    const parent = await shop(queuing)
    const child = await newOrganization(queuing, parent.id)
    await newCatalog(child, 'd')
    const receiver = await receive()
    receiver.reply('hang')
    const due = async (call: Call, targetCatalog: string, path: string) => {
      const settings = { targetCatalog, callbackUrl: receiver.url(path) }
      const task = await startImport(call, 'id,name\n1,Desk\n', settings)
      await callbackOf(call, task, ({ status }) => status === 'pending')
    }
    for (const _ of [1, 2, 3]) await due(parent.call, 'c', '/many')
    await due(child.call, 'd', '/one')
    await start({ callbacks: { perOrganization: 2 } })
    const paths = () => receiver.received().map(({ path }) => path)
    await expect.poll(paths).toEqual(['/many', '/many'])
    receiver.release()
    await expect.poll(paths).toEqual(['/many', '/many', '/one'])
  })
})

describe('when an instance dies', () => {
  test('between the end of a task and its callback, another instance creates the callback', async () => {
    const first = await start(mute)
    const organization = await shop(first)
    const receiver = await receive()
    const task = await importCallingBack(organization.call, receiver.url())
    await taskEnded(organization.call, task)
    expect(await callbacksOf(organization.call)).toEqual([])
    await first.stop()
    const second = await start()
    const call = await at(second, organization)
    await callbackOf(call, task, ({ status }) => status === 'delivered')
    expect(receiver.received()).toHaveLength(1)
  })

  test('before the receiver answers, another instance continues the schedule', async () => {
    const time = movable()
    const first = await start({ clock: time.clock })
    const organization = await shop(first)
    const gone = await receive()
    const url = gone.url()
    await gone.close()
    const task = await importCallingBack(organization.call, url)
    const before = await callbackOf(organization.call, task, attempts(1))
    expect(before.attempts[0]).toMatchObject({
      status: null,
      error: 'The address cannot be reached or is not allowed.',
    })
    await first.stop()
    const receiver = await receive(Number(new URL(url).port))
    const second = await start({ clock: time.clock })
    time.moveTo(before.nextAttempt!)
    const call = await at(second, organization)
    const after = await callbackOf(call, task, ({ status }) => status === 'delivered')
    expect(after.attempts).toEqual([before.attempts[0], after.attempts[1]])
    expect(receiver.received().map(({ id }) => id)).toEqual([before.id])
  })

  test('during an attempt because of a stop, the callback is due again', async () => {
    const first = await start()
    const organization = await shop(first)
    const receiver = await receive()
    receiver.reply('hang')
    const task = await importCallingBack(organization.call, receiver.url())
    await expect.poll(() => receiver.received().length).toBe(1)
    await first.stop()
    receiver.reply({ status: 200 })
    const second = await start()
    const call = await at(second, organization)
    const callback = await callbackOf(call, task, ({ status }) => status === 'delivered')
    expect(callback.attempts).toHaveLength(1)
    expect(receiver.received().map(({ id }) => id)).toEqual([callback.id, callback.id])
  })

  test('after the receiver accepted it but before this is stored, it is sent again with the same id', async () => {
    const time = movable()
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    cleanups.push(proxy.close)
    const first = await start({ node: proxy.node })
    const organization = await shop(first)
    const call = await at(await start({ ...mute, clock: time.clock }), organization)
    const receiver = await receive()
    let told = () => {}
    const answered = new Promise<void>((resolve) => {
      told = resolve
    })
    // Once the callback is sent, this instance no longer reaches Elasticsearch.
    proxy.hold((line) => {
      if (receiver.received().length > 0) proxy.set('refuse')
      if (line.includes('_doc') && receiver.received().length > 0) told()
      return undefined
    })
    const task = await importCallingBack(organization.call, receiver.url())
    await answered
    await start({ clock: time.clock })
    const claimed = await callbackOf(call, task, ({ nextAttempt }) => nextAttempt !== null)
    expect(claimed).toMatchObject({ status: 'pending', attempts: [] })
    time.move(61_000)
    const callback = await callbackOf(call, task, ({ status }) => status === 'delivered')
    expect(receiver.received().map(({ id }) => id)).toEqual([callback.id, callback.id])
    proxy.set('none')
  })
})

test('several instances send each callback once', async () => {
  const instances = [await start(), await start(), await start()] as const
  const organization = await shop(instances[0])
  const receiver = await receive()
  const { call } = organization
  const tasks: string[] = []
  for (let index = 0; index < 12; index++) tasks.push(await importCallingBack(call, receiver.url()))
  for (const task of tasks) await callbackOf(call, task, ({ status }) => status === 'delivered')
  const seen = receiver.received().map(({ body }) => JSON.parse(body).data.id)
  expect(seen.toSorted()).toEqual(tasks.toSorted())
})

test('a callback is sent as soon as its task has ended, and again as soon as a redelivery is requested', async () => {
  const { call } = await shop(await start({ callbacks: { pollMs: 600_000 } }))
  const receiver = await receive()
  const task = await importCallingBack(call, receiver.url())
  const { id } = await callbackOf(call, task, ({ status }) => status === 'delivered')
  await expectOk(call(`POST /api/callbacks/${id}/redeliver`))
  await callbackOf(call, task, attempts(2))
  expect(receiver.received().map((message) => message.id)).toEqual([id, id])
})

test('due callbacks are sent without a pause, a few at a time', async () => {
  const { call } = await shop(await start(mute))
  const receiver = await receive()
  const tasks: string[] = []
  for (let index = 0; index < 12; index++) tasks.push(await importCallingBack(call, receiver.url()))
  for (const task of tasks) await taskEnded(call, task)
  await start({ callbacks: { pollMs: 600_000 } })
  for (const task of tasks) await callbackOf(call, task, ({ status }) => status === 'delivered')
  expect(receiver.received()).toHaveLength(12)
})

test('an attempted delivery is not found again until its result is stored', async () => {
  const { call } = await shop(await start(mute))
  const receiver = await receive()
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  cleanups.push(proxy.close)
  const pollMs = 3_000
  await start({ node: proxy.node, callbacks: { pollMs } })
  // The time is counted from the moment the callback is sent.
  let sent = 0
  proxy.hold(() => {
    if (receiver.received().length > 0) return undefined
    proxy.set('none')
    sent = performance.now()
    return undefined
  })
  const task = await importCallingBack(call, receiver.url())
  await callbackOf(call, task, ({ status }) => status === 'delivered')
  const looks = proxy.requests().filter((line) => /callbacks\/_search/.test(line))
  const due = Math.ceil((performance.now() - sent) / pollMs)
  expect(looks.length).toBeLessThanOrEqual(2 + due)
})
