import { describe, expect, test } from 'vitest'
import { canReadAnyShardCopy, withAnyShardCopy } from '../../../src/elastic/search-preference.ts'

describe('a read from any copy of a shard', () => {
  test.each([
    ['_search', 'POST', true],
    ['_msearch', 'POST', true],
    ['_count', 'POST', true],
    ['_mget', 'POST', true],
    ['_doc', 'GET', true],
    ['_doc', 'PUT', false],
    ['_doc', 'DELETE', false],
    ['_bulk', 'POST', false],
    ['_cluster', 'GET', false],
  ])('%s by %s: %s', (api, method, expected) => {
    expect(canReadAnyShardCopy(api, method)).toBe(expected)
  })

  test('a search prefers no copy, and keeps its routing', () => {
    const querystring = { routing: 'o/c', preference: 'o/c' }
    const params = { method: 'POST', path: '/a-products/_search', querystring, body: { size: 1 } }
    expect(withAnyShardCopy(params, '_search')).toEqual({
      ...params,
      querystring: { routing: 'o/c' },
    })
  })

  test('a search of a single shard keeps that shard', () => {
    const querystring = { preference: '_shards:3|o/c' }
    const params = { method: 'POST', path: '/a-products-own-b/_search', querystring }
    expect(withAnyShardCopy(params, '_search').querystring).toEqual({ preference: '_shards:3' })
    const bodies = [{ index: 'a', preference: '_shards:0|o/c' }, { query: {} }]
    const several = { method: 'POST', path: '/_msearch', bulkBody: bodies }
    expect(withAnyShardCopy(several, '_msearch').bulkBody).toEqual([
      { index: 'a', preference: '_shards:0' },
      { query: {} },
    ])
  })

  test('several searches in one request do so too', () => {
    const bodies = [{ index: 'a', routing: 'o/c', preference: 'o/c' }, { query: {} }]
    const params = { method: 'POST', path: '/_msearch', bulkBody: bodies }
    expect(withAnyShardCopy(params, '_msearch').bulkBody).toEqual([
      { index: 'a', routing: 'o/c' },
      { query: {} },
    ])
    expect(bodies[0]).toHaveProperty('preference')
  })

  test.each(['_doc', '_mget'])('%s goes to the copy on the node that receives it', (api) => {
    const params = { method: 'GET', path: `/a-keys/${api}`, querystring: { routing: 'o' } }
    expect(withAnyShardCopy(params, api).querystring).toEqual({
      routing: 'o',
      preference: '_local',
    })
  })
})
