import { describe, expect, test } from 'vitest'
import { withFields } from '../../../src/elastic/renamed-fields.ts'

const INSTEAD = { cost: 'msrp', 'offers.cost': null }

describe('Field substitutions', () => {
  test('apply wherever a body names the fields', () => {
    const body = {
      query: { range: { cost: { gte: 1 } } },
      aggs: { a: { stats: { field: 'cost' } } },
    }
    expect(withFields(body, INSTEAD)).toEqual({
      query: { range: { msrp: { gte: 1 } } },
      aggs: { a: { stats: { field: 'msrp' } } },
    })
    expect(withFields(body)).toBe(body)
  })

  test.each([
    { sort: [{ 'offers.cost': { nested: { path: 'offers' } } }] },
    { aggs: { a: { aggs: { b: { stats: { field: 'offers.cost' } } } } } },
  ])('refuse %j, which names a hidden field', (body) => {
    expect(() => withFields(body, INSTEAD)).toThrow('offers.cost is hidden from the caller')
  })
})
