import { Hono } from 'hono'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseBody, readBody } from '../../src/http/body.ts'
import { limits } from '../../src/limits.ts'
import { createAdmission } from '../../src/platform/admission.ts'
import { newTrace, requestTrace } from '../../src/platform/request-trace.ts'

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
  const reading = readBody({ bytes: 2 * MIB, values: limits.jsonValues })
  app.post('/', reading, (c) => c.text('read'))
  app.post('/parsed', reading, parseBody(false), (c) => c.text('parsed'))
  app.onError((error, c) => c.text(error.message, 400))
  const post = (body: string, path = '/') =>
    app.request(path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
    })
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

test('each step of reading a large body is charged to its sender, and a small one is not measured', async () => {
  const { post } = appOf()
  let charges = 0
  const trace = newTrace({ requestId: 'r', operation: 'o' })
  trace.charge = () => charges++
  const chargesOf = async (body: string, path: string) => {
    charges = 0
    await (await requestTrace.run(trace, post, body, path)).text()
    return charges
  }
  const large = JSON.stringify('x'.repeat(MIB))
  const scanned = await chargesOf(large, '/')
  expect(scanned).toBeGreaterThan(0)
  // Parsing it and checking its values, in a step or more.
  expect(await chargesOf(large, '/parsed')).toBeGreaterThan(scanned)
  expect(await chargesOf('{}', '/parsed')).toBe(0)
})
