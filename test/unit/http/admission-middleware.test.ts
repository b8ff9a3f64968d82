import { Hono } from 'hono'
import { expect, test } from 'vitest'
import {
  admissionMiddleware,
  bodyRest,
  callOf,
  placesForRequest,
  searchRest,
} from '../../../src/http/admission-middleware.ts'
import type { Operation } from '../../../src/operation.ts'
import { newTrace } from '../../../src/platform/request-trace.ts'

const KIB = 1024

test.each([
  [1, 0, 1],
  [1, 64 * KIB - 1, 1],
  [1, 64 * KIB, 2],
  [4, 200 * KIB, 7],
  [1, 2048 * KIB, 9],
])('an operation with %i places and a body of %i bytes takes %i', (cost, bytes, places) => {
  expect(placesForRequest(cost, bytes)).toBe(places)
})

test.each([
  [16 * KIB, 0],
  [64 * KIB, 2],
  [2048 * KIB, 64],
  [100 * 1024 * KIB, 300],
])('after a body of %i bytes its organization rests for %i ms', (bytes, ms) => {
  expect(bodyRest(bytes)).toBe(ms)
})

test.each([
  [100, 0],
  [400, 300],
  [5_000, 1_000],
])('after searches of %i ms in Elasticsearch it rests for %i ms', (took, ms) => {
  expect(searchRest(took)).toBe(ms)
})

test('an organization rests for a body once, when its request first leaves its place, and for searches at the end', async () => {
  const rests: (number | undefined)[] = []
  const leave = (ms?: number) => rests.push(ms)
  const requests = {
    ...{ tryEnter: () => leave, enter: async () => leave },
    ...{ hasOthers: () => true, othersWork: () => true },
  }
  const app = new Hono()
  app.use(async (c, next) => {
    c.set('call', { caller: { username: 'a' }, requests } as never)
    c.set('sentBytes', Buffer.alloc(64 * KIB))
    c.set('trace', newTrace({ requestId: 'r', operation: 'Search' }))
    await next()
  })
  app.get('/', admissionMiddleware({} as Operation), async (c) => {
    const { leavePlace, retakePlace } = callOf(c)
    leavePlace!()
    await retakePlace!(AbortSignal.timeout(1_000))
    c.get('trace').searchMs = 250
    return c.text('done')
  })
  expect((await app.request('/')).status).toBe(200)
  expect(rests).toEqual([2, 150])
})
