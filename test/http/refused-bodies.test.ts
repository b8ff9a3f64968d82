import { Hono } from 'hono'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readBody } from '../../src/http/body.ts'
import { limits } from '../../src/limits.ts'
import { createAdmission } from '../../src/platform/admission.ts'

const MIB = 1024 * 1024

/** An app that reads bodies of the user `a`, with its admission. */
function appOf() {
  const requests = createAdmission({
    capacity: limits.requestPlaces,
    share: limits.requestPlaces / 4,
    waiting: 10,
    what: 'requests',
  })
  const bodies = createAdmission({ capacity: 8 * MIB, waiting: 10, what: 'bodies' })
  const app = new Hono()
  app.use(async (c, next) => {
    c.set('call' as never, { caller: { username: 'a' }, requests, bodies } as never)
    await next()
  })
  app.post('/', readBody({ bytes: 2 * MIB, values: limits.jsonValues }), (c) => c.text('read'))
  app.onError((error, c) => c.text(error.message, 400))
  const post = (body: string) =>
    app.request('/', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  return { post, requests }
}

test('a large refused body occupies places, and its sender pauses while others are served', async () => {
  const { post, requests } = appOf()
  const bad = JSON.stringify(Array(limits.jsonValues + 1).fill('a'))
  const leave = await requests.enter('user b')
  expect(await (await post(bad)).text()).toContain('more than 200000 values')
  leave()
  const began = performance.now()
  expect((await post(bad)).status).toBe(400)
  expect(performance.now() - began).toBeGreaterThan(limits.restMs * 0.9)
})

test('a large accepted body and a small refused one delay nobody', async () => {
  const { post, requests } = appOf()
  const leave = await requests.enter('user b')
  // With a fake clock no rest ends, so a second read would never get a place.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await (await post(JSON.stringify('x'.repeat(MIB)))).text()).toBe('read')
  expect((await post('['.repeat(1_000))).status).toBe(400)
  expect((await post('['.repeat(1_000))).status).toBe(400)
  leave()
})
