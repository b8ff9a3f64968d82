import { describe, expect, test } from 'vitest'
import { limitByAddress } from '../../src/http/address-rate-limit.ts'
import { addressKey, clientAddress, proxiesOf } from '../../src/http/client-address.ts'
import { requestKeys } from '../../src/http/request-keys.ts'
import { limits } from '../../src/limits.ts'
import { operations } from '../../src/operations.ts'
import { createLog } from '../../src/platform/log.ts'
import { createRateLimiter } from '../../src/platform/rate-limiter.ts'

/** A rate limiter with a clock that the test moves. */
function ratesOf(perSecond: number) {
  let ms = 0
  const rates = createRateLimiter({ now: () => new Date(ms) }, perSecond)
  return { rates, pass: (seconds: number) => (ms += seconds * 1_000) }
}
const taken = (rates: ReturnType<typeof createRateLimiter>, owner: string, times: number) =>
  Array.from({ length: times }, () => rates.take(owner)).filter((wait) => wait === 0).length

describe('a rate limit', () => {
  test('allows a burst of some seconds, then the rate itself', () => {
    const { rates, pass } = ratesOf(10)
    expect(taken(rates, 'a', 100)).toBe(10 * limits.rateSeconds)
    pass(0.5)
    expect(taken(rates, 'a', 100)).toBe(5)
    pass(1_000)
    expect(taken(rates, 'a', 100)).toBe(10 * limits.rateSeconds)
    expect(taken(rates, 'b', 1)).toBe(1)
  })

  test('reports when to retry, even for a weight above the burst', () => {
    const { rates } = ratesOf(10)
    expect(rates.take('a', { weight: 1_000 })).toBe(0)
    expect(rates.take('a')).toBe(Math.ceil((1_000 - 10 * limits.rateSeconds + 1) / 10))
  })

  test('allows requests again after a heavy charge and the length of a burst', () => {
    const { rates, pass } = ratesOf(10)
    rates.charge('a', 1_000)
    pass(limits.rateSeconds)
    expect(rates.take('a')).toBe(1)
  })

  test('can require a heavy charge to be paid off in full', () => {
    const { rates, pass } = ratesOf(10)
    rates.charge('a', 100, { inFull: true })
    pass(limits.rateSeconds)
    expect(rates.take('a')).toBe((100 - 2 * 10 * limits.rateSeconds + 10) / 10)
  })

  test('of 0 limits nobody', () => {
    expect(taken(ratesOf(0).rates, 'a', 10_000)).toBe(10_000)
  })

  test('is tracked for a limited number of owners, the latest', () => {
    const { rates } = ratesOf(1)
    for (let i = 0; i <= limits.rateOwners; i++) rates.take(`owner ${i}`)
    expect(rates.knows('owner 0')).toBe(false)
    expect(rates.knows('owner 1')).toBe(true)
  })
})

describe('the client address of a request', () => {
  const proxies = proxiesOf('10.0.0.0/8, 192.0.2.1, fd00::/8')
  test.each([
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['fd00::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', 'made up, 198.51.100.1, 192.0.2.1', '198.51.100.1'],
    ['10.0.0.1', '1.1.1.1,198.51.100.1:8080', '198.51.100.1'],
    ['10.0.0.1', '1.1.1.1, [2001:db8::7]:8080', '2001:db8::7'],
    ['10.0.0.1', '10.0.0.2, 10.0.0.3', '10.0.0.2'],
    ['10.0.0.1', 'unknown', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
    ['10.0.0.1', '198.51.100.1, 0x7f.1', '10.0.0.1'],
    ['10.0.0.1', `198.51.100.1${', 10.0.0.2'.repeat(1_000)}`, '10.0.0.2'],
    ['10.0.0.1', ','.repeat(16_000), '10.0.0.1'],
  ])('%s with %o is %s', (peer, forwarded, expected) => {
    expect(clientAddress(peer, forwarded, proxies)).toBe(expected)
  })

  test('is the same for all addresses of a client', () => {
    expect(addressKey('2001:db8:1:2:3::4')).toBe(addressKey('2001:db8:1:2:ffff::'))
    expect(addressKey('2001:db8:1:2::')).not.toBe(addressKey('2001:db8:1:3::'))
    expect(addressKey('::ffff:198.51.100.1')).toBe('198.51.100.1')
  })
})

describe('the rate limit of an address', () => {
  const log = createLog('silent')
  const address = 'http://localhost/api/Catalog'
  const bound = (answer: () => Response, perSecond = 10) =>
    limitByAddress(answer, {
      log,
      keys: requestKeys(operations),
      rates: ratesOf(perSecond).rates,
      isKnown: (secret) => secret === 'good',
      onRefused: () => undefined,
    })
  /** Number of requests out of 200 that were let through. */
  async function passed(fetch: ReturnType<typeof bound>, init: RequestInit, url = address) {
    let count = 0
    for (let i = 0; i < 200; i++) {
      const answer = await fetch(new Request(url, init), '198.51.100.1')
      if (answer.status !== 429) count++
    }
    return count
  }

  test('refuses it with advice, while a valid key and another address are unaffected', async () => {
    const fetch = bound(() => new Response('here'))
    expect(await passed(fetch, {})).toBe(20)
    const headers = { 'x-api-version': '6.0', origin: 'https://shop.example' }
    const refused = await fetch(new Request(address, { headers }), '198.51.100.1')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('x-api-version')).toBe('6.0')
    expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    expect(await refused.json()).toMatchObject({ success: false, id: null, taskId: null })
    expect(await passed(fetch, { headers: { authorization: 'Bearer good' } })).toBe(200)
    expect((await fetch(new Request(address), '198.51.100.2')).status).toBe(200)
  })

  test('applies with a valid key as well where an operation takes none', async () => {
    const headers = { authorization: 'Bearer good' }
    const passing = (path: string) =>
      passed(
        bound(() => new Response('here')),
        { headers },
        `http://localhost${path}`,
      )
    const without = ['/api/images/x.png', '/api/KeyAuth/punchout/session/x', '/docs', '/api/none']
    // The path under which the route is registered, which nobody sends.
    for (const path of [...without, '/6.0/api/Catalog']) expect(await passing(path), path).toBe(20)
    expect(await passing('/api/Catalog')).toBe(200)
  })

  test('does not apply to the health check', async () => {
    const fetch = bound(() => new Response('ok'))
    expect(await passed(fetch, {}, 'http://localhost/api/status')).toBe(200)
  })

  test('is lower for bodies without a key', async () => {
    const post = { method: 'POST', body: '{}', headers: { 'content-length': '2' } }
    const fetch = bound(() => new Response('here'), 100)
    expect(await passed(fetch, post)).toBe((100 * limits.rateSeconds) / limits.rateOfBody)
  })

  test('is lower for invalid keys', async () => {
    const fetch = bound(() => new Response('', { status: 401 }), 100)
    const weight = 1 + limits.rateOfFailure
    const expected = Math.ceil((100 * limits.rateSeconds) / weight)
    expect(await passed(fetch, { headers: { 'x-api-key': 'bad' } })).toBe(expected)
  })

  test('is lower for large answers', async () => {
    const headers = { 'content-length': String(9 * limits.rateOfAnswerBytes) }
    const fetch = bound(() => new Response('', { headers }), 100)
    expect(await passed(fetch, {})).toBe((100 * limits.rateSeconds) / 10)
    const asked = bound(() => new Response('', { headers }), 100)
    expect(await passed(asked, { method: 'HEAD' })).toBe(200)
  })
})
