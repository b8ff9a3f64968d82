import { afterEach, expect, test, vi } from 'vitest'
import { AisleError, createCall } from '../../../storefront/src/aisle/api.ts'

afterEach(() => vi.unstubAllGlobals())

const call = createCall({ key: 'k', catalog: 'c' })

/** The service answers a body that ends early. */
const cutOff = () => vi.stubGlobal('fetch', async () => new Response('{"id": "half'))

test('an answer that is left is no answer', async () => {
  cutOff()
  const abort = new AbortController()
  const answer = call('GET', 'api/x', { signal: abort.signal })
  abort.abort()
  await expect(answer).rejects.toThrow(SyntaxError)
})

test('an answer that is cut off is a failure', async () => {
  cutOff()
  await expect(call('GET', 'api/x')).rejects.toThrow(AisleError)
})
