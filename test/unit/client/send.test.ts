import { describe, expect, test, vi } from 'vitest'
import { AisleError } from '../../../client/src/error.ts'
import {
  getProduct,
  readFile,
  reportChoice,
  search,
  updateProduct,
  updateProductTags,
  uploadFile,
  writeProducts,
} from '../../../client/src/generated/operations.ts'
import { STATUS } from '../../../src/errors.ts'

const JSON_TYPE = { 'content-type': 'application/json;v=6.0' }

const answered = (body: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(body), { ...init, headers: { ...JSON_TYPE, ...init.headers } })

const refused = (status: number, headers: Record<string, string> = {}) =>
  answered({ message: `No ${status}.` }, { status, headers: { 'x-request-id': 'r', ...headers } })

/** A service that gives these answers in turn, and repeats the last one. */
function service(...answers: readonly (() => Response)[]) {
  const fetch = vi.fn(async (_url: string, _init: RequestInit) =>
    answers[Math.min(fetch.mock.calls.length, answers.length) - 1]!(),
  )
  const connection = { url: 'https://search.example/shop/', key: 'k', fetch: fetch as never }
  return { connection, fetch, sent: (at = 0) => fetch.mock.calls[at]! }
}

describe('a request', () => {
  test('has names in the path and the query, and the rest as its body', async () => {
    const { connection, sent } = service(() => answered({}))
    await search(connection, { catalog: 'a b', keywords: 'drill' })
    const [url, init] = sent()
    expect(url).toBe('https://search.example/shop/api/search?catalog=a+b')
    expect(init).toMatchObject({
      method: 'POST',
      body: '{"keywords":"drill"}',
      headers: {
        authorization: 'Bearer k',
        'x-api-version': '6.0',
        'content-type': 'application/json',
      },
    })
    await updateProduct(connection, { catalog: 'c', id: 'x/../y', msrp: 5 }, { ifMatch: 7 })
    expect(sent(1)[0]).toBe('https://search.example/shop/api/Catalog/c/products/x%2F..%2Fy')
    expect(sent(1)[1]).toMatchObject({ body: '{"msrp":5}', headers: { 'if-match': '"7"' } })
    await updateProductTags(connection, { catalog: 'c', productId: 'p', body: ['new'] })
    expect(sent(2)[1].body).toBe('["new"]')
  })

  test('is sent to the page’s own folder if no address is given', async () => {
    const { connection, sent } = service(() => answered({}))
    await search({ ...connection, url: undefined }, {})
    expect(sent()[0]).toBe('api/search')
  })

  test.each(['', '.', '..'])('is not sent for a product called "%s"', async (id) => {
    const { connection, fetch } = service(() => answered({}))
    await expect(getProduct(connection, { catalog: 'c', id })).rejects.toThrow('id: required')
    expect(fetch).not.toHaveBeenCalled()
  })
})

test('is refused if a field would not be sent', async () => {
  const { connection, fetch } = service(() => answered({}))
  const misspelt = { catalog: 'c', id: 'p', priceLst: 'l' }
  await expect(getProduct(connection, misspelt)).rejects.toThrow(
    'priceLst: unknown field; known: catalog, id, priceList, includeVendorDetails',
  )
  const file = { name: 'a.csv', body: 'id', type: 'csv' }
  await expect(uploadFile(connection, file)).rejects.toThrow('type: unknown field')
  expect(fetch).not.toHaveBeenCalled()
  await getProduct(connection, { ...misspelt, priceLst: undefined } as never)
})

test.each([
  [{ key: 'aisle_schl\u00fcssel' }, 401, 'key: '],
  [{ key: 'two words' }, 401, 'key: '],
  [{ organization: 'a\nb' }, 400, 'organization: '],
])('%j is refused before anything is sent', async (wrong, status, place) => {
  const { connection, fetch } = service(() => answered({}))
  await expect(search({ ...connection, ...wrong }, {})).rejects.toMatchObject({
    name: 'AisleError',
    status,
    message: expect.stringContaining(`${place}contains spaces or characters outside ASCII`),
  })
  expect(fetch).not.toHaveBeenCalled()
})

test('a key may be read from a file, including its line break', async () => {
  const { connection, sent } = service(() => answered({}))
  await search({ ...connection, key: 'k\n' }, {})
  expect(sent()[1].headers).toMatchObject({ authorization: 'Bearer k' })
})

describe('a failure', () => {
  test('is typed, with the message and the headers of the service', async () => {
    const { connection } = service(() => refused(429, { 'retry-after': '60' }))
    const failed = search(connection, {})
    await expect(failed).rejects.toBeInstanceOf(AisleError)
    await expect(failed).rejects.toMatchObject({
      status: 429,
      code: 'tooManyRequests',
      message: 'No 429.',
      requestId: 'r',
      retryAfter: 60,
    })
  })

  test('has the codes of the service', () => {
    const codes = Object.values(STATUS).map((status) => new AisleError(status, '').code)
    expect(codes).toEqual(Object.keys(STATUS))
    expect([500, 502, 0].map((status) => new AisleError(status, '').code)).toEqual([
      'internal',
      'unknown',
      'unreachable',
    ])
  })

  test('of a proxy is reported as such, whatever its status', async () => {
    for (const status of [200, 502]) {
      const page = () => new Response('<h1>', { status, headers: { 'content-type': 'text/html' } })
      const failed = search(service(page).connection, {}, { retries: 0 })
      await expect(failed).rejects.toMatchObject({
        status,
        message: expect.stringMatching(/proxy/),
      })
    }
  })

  test('includes an answer that is cut off, but not one that the caller cancels', async () => {
    const half = () => new Response('{"id": "half', { headers: JSON_TYPE })
    const { connection } = service(half)
    await expect(search(connection, {})).rejects.toMatchObject({ status: 0, code: 'unreachable' })
    const abort = new AbortController()
    const left = search(connection, {}, { signal: abort.signal })
    abort.abort()
    await expect(left).rejects.toThrow(SyntaxError)
  })

  test('includes a service that cannot be reached', async () => {
    const fetch = () => Promise.reject(new TypeError('fetch failed'))
    await expect(search({ fetch: fetch as never }, {})).rejects.toMatchObject({
      code: 'unreachable',
      cause: expect.any(TypeError),
    })
  })
})

describe('a retry', () => {
  const now = { 'retry-after': '0' }
  const busy = () => refused(503, now)
  const tries = async (call: (connection: never) => Promise<unknown>, status: () => Response) => {
    const { connection, fetch } = service(status)
    await call(connection as never).catch(() => undefined)
    return fetch.mock.calls.length
  }

  test('follows Retry-After, and its answer is returned', async () => {
    const { connection, fetch } = service(
      () => refused(429, { 'retry-after': '0.05' }),
      busy,
      () => answered({ total: 1 }),
    )
    const started = performance.now()
    expect(await search(connection, {})).toEqual({ total: 1 })
    expect(fetch).toHaveBeenCalledTimes(3)
    expect(performance.now() - started).toBeGreaterThan(45)
  })

  test('happens at most twice by default, or as configured', async () => {
    expect(await tries((one) => search(one, {}), busy)).toBe(3)
    expect(await tries((one) => search(one, {}, { retries: 0 }), busy)).toBe(1)
    expect(
      await tries(
        (one) => search(one, {}),
        () => refused(400),
      ),
    ).toBe(1)
    expect(
      await tries(
        (one) => search(one, {}),
        () => refused(503, { 'retry-after': '31' }),
      ),
    ).toBe(1)
  })

  test('after 503 is made for idempotent requests, after 429 for all', async () => {
    const choice = { searchId: 's', productId: 'p' }
    const product = { catalog: 'c', id: 'p' }
    expect(await tries((one) => reportChoice(one, choice), busy)).toBe(1)
    expect(
      await tries(
        (one) => reportChoice(one, choice),
        () => refused(429, now),
      ),
    ).toBe(3)
    expect(await tries((one) => updateProduct(one, product), busy)).toBe(3)
    expect(await tries((one) => updateProduct(one, product, { ifMatch: 1 }), busy)).toBe(1)
    const stream = () => ({ name: 'a.csv', body: new Blob(['id']).stream() as never })
    expect(
      await tries(
        (one) => uploadFile(one, stream()),
        () => refused(429, now),
      ),
    ).toBe(1)
  })

  test('of a batch has the key of the first attempt', async () => {
    const { connection, sent } = service(busy, () => answered({}))
    await writeProducts(connection, { catalog: 'c', operations: [] })
    const keys = [0, 1].map(
      (at) => (sent(at)[1].headers as Record<string, string>)['idempotency-key'],
    )
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
  })

  test('does not happen if the caller cancels', async () => {
    const { connection, fetch } = service(() => refused(503, { 'retry-after': '20' }))
    const abort = new AbortController()
    const left = search(connection, {}, { signal: abort.signal })
    await expect.poll(() => fetch.mock.calls.length).toBeGreaterThan(0)
    abort.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
  })
})

test('a file is returned unread', async () => {
  const { connection } = service(() => new Response('bytes'))
  const file = await readFile(connection, { id: 'f' })
  expect(await file.text()).toBe('bytes')
})
