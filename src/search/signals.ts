import { constant, nested, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import type { RankingSettings } from './tuning/schemas.ts'

/** A property that makes a product come first, whatever is searched. */
export type Signal = 'inStock' | 'notDiscontinued' | 'newest' | 'number'

/** The weight of each signal: 1 by default, 2 for twice as much, 0 to ignore it. */
export type Signals = Omit<RankingSettings['signals'], 'popularity' | 'withoutKeywords'>

/** A number in `filters` that makes products come first, such as pieces sold or a margin. */
type NumberSignal = Signals['numbers'][number]

/** Products in stock come first among equals, and discontinued ones last. Others are off. */
export const DEFAULT_SIGNALS: Signals = { inStock: 1, notDiscontinued: 1, newest: 0, numbers: [] }

/** Score of a signal with weight 1. For comparison, the named type scores 3. */
const WORTH = { inStock: 0.1, notDiscontinued: 2, newest: 1, number: 1 } as const

/** Age at which the score of `newest` is halved. */
const NEWEST_PIVOT = '30d'

/** Boosts for each signal with a weight; for a number with its name. */
export function signalQueries({
  inStock,
  notDiscontinued,
  newest,
  numbers,
}: Signals): SignalClause[] {
  const isInStock = term('search.inStock', true)
  const isMade = { bool: { must_not: [term('search.discontinued', true)] } }
  const isNew = { field: 'search.updated', origin: 'now', pivot: NEWEST_PIVOT }
  const all: readonly (readonly [weight: number, ...SignalClause])[] = [
    [inStock, 'inStock', constant(isInStock, WORTH.inStock * inStock)],
    [notDiscontinued, 'notDiscontinued', constant(isMade, WORTH.notDiscontinued * notDiscontinued)],
    [newest, 'newest', { distance_feature: { ...isNew, boost: WORTH.newest * newest } }],
    ...numbers.map((one) => [one.weight, 'number', numberQuery(one), one.name] as const),
  ]
  return all.flatMap(([weight, ...clause]) => (weight > 0 ? [clause] : []))
}

type SignalClause = readonly [Signal, Query, of?: string]

/** Scales a number up to `best`, so that log10(1 + n) runs from 0 to 1. */
const SPREAD = 9

/** Scores a number on a logarithmic scale. Numbers of 0 and below do not count. */
const numberQuery = ({ name, weight, best }: NumberSignal): Query =>
  nested('search.numbers', {
    function_score: {
      query: {
        bool: {
          filter: [
            term('search.numbers.name', name),
            { range: { 'search.numbers.value': { gt: 0 } } },
          ],
        },
      },
      functions: [
        {
          field_value_factor: {
            field: 'search.numbers.value',
            factor: SPREAD / best,
            modifier: 'log1p',
          },
          weight: WORTH.number * weight,
        },
      ],
      max_boost: WORTH.number * weight,
      boost_mode: 'replace',
    },
  })

/** Score of short texts for each searched word, and the text length that halves it. */
const BREVITY = { each: 0.7, halved: 20 } as const

/** Boosts products with less text among equal matches. */
export const brevityQuery = (words: number): Query => ({
  function_score: {
    functions: [
      {
        exp: { 'search.length': { origin: 0, scale: BREVITY.halved, decay: 0.5 } },
        weight: BREVITY.each * words,
      },
    ],
    boost_mode: 'replace',
  },
})
