import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { authenticateBy } from '../../src/keys/authenticate.ts'
import { operation, route } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { newOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

/** The turn of the event loop, while `isCounting`. */
let turn = 0
let isCounting = true
const count = () => {
  turn++
  if (isCounting) setImmediate(count)
}

/** Answers in which turn it began. */
const cheap = operation({
  name: 'Cheap',
  summary: 'Needs nothing of Elasticsearch.',
  access: 'viewer',
  bindings: { '6.0': route('GET', '/api/cheap', { answer: z.object({ turn: z.number() }) }) },
  handle: () => ({ turn }),
})

/** The turns in which chunks of pictures were read. */
const read: number[] = []
const picture = operation({
  name: 'Picture',
  summary: 'Needs no key.',
  access: 'public',
  bindings: { any: route('GET', '/api/picture', { answer: 'bytes' }) },
  handle: () => {
    let chunks = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          read.push(turn)
          controller.enqueue(new Uint8Array(1))
          if (++chunks === 3) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return { type: 'image/png', length: 3, body, headers: {} }
  },
})

let service: TestService
let app: ReturnType<typeof createApp>
beforeAll(async () => {
  service = await startService()
  const { services } = service
  const authenticate = authenticateBy(service.signIn)
  app = createApp({ services, authenticate, operations: [...operations, cheap, picture] })
  count()
})
afterAll(() => {
  isCounting = false
})

const otherHeaders = async () => {
  const other = await newOrganization(service)
  return { 'x-api-version': '6.0', authorization: `Bearer ${await other.key('viewer')}` }
}

/** How many of these are in the same turn; the first may begin in the turn of the second. */
const mostOf = (turns: readonly number[]): number =>
  Math.max(...turns.map((one) => turns.filter((other) => other === one).length))

test('many small requests of an organization begin in as many turns of the event loop', async () => {
  const org = await newOrganization(service)
  const headers = { 'x-api-version': '6.0', authorization: `Bearer ${await org.key('viewer')}` }
  const send = async () => {
    const answer = await app.request('/api/cheap', { headers })
    return ((await answer.json()) as { turn: number }).turn
  }
  // From here on, the key is cached, and another organization is active.
  await send()
  await app.request('/api/cheap', { headers: await otherHeaders() })
  const turns = await Promise.all(Array.from({ length: 20 }, send))
  expect(mostOf(turns)).toBeLessThanOrEqual(2)
})

test.each(['/docs', '/nowhere'])(
  'many requests for %s are answered in as many turns',
  async (path) => {
    await app.request('/api/cheap', { headers: await otherHeaders() })
    const send = async () => {
      await (await app.request(path)).text()
      return turn
    }
    await send()
    const turns = await Promise.all(Array.from({ length: 20 }, send))
    expect(mostOf(turns)).toBeLessThanOrEqual(2)
  },
)

test('many refused requests without a valid key are answered in as many turns', async () => {
  await app.request('/api/cheap', { headers: await otherHeaders() })
  const headers = { 'x-api-version': '6.0', authorization: 'Bearer none' }
  const send = async () => {
    const { status } = await app.request('/api/cheap', { headers })
    expect(status).toBe(401)
    return turn
  }
  const turns = await Promise.all(Array.from({ length: 20 }, send))
  expect(mostOf(turns)).toBeLessThanOrEqual(2)
})

test('of pictures that anybody reads, one chunk is sent in a turn of the event loop', async () => {
  await app.request('/api/cheap', { headers: await otherHeaders() })
  const reading = Array.from({ length: 20 }, async () =>
    (await app.request('/api/picture')).arrayBuffer(),
  )
  for (const bytes of await Promise.all(reading)) expect(bytes.byteLength).toBe(3)
  expect(read).toHaveLength(60)
  expect(mostOf(read)).toBeLessThanOrEqual(2)
})
