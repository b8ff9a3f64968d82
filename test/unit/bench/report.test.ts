import { describe, expect, test } from 'vitest'
import type { Comparison } from '../../../bench/compare.ts'
import {
  controlHolds,
  encodingsLines,
  growthLines,
  halfLoadLines,
  priceListsLines,
  type RequestRow,
  requestLines,
  verdict,
} from '../../../bench/report.ts'
import { isWrite, unconditional } from '../../../bench/writes.ts'

const side = (rate: number) => ({
  rate,
  p50: 4.2,
  p95: 12.4,
  p99: 20,
  cpu: { elasticsearch: 3_000, service: 330, caller: 60 },
})
const comparison: Comparison = {
  ratio: 0.856,
  interval: { low: 0.84, high: 0.87 },
  ratios: [0.856],
  sides: { A: side(1_234.5), B: side(1_056) },
  errors: 0,
}
const row: RequestRow = {
  part: 'search',
  hitClass: 'middle',
  medianHits: 21_304,
  distinct: 100,
  roundTrips: 1.2,
  comparison,
}

describe('report', () => {
  test('shows the target beside the result', () => {
    expect(verdict(0.8, { atLeast: 0.8 })).toBe('target >= 0.8: reached')
    expect(verdict(201, { atMost: 200 })).toBe('target <= 200: MISSED')
  })

  test('states what was compared, how often and how significantly', () => {
    expect(requestLines(row)).toEqual([
      'search with facets, middle class (100 requests, median 21,304 hits)',
      '  ratio 0.86  95 % 0.84 to 0.87  target >= 0.8: reached',
      '  direct  1,235/s, ms p50/p95/p99 4.2 / 12 / 20',
      '  service 1,056/s, ms p50/p95/p99 4.2 / 12 / 20',
      '  CPU us per request: Elasticsearch 3,000 direct, 3,000 served; service 330; caller 60 and 60; 1.2 round trips',
    ])
  })

  test('evaluates searches with facets in the middle class only', () => {
    expect(requestLines({ ...row, hitClass: 'large' }).join()).not.toContain('target')
    expect(requestLines({ ...row, part: 'simple' }).join()).not.toContain('target')
  })

  test('reports failed requests', () => {
    const failed = { ...row, comparison: { ...comparison, errors: 3 } }
    expect(requestLines(failed).at(-1)).toBe('  VOID: 3 requests failed')
  })

  test('accepts a control of two equal sides within 3 %', () => {
    const control = (ratio: number, low: number, high: number) =>
      controlHolds({ ...comparison, ratio, interval: { low, high } })
    expect(control(1.01, 0.99, 1.02)).toBe(true)
    expect(control(1.05, 1.04, 1.06)).toBe(false)
    expect(control(0.95, 0.9, 1.01)).toBe(false)
  })

  test('states growth as a power of the size', () => {
    const cost = { engineCpu: 3_000, serviceCpu: 1_250, disk: 25_000_000 }
    const small = { size: 10_000, value: 2, p50: 1.5, failed: 0, ...cost }
    const points = [small, { ...small, size: 20_000, failed: 0.015 }]
    expect(growthLines({ operation: 'search', points, exponent: 0.456 })).toEqual([
      'growth of search with facets: n^0.46  target <= 0.8: reached',
      '  10,000 products: mean 2.00 ms, p50 1.50 ms; CPU ms Elasticsearch 3.00, service 1.25; 2,500 bytes a product',
      '  20,000 products: mean 2.00 ms, p50 1.50 ms; CPU ms Elasticsearch 3.00, service 1.25; 1,250 bytes a product; 1.50 % refused',
    ])
  })
})

test('states the cost of an encoding as a share of the whole request', () => {
  const plain = { encoding: 'identity', bytes: 30_100, rate: 240, cpu: side(0).cpu, cost: 0 }
  const sides = [plain, { ...plain, encoding: 'zstd', bytes: 4_210, cost: 0.0512 }]
  expect(encodingsLines({ products: 24, distinct: 100, sides })).toEqual([
    'pages of 24 products with facets in each encoding (100 requests)',
    "  cost at most 5.1 % of the request's CPU  target <= 0.05: MISSED",
    '  identity 30,100 bytes, 240/s; CPU us per request: service 330, Elasticsearch 3,000; cost 0.0 %',
    '  zstd     4,210 bytes, 240/s; CPU us per request: service 330, Elasticsearch 3,000; cost 5.1 %',
  ])
})

test('states what the service adds to the direct p99 at half load', () => {
  const row = { connections: 1, perSecond: 40.2, calls: 2_010, errors: 0 }
  const direct = { p50: 8.1, p95: 12, p99: 14.2 }
  const served = { p50: 10, p95: 14.1, p99: 17.5 }
  expect(halfLoadLines({ ...row, direct, served })).toEqual([
    'search with facets, middle class, at half load: 40.2/s over 1 connection (2,010 of each)',
    '  p99 of the service is 3.3 ms above the direct one  target <= 2: MISSED',
    '  p50 p95 p99 ms: direct 8.1 / 12 / 14, service 10 / 14 / 18',
  ])
})

test('states what searches with a price list cost more than others', () => {
  const slower = { ...side(1_000), cpu: { elasticsearch: 3_300, service: 363, caller: 60 } }
  const sides = { ...comparison.sides, B: slower }
  const kinds = [{ kind: 'facets', comparison: { ...comparison, sides, ratio: 0.8 } }]
  const size = {
    ...{ organizations: 1_000, large: 5, few: 10, lists: 5, prices: 20_000 },
    ...{ mappingCharacters: 12_000, mappingGrowth: 0 },
  }
  expect(priceListsLines({ ...size, kinds })).toEqual([
    'searches with facets by a price list, 1,000 organizations with 5 lists of 20,000 prices each in 5 of them, of 10 in the others',
    '  the mapping of 12,000 characters grew by 0',
    '  facets: 1.10 of the CPU (us 3,330 and 3,663), 1.25 of the time, p95 ms 12 and 12  target <= 1.3: reached',
  ])
})

describe('writes of an import', () => {
  const wire = (method: string, path: string) => ({ method, path, headers: {} })

  test('are bulk and single writes, not searches or reads', () => {
    expect(isWrite(wire('POST', '/_bulk?filter_path=x'))).toBe(true)
    expect(isWrite(wire('PUT', '/a-tasks/_doc/1'))).toBe(true)
    expect(isWrite(wire('GET', '/a-tasks/_doc/1'))).toBe(false)
    expect(isWrite(wire('POST', '/a-products/_search'))).toBe(false)
    expect(isWrite(wire('POST', '/a-products/_mget'))).toBe(false)
    expect(isWrite(wire('POST', '/a-products/_refresh'))).toBe(false)
  })

  test('are replayed without conditions and without waiting', () => {
    expect(unconditional('/a-tasks/_doc/1?if_seq_no=4&if_primary_term=1&routing=x')).toBe(
      '/a-tasks/_doc/1?routing=x',
    )
    expect(unconditional('/a-tasks/_create/1?refresh=true')).toBe('/a-tasks/_doc/1')
    expect(unconditional('/_bulk?filter_path=items.*.status')).toBe(
      '/_bulk?filter_path=items.*.status',
    )
  })
})
