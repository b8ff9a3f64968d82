import type { KnownRow } from './known.ts'
import type { Estimate, Grades } from './metrics.ts'
import type { CatalogProduct } from './products.ts'
import type { RatedRow } from './rated.ts'
import type { Found, Side } from './searchers.ts'

const SIDES: readonly Side[] = ['aisle', 'plain']
const fixed = (value: number): string => value.toFixed(3)
const signed = (value: number): string => (value < 0 ? '' : '+') + fixed(value)
const shown = ({ mean, interval: { low, high } }: Estimate, write = fixed): string =>
  `${write(mean)}  95 % ${write(low)} to ${write(high)}`

export function ratedLines(row: RatedRow): string[] {
  const { queries, withoutRelevant, sides, difference, lost, worst } = row
  const judged = ({ query, aisle, plain }: RatedRow['worst'][number]): string =>
    `    ${fixed(aisle)} (plain ${fixed(plain)})  ${query}`
  return [
    `rated queries: ${queries}, of which ${withoutRelevant.length} have no relevant product: ${withoutRelevant.join(', ') || 'none'}`,
    ...SIDES.map((side) => {
      const { ndcg, mrr, recall, empty, labelled } = sides[side]
      return `  ${side}  nDCG@10 ${shown(ndcg)}  MRR ${fixed(mrr)}  recall@10 ${fixed(recall)}  without hits ${empty}  labelled ${fixed(labelled)}`
    }),
    `  difference of nDCG@10 ${shown(difference, signed)}`,
    `  more than 0.2 below plain: ${lost.length}`,
    ...lost.map(judged),
    '  the worst',
    ...worst.map(judged),
  ]
}

export function knownLines({ catalog, forms }: KnownRow): string[] {
  const figures = ({ first, itself, mrr }: KnownRow['forms'][number]['sides'][Side]): string =>
    [first, itself, mrr].map(fixed).join(' ')
  return [
    `known items of the catalog ${catalog}: success@1, the product itself, MRR`,
    `  ${'form'.padEnd(26)} ${'aisle'.padEnd(19)} ${'plain'.padEnd(19)} ceiling searches`,
    ...forms.flatMap(({ form, searches, ceiling, sides, missed }) => [
      `  ${form.padEnd(26)} ${figures(sides.aisle)}   ${figures(sides.plain)}   ${fixed(ceiling)}   ${searches}`,
      ...missed.map(
        ({ text, id, first }) => `      ${text}: ${id}, first is ${first ?? 'nothing'}`,
      ),
    ]),
  ]
}

export interface ShownQuery {
  readonly query: string
  readonly grades?: Grades
  readonly found: Readonly<Record<Side, Found>>
}

const SHOWN_HITS = 5
const NAME_LENGTH = 100

/** The first hits of one query, of both sides. */
export function shownLines(
  { query, grades, found }: ShownQuery,
  products: ReadonlyMap<string, Pick<CatalogProduct, 'name'>>,
): string[] {
  const hit = (id: string): string => {
    const grade = grades?.get(id) ?? '-'
    return `    ${grade}  ${id}  ${products.get(id)?.name.slice(0, NAME_LENGTH) ?? 'unknown'}`
  }
  return SIDES.flatMap((side) => {
    const { total, ids } = found[side]
    return [`${query}: ${side}, ${total} hits`, ...ids.slice(0, SHOWN_HITS).map(hit)]
  })
}
