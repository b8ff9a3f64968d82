import { describe, expect, test } from 'vitest'
import {
  canonical,
  directFindings,
  disagreement,
  serviceFindings,
} from '../../../bench/equality.ts'

const found = (...ids: string[]) => ({
  hits: {
    total: { value: ids.length + 10 },
    hits: ids.map((id) => ({ _source: { product: { id } } })),
  },
})
const nothing = { hits: { total: { value: 0 }, hits: [] } }

describe('the outcome', () => {
  test('of a search is its total and ids in order', () => {
    expect(directFindings([found('b', 'a')])).toEqual({ total: 12, ids: ['b', 'a'] })
    expect(serviceFindings({ total: 12, products: [{ id: 'b' }, { id: 'a' }] })).toEqual({
      total: 12,
      ids: ['b', 'a'],
    })
  })

  test('of a search without a total is its ids', () => {
    expect(directFindings([{ hits: { hits: [] } }])).toEqual({ ids: [] })
  })

  test('of a search repeated with fewer words is that of the second search', () => {
    expect(directFindings([nothing, found('a')])).toEqual({ total: 11, ids: ['a'] })
    expect(directFindings([nothing])).toEqual({ total: 0, ids: [] })
  })

  test('of a search with a further request for facets is that of the search', () => {
    const facets = { responses: [{ hits: { total: { value: 5 }, hits: [] } }] }
    expect(directFindings([found('a'), facets])).toEqual({ total: 11, ids: ['a'] })
  })

  test('of a count repeated for the type that the words name is that of the second count', () => {
    const counted = (value: number) => ({ hits: { total: { value }, hits: [] } })
    expect(directFindings([counted(2), counted(15)])).toEqual({ total: 15, ids: [] })
    expect(directFindings([counted(2), nothing])).toEqual({ total: 2, ids: [] })
  })

  test('of a count is its total; of a product, its id', () => {
    expect(directFindings([{ count: 7 }])).toEqual({ total: 7 })
    expect(serviceFindings({ count: 7, catalog: 'c' })).toEqual({ total: 7 })
    expect(directFindings([{ _source: { product: { id: 'a' } } }])).toEqual({ ids: ['a'] })
    expect(serviceFindings({ id: 'a' })).toEqual({ ids: ['a'] })
  })
})

describe('disagreement', () => {
  test('is empty for equal outcomes, or if one side has none', () => {
    expect(disagreement({ total: 1, ids: ['a'] }, { total: 1, ids: ['a'] })).toBeUndefined()
    expect(disagreement({}, { total: 1 })).toBeUndefined()
  })

  test('names totals, order and missing hits', () => {
    expect(disagreement({ total: 1 }, { total: 2 })).toBe('total 1 directly, 2 served')
    expect(disagreement({ ids: ['a', 'b'] }, { ids: ['b', 'a'] })).toBe(
      'hit 0 is a directly, b served',
    )
    expect(disagreement({ ids: ['a'] }, { ids: ['a', 'b'] })).toBe(
      'hit 1 is absent directly, b served',
    )
  })
})

describe('canonical', () => {
  test('ignores the order of fields and the time taken', () => {
    expect(canonical({ a: 1, took: 3, b: { y: 1, x: [2, 1] } })).toBe(
      canonical({ took: 9, b: { x: [2, 1], y: 1 }, a: 1 }),
    )
  })

  test('ignores what a sum owes to the order in which it is added up', () => {
    expect(canonical({ sum: 891.93 })).toBe(canonical({ sum: 891.9300000000001 }))
    expect(canonical({ sum: 891.93 })).not.toBe(canonical({ sum: 891.931 }))
  })

  test('includes values and the order of lists', () => {
    expect(canonical({ a: [1, 2] })).not.toBe(canonical({ a: [2, 1] }))
    expect(canonical({ a: 1 })).not.toBe(canonical({ a: '1' }))
  })
})
