import { term } from '../elastic/clauses.ts'
import type { Aggregations } from '../elastic/search.ts'
import { limits } from '../limits.ts'

const PATH = 'search.numbers'
const STATS: Aggregations = { stats: { stats: { field: 'search.numbers.value' } } }

/** The most frequent numbers of products, each with its range. */
export const numberAggregations: Aggregations = {
  numbers: {
    nested: { path: PATH },
    aggs: {
      names: { terms: { field: 'search.numbers.name', size: limits.numberNames }, aggs: STATS },
    },
  },
}

/** The range of one number. */
export const oneNumberAggregation = (name: string): Aggregations => ({
  number: {
    nested: { path: PATH },
    aggs: { named: { filter: term('search.numbers.name', name), aggs: STATS } },
  },
})
