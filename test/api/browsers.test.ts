import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import {
  type Answer,
  type CallParts,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
} from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const SHOP = 'https://shop.example'
const OTHER = 'https://other.example'

let service: TestService
let organization: string
let listed: string
let open: string
let full: string

beforeAll(async () => {
  service = await startService()
  const { id, call, key } = await newOrganization(service)
  organization = id
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  const product = { id: 'p', name: 'One', description: 'one of them '.repeat(160) }
  await expectOk(call('POST /api/Catalog/c/products', { body: product }))
  const operator = caller(service, { key: OPERATOR_KEY, organization })
  const body = { keyType: 'search', username: 'viewer', origins: [SHOP] }
  listed = (await expectOk(operator('POST /api/KeyAuth/keys', { body }))).body.key
  open = await key('viewer', 'search')
  full = await key('viewer')
})

const corsOf = ({ headers }: Answer) =>
  [...headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary')

describe('a page', () => {
  const line = 'POST /api/search?catalog=c'
  const from = (key: string, origin: string, body: unknown = {}) =>
    caller(service)(line, { key, body, headers: { origin } })

  test('can read answers to a search key only from the origins of the key', async () => {
    const allowed = await expectOk(from(listed, SHOP))
    expect(corsOf(allowed)).toEqual([
      ['access-control-allow-origin', SHOP],
      ['access-control-expose-headers', expect.stringContaining('x-request-id, retry-after')],
      ['vary', 'accept-encoding, origin'],
    ])
    const refused = await from(listed, OTHER)
    expect([refused.status, corsOf(refused)]).toEqual([403, [['vary', 'origin']]])
    const elsewhere = await expectOk(caller(service)(line, { key: listed, body: {} }))
    expect(corsOf(elsewhere)).toEqual([['vary', 'accept-encoding']])
  })

  test('can read answers from any origin if the key names none', async () => {
    for (const origin of [SHOP, OTHER]) {
      expect((await from(open, origin)).headers.get('access-control-allow-origin')).toBe(origin)
    }
  })

  test('receives products compressed as it accepts', async () => {
    const get = (accepted: string) =>
      service.fetch(
        new Request(`http://localhost/api/Catalog/c/products/p`, {
          headers: { 'x-api-version': '6.0', 'x-api-key': open, 'accept-encoding': accepted },
        }),
      )
    const plain = await (await get('identity')).text()
    const packed = await get('gzip, deflate')
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const bytes = Buffer.from(await packed.arrayBuffer())
    expect(bytes.length).toBeLessThan(plain.length / 2)
    expect(gunzipSync(bytes).toString()).toBe(plain)
  })

  test('can read why it was refused', async () => {
    const refused = await from(open, SHOP, { page: -1 })
    expect(refused.status).toBe(400)
    expect(refused.headers.get('access-control-allow-origin')).toBe(SHOP)
  })

  test('can read why it was refused before the key was looked up', async () => {
    const operator = caller(service, { key: OPERATOR_KEY, organization })
    const ended = await expectOk(
      operator('POST /api/KeyAuth/keys', { body: { keyType: 'search', username: 'viewer' } }),
    )
    await expectOk(operator(`DELETE /api/KeyAuth/keys/${ended.body.id}`))
    const headers = { origin: SHOP }
    const search = (parts: CallParts) => caller(service)(line, { body: {}, headers, ...parts })
    const refused = [
      [401, await search({ key: ended.body.key })],
      [401, await search({ key: 'invented' })],
      [401, await search({})],
      [400, await search({ key: open, headers: { ...headers, 'x-api-key': 'another' } })],
      [400, await search({ key: open, version: '9.9' })],
      [404, await caller(service)('GET /api/nothing', { key: open, headers })],
    ] as const
    for (const [status, answer] of refused) {
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([
        status,
        SHOP,
      ])
      expect(answer.headers.get('vary')).toBe('origin')
    }
  })

  test('can read Retry-After even if its key cannot be looked up', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    onTestFinished(() => proxy.close())
    const behind = await startService({ node: proxy.node })
    onTestFinished(() => behind.stop())
    proxy.set('refuse')
    const answer = await caller(behind)(line, { key: listed, body: {}, headers: { origin: OTHER } })
    expect(answer.status).toBe(503)
    expect(answer.headers.get('access-control-allow-origin')).toBe(OTHER)
    expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after')
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    proxy.set('none')
  })

  test('can read errors only from the origins of a known key', async () => {
    const unreached = (origin: string) =>
      caller(service)(line, { key: listed, organization: 'none', body: {}, headers: { origin } })
    expect([(await unreached(SHOP)).status, corsOf(await unreached(OTHER))]).toEqual([
      404,
      [['vary', 'origin']],
    ])
    expect((await unreached(SHOP)).headers.get('access-control-allow-origin')).toBe(SHOP)
  })

  test('can read nothing with a key of another type', async () => {
    expect(corsOf(await expectOk(from(full, SHOP)))).toEqual([['vary', 'accept-encoding']])
  })
})

describe('a preflight', () => {
  const preflight = (path: string, origin: string | null = SHOP) =>
    caller(service)(`OPTIONS ${path}`, {
      version: null,
      headers: { ...(origin ? { origin } : {}), 'access-control-request-method': 'POST' },
    })

  test.each([
    ['/api/search', 'GET, POST'],
    ['/api/search/metadata', 'GET'],
    ['/api/Catalog/c/products/p', 'GET'],
    ['/api/Catalog/c/p', 'GET'],
    ['/api/Catalog/c/retrieveProducts', 'GET, POST'],
  ])('for %s allows what a search key can do, in both revisions', async (path, methods) => {
    const answer = await preflight(path)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP)
    expect(answer.headers.get('access-control-allow-methods')).toBe(methods)
    const headers = answer.headers.get('access-control-allow-headers')!.split(', ')
    expect(headers).toEqual(expect.arrayContaining(['authorization', 'x-api-key', 'x-api-version']))
    expect(headers).toContain('mcp-protocol-version')
  })

  test.each(['/api/organizations/current', '/api/search/history', '/api/files', '/api/nothing'])(
    'for %s allows nothing',
    async (path) => {
      const answer = await preflight(path)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(corsOf(answer)).toEqual([])
    },
  )
})

describe('another method', () => {
  test('OPTIONS without an Origin returns 405 with Allow', async () => {
    const answer = await caller(service)('OPTIONS /api/Catalog/c/products/p')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT')
  })

  test('HEAD returns the same as GET, without the body', async () => {
    const parts = { key: full, organization }
    const got = await expectOk(caller(service)('GET /api/Catalog/c/products/p', parts))
    const head = await caller(service)('HEAD /api/Catalog/c/products/p', parts)
    expect([head.status, head.headers.get('content-type')]).toEqual([
      200,
      got.headers.get('content-type'),
    ])
    const missing = await caller(service)('HEAD /api/Catalog/c/products/none', parts)
    expect([missing.status, missing.body]).toEqual([404, ''])
  })
})

test.each(['/', '/console', '/docs'])(
  '%s runs only its own scripts, none of them inline',
  async (path) => {
    const { headers, text } = await pageAt(path)
    const policy = headers.get('content-security-policy')
    expect(policy).toMatch(/^default-src 'self'; /)
    for (const part of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toMatch(/script-src|unsafe-eval/)
    const scripts = [...text.matchAll(/<script\b([^>]*)>([^<]*)/g)]
    expect(scripts.length).toBeGreaterThan(0)
    for (const [, attributes, code] of scripts) {
      expect(attributes).toContain(' src=')
      expect(code).toBe('')
    }
    expect(text).not.toMatch(/<[^>]* (on\w+|style)=|javascript:/i)
    for (const secret of [full, open, OPERATOR_KEY]) expect(text).not.toContain(secret)
  },
)

const pageAt = async (path: string) => {
  const answer = await service.fetch(new Request(`http://localhost${path}`))
  expect(answer.status).toBe(200)
  return { headers: answer.headers, text: await answer.text() }
}

test('every answer has the headers for revisions, request id and no caching', async () => {
  for (const [line, status] of [
    ['GET /api/Catalog', 200],
    ['GET /api/nothing', 404],
    ['PATCH /api/Catalog', 405],
  ] as const) {
    const { headers, ...answer } = await caller(service)(line, { key: full })
    expect(answer.status).toBe(status)
    expect(headers.get('api-supported-versions')).toBe('1.0, 6.0')
    expect(headers.get('x-api-version')).toBe('6.0')
    expect(headers.get('content-type')).toBe('application/json; x-api-version=6.0')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
  }
})
