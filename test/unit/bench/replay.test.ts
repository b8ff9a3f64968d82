import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../bench/recorder.ts'
import { commonExchanges, isReadOf } from '../../../bench/replay.ts'

const wire = (method: string, path: string, body?: string) => ({
  method,
  path,
  headers: {},
  ...(body === undefined ? {} : { body: Buffer.from(body) }),
})
const exchange = (body: string): Exchange => ({
  wire: wire('POST', '/a-products/_search', body),
  reply: { status: 200, type: 'application/json', body: Buffer.from('{}') },
})
const bodies = (exchanges: readonly Exchange[]) => exchanges.map((one) => String(one.wire.body))

describe('requests replayed directly', () => {
  test('are those sent in both passes of a request, in order', () => {
    const [a, b, task] = ['a', 'b', 'task'].map(exchange) as [Exchange, Exchange, Exchange]
    expect(bodies(commonExchanges([a, task, b], [a, b]))).toEqual(['a', 'b'])
    expect(bodies(commonExchanges([a, b], [task, a, b]))).toEqual(['a', 'b'])
    expect(bodies(commonExchanges([a, a], [a]))).toEqual(['a'])
  })

  test('are reads of products, but not of keys or history, or writes', () => {
    const reads = (method: string, path: string) => isReadOf('a-products', wire(method, path))
    expect(reads('POST', '/a-products/_search?routing=x%2Fy')).toBe(true)
    expect(reads('POST', '/a-products/_count')).toBe(true)
    expect(reads('GET', '/a-products/_doc/id?routing=x')).toBe(true)
    expect(reads('PUT', '/a-products/_doc/id')).toBe(false)
    expect(reads('POST', '/a-keys/_search')).toBe(false)
    expect(reads('POST', '/a-products-old/_search')).toBe(false)
    expect(reads('POST', '/_bulk')).toBe(false)
  })
})
