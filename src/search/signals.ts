import { constant, nested, term } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'

/** What of a product, whatever is searched, makes it come first. */
export type Signal = 'inStock' | 'notDiscontinued' | 'newest' | 'number'

/** A number of products (of `filters`) that makes them come first: sold pieces, a margin. */
interface NumberSignal {
  readonly name: string
  readonly weight: number
  /** With this number and more a product has the whole weight; half of it with about a third. */
  readonly best: number
}

/** How much each signal counts: 1 as it comes, 2 twice as much, 0 not at all. */
export interface Signals {
  readonly inStock: number
  readonly notDiscontinued: number
  readonly newest: number
  readonly numbers: readonly NumberSignal[]
}

/** What somebody has comes first among equals, what is no longer made last; others are off. */
export const DEFAULT_SIGNALS: Signals = { inStock: 1, notDiscontinued: 1, newest: 0, numbers: [] }

/** What a signal of weight 1 lifts; the type that is asked for lifts by 3. */
const WORTH = { inStock: 0.1, notDiscontinued: 2, newest: 1, number: 1 } as const

/** Half as new as what was written today. */
const NEWEST_PIVOT = '30d'

/** Lifts by each signal that counts; of a number with its name. */
export function signalQueries({
  inStock,
  notDiscontinued,
  newest,
  numbers,
}: Signals): SignalClause[] {
  const isInStock = term('search.inStock', true)
  const isMade = { bool: { must_not: [term('search.discontinued', true)] } }
  const isNew = { field: 'search.updated', origin: 'now', pivot: NEWEST_PIVOT }
  return [
    ...only(inStock, (): SignalClause => ['inStock', constant(isInStock, WORTH.inStock * inStock)]),
    ...only(
      notDiscontinued,
      (): SignalClause => [
        'notDiscontinued',
        constant(isMade, WORTH.notDiscontinued * notDiscontinued),
      ],
    ),
    ...only(
      newest,
      (): SignalClause => [
        'newest',
        { distance_feature: { ...isNew, boost: WORTH.newest * newest } },
      ],
    ),
    ...numbers.flatMap((number) =>
      only(number.weight, (): SignalClause => ['number', numberQuery(number), number.name]),
    ),
  ]
}

type SignalClause = readonly [Signal, Query, of?: string]

const only = (weight: number, entry: () => SignalClause): SignalClause[] =>
  weight > 0 ? [entry()] : []

/** log10 of 1 to 10, from no number to the best. */
const SPREAD = 9

/** What is below 0 counts as nothing. */
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

/** A lift for little text in name and description, for each word; halved with so many words of it. */
const BREVITY = { each: 0.7, halved: 20 } as const

/** Of products that match alike the one with less text comes first. */
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
