import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createApp } from '../../src/app.ts'
import { limits } from '../../src/limits.ts'
import { operation, route, type Services } from '../../src/operation.ts'
import { createLog, type Log } from '../../src/platform/log.ts'
import { createMetrics } from '../../src/platform/metrics.ts'
import { caller } from '../support/client.ts'

const Body = z.object({
  text: z.string().max(10),
  list: z.array(z.object({ n: z.number() })).optional(),
})

/** A minimal operation behind the real edge, to test what every operation gets from it. */
const echo = operation({
  name: 'Echo',
  summary: 'Answers what it got.',
  access: 'public',
  bindings: {
    '1.0': route('POST', '/api/old/:id', {
      param: z.object({ id: z.string() }),
      body: Body,
      answer: Body,
    }),
    '6.0': route('POST', '/api/new/:id', {
      param: z.object({ id: z.string() }),
      body: Body,
      answer: Body,
    }),
  },
  handle: ({ body }: { body: z.output<typeof Body> }) => body,
})
const broken = operation({
  name: 'Broken',
  summary: 'Throws.',
  access: 'public',
  bindings: { '6.0': route('GET', '/api/broken', { answer: Body }) },
  handle: () => {
    throw new Error('secret detail at /home/x.ts:1 index aisle-products')
  },
})
const late = operation({
  name: 'Late',
  summary: 'Fails as what a passed deadline ends does.',
  access: 'public',
  bindings: { '6.0': route('GET', '/api/late', { answer: Body }) },
  handle: () => {
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  },
})
const open = operation({
  name: 'Open',
  summary: 'Versionless.',
  access: 'public',
  bindings: { any: route('GET', '/api/open', { answer: 'text' }) },
  handle: () => 'open',
})

const log: Log = createLog('silent')
const app = createApp({
  services: { log, metrics: createMetrics(), publicUrl: 'http://localhost:3000' } as Services,
  operations: [echo, broken, late, open],
  authenticate: () => Promise.reject(new Error('not asked')),
  checkAnswers: true,
})
const call = caller({ fetch: async (request) => app.fetch(request) })
const post = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST /api/new/1', { body, headers })

describe('the HTTP edge', () => {
  test('responds in the requested revision', async () => {
    const answer = await post({ text: 'hi' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ text: 'hi' })
    expect(answer.headers.get('content-type')).toBe('application/json; x-api-version=6.0')
    expect(answer.headers.get('x-api-version')).toBe('6.0')
    expect(answer.headers.get('api-supported-versions')).toBe('1.0, 6.0')
    expect((await call('POST /api/old/1', { version: '1.0', body: { text: 'hi' } })).status).toBe(
      200,
    )
    expect((await call('POST /api/old/1', { version: '6.0', body: { text: 'hi' } })).status).toBe(
      404,
    )
  })

  test('requires a supported version, except where none is needed', async () => {
    expect((await call('POST /api/new/1', { version: null, body: { text: 'x' } })).status).toBe(400)
    expect(
      (await call('POST /api/new/1', { version: '2.0', body: { text: 'x' } })).body.message,
    ).toContain('Supported: 1.0, 6.0')
    expect(await call('GET /api/open', { version: null })).toMatchObject({
      status: 200,
      body: 'open',
    })
  })

  test('returns 404 for unknown paths and 405 with Allow for unknown methods', async () => {
    expect((await call('GET /api/nothing')).status).toBe(404)
    expect((await call('GET /nothing', { version: null })).status).toBe(404)
    const answer = await call('PUT /api/new/1', { body: { text: 'x' } })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  })

  test.each([
    ['malformed', '{"text":'],
    ['truncated', '{"text":"a'],
    ['empty', ''],
    ['not an object', '7'],
    ['null', 'null'],
    ['depth 1,000', `${'['.repeat(1000)}${']'.repeat(1000)}`],
    ['depth 60,000', '['.repeat(60_000)],
    ['__proto__', '{"text":"a","__proto__":{"x":1}}'],
    ['an unpaired surrogate', '{"text":"\\ud800"}'],
    ['NUL', '{"text":"\\u0000"}'],
    ['a huge number', '{"text":"a","list":[{"n":1e999}]}'],
    ['NaN', '{"text":"a","list":[{"n":NaN}]}'],
    ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d])],
  ])('returns 400 for a body that is %s', async (_name, body) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ success: false, id: null, taskId: null })
    expect(answer.body.message).toMatch(/^(body|text|list)/)
  })

  test('reports the path of an error in the body', async () => {
    expect((await post({ text: 'a', list: [{ n: 1 }, { n: 'b' }] })).body.message).toContain(
      'list[1].n: ',
    )
    expect((await post({ list: [] })).body.message).toBe('text: required')
  })

  test('treats a body that is cut off as a client error', async () => {
    const logged = vi.spyOn(log, 'error')
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error('aborted')) })
    const headers = { 'content-type': 'application/json', 'x-api-version': '6.0' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await app.request('/api/new/1', init)).status).toBe(400)
    expect(logged).not.toHaveBeenCalled()
    logged.mockRestore()
  })

  test.each([
    ['of unknown length', {}],
    ['that is as short as it says', { 'content-length': '30' }],
  ])('does not treat part of a body %s, which stalls, as the whole', async (_, length) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"text":"a"}')),
    })
    const headers = { 'content-type': 'application/json', 'x-api-version': '6.0', ...length }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    const answer = app.request('/api/new/1', init)
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    expect((await answer).status).toBe(400)
    expect(await (await answer).json()).toMatchObject({
      message: expect.stringContaining('10 s'),
    })
  })

  test('refuses other content types and bodies above the limit', async () => {
    expect((await post('text=a', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post('{"text":"a"}', { 'content-type': 'application/jsonp' })).status).toBe(415)
    expect((await post(`{"text":"a"${' '.repeat(limits.openBodyBytes)}}`)).status).toBe(413)
  })

  test('refuses deep nesting, and bodies with many values without a key', async () => {
    for (const [text, message] of [
      [`[${'1,'.repeat(limits.openBodyValues)}1]`, `more than ${limits.openBodyValues} values`],
      ['['.repeat(limits.jsonDepth + 1), `nested deeper than ${limits.jsonDepth}`],
    ]) {
      const answer = await post(text)
      expect([answer.status, answer.body.message]).toEqual([400, `body: ${message}`])
    }
  })

  test('refuses compressed bodies instead of reading them as text', async () => {
    const packed = await post('{"text":"a"}', { 'content-encoding': 'gzip' })
    expect(packed.status).toBe(415)
    expect(packed.body.message).toContain('Content-Encoding')
    expect((await post('{"text":"a"}', { 'content-encoding': 'identity' })).status).toBe(200)
  })

  test('accepts text in every script unchanged', async () => {
    const text = 'א‮ñ🙂\t\n'
    expect((await post({ text })).body).toEqual({ text })
  })

  test('hides internal errors from the caller, and logs them once', async () => {
    const logged = vi.spyOn(log, 'error')
    const answer = await call('GET /api/broken')
    expect(answer.status).toBe(500)
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|\.ts|aisle-/)
    expect(logged).toHaveBeenCalledTimes(1)
    expect(logged.mock.calls[0]![0]).toMatchObject({
      operation: 'Broken',
      requestId: answer.headers.get('x-request-id'),
    })
  })

  test('returns 503 after any deadline', async () => {
    const answer = await call('GET /api/late')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('2')
  })
})
