import type { KnownRow } from './known.ts'
import { type Estimate, FIRST, type Grades } from './metrics.ts'
import type { CatalogProduct } from './products.ts'
import type { RatedRow } from './rated.ts'
import type { Found, Side } from './searchers.ts'
import type { ShoppersRow } from './shoppers.ts'
import type { StepRow } from './steps.ts'
import type { TypingRow } from './typing.ts'

const SIDES: readonly Side[] = ['aisle', 'plain']
const fixed = (value: number): string => value.toFixed(3)
const signed = (value: number): string => (value < 0 ? '' : '+') + fixed(value)
const shown = ({ mean, interval: { low, high } }: Estimate, write = fixed): string =>
  `${write(mean)}  95 % ${write(low)} to ${write(high)}`

export function ratedLines(row: RatedRow): string[] {
  const { queries, withoutRelevant, sides, difference, lost, worst } = row
  const lineOf = ({ query, aisle, plain, judged, labelled }: RatedRow['worst'][number]): string =>
    `    ${fixed(aisle)} (plain ${fixed(plain)}; ${labelled} labelled; ${fixed(judged)} of the labelled)  ${query}`
  return [
    `rated queries: ${queries}, of which ${withoutRelevant.length} have no relevant product: ${withoutRelevant.join(', ') || 'none'}`,
    ...SIDES.map((side) => {
      const { ndcg, judged, mrr, recall, empty, labelled } = sides[side]
      return `  ${side}  nDCG@10 ${shown(ndcg)}  of the labelled ${shown(judged)}  MRR ${fixed(mrr)}  recall@10 ${fixed(recall)}  without hits ${empty}  labelled ${fixed(labelled)}`
    }),
    `  difference of nDCG@10 ${shown(difference, signed)}`,
    `  more than 0.2 below plain: ${lost.length}`,
    ...lost.map(lineOf),
    '  the worst',
    ...worst.map(lineOf),
  ]
}

const SHOWN_MISSES = 5

export function knownLines({ catalog, forms }: KnownRow): string[] {
  const figures = ({ first, itself, mrr }: KnownRow['forms'][number]['sides'][Side]): string =>
    [first, itself, mrr].map(fixed).join(' ')
  return [
    `known items of the catalog ${catalog}: success@1, the product itself, MRR`,
    `  ${'form'.padEnd(26)} ${'aisle'.padEnd(19)} ${'plain'.padEnd(19)} ceiling searches`,
    ...forms.flatMap(({ form, searches, ceiling, sides, missed }) => [
      `  ${form.padEnd(26)} ${figures(sides.aisle)}   ${figures(sides.plain)}   ${fixed(ceiling)}   ${searches}`,
      ...missed
        .slice(0, SHOWN_MISSES)
        .map(({ text, id, first }) => `      ${text}: ${id}, first is ${first ?? 'nothing'}`),
    ]),
  ]
}

const SHOWN_TEXTS = 12
const SHOWN_NAME = 70

function someOf(texts: readonly string[]): string {
  const more = texts.length - SHOWN_TEXTS
  return texts.slice(0, SHOWN_TEXTS).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

export function typingLines({ catalog, told, kinds, examples }: TypingRow): string[] {
  return [
    `typing in the catalog ${catalog}${told ? '' : '; the service does not accept typing: true'}`,
    ...Object.entries(kinds).flatMap(([kind, figures]) => [
      `  ${figures.words} of kind ${kind}: shown after ${figures.median} letters (median), ${figures.slowest} (slowest tenth); with the second ${fixed(figures.second)}, the third ${fixed(figures.third)}, the fourth ${fixed(figures.fourth)}`,
      `    never: ${figures.never.length}  ${someOf(figures.never)}`,
      `    fewer with one letter more: ${figures.fewer.length} of ${figures.letters}  ${someOf(figures.fewer)}`,
    ]),
    '  right of the first ten / wanted / all hits, by letter',
    ...examples.map(({ text, steps }) => {
      const shownSteps = steps.map(({ right, wanted, total }) => `${right}/${wanted}/${total}`)
      return `    ${text}: ${shownSteps.join(' ')}`
    }),
  ]
}

export function shoppersLines({ sets, catalogs, kinds, failed }: ShoppersRow): string[] {
  const figures = ({ queries, share, first }: ShoppersRow['sets']['tune']): string =>
    `${fixed(share.aisle)} (${fixed(share.plain)})  ${fixed(first.aisle)} (${fixed(first.plain)})  ${queries}`
  return [
    'shopper queries: right of the first ten, first hit right; plain in brackets',
    ...Object.entries(sets).map(([set, row]) => `  ${set}  ${figures(row)}`),
    '  nDCG@10, an expected product 1, any other 0',
    ...[
      ...Object.entries(sets).map(([set, row]) => ({ name: set, ...row })),
      ...catalogs.map((row) => ({ name: `${row.set}, ${row.catalog}`, ...row })),
    ].map(
      ({ name, ndcg }) =>
        `    ${name.padEnd(12)} ${SIDES.map((side) => `${side} ${shown(ndcg[side])}`).join('   ')}`,
    ),
    ...kinds.map((row) => `    ${`${row.kind}, ${row.set}`.padEnd(20)} ${figures(row)}`),
    `  wrong first or less than half right: ${failed.length}`,
    ...failed.map(
      ({ set, catalog, query, expected, scores, total, firstHit }) =>
        `    ${fixed(scores.aisle.share)} ${set} ${catalog}: ${query} → ${expected}; ${total} hits, first ${firstHit?.slice(0, SHOWN_NAME) ?? 'none'}`,
    ),
  ]
}

/** Formats what is lost without each step; the first row has all steps. */
export function stepLines([all, ...rows]: readonly StepRow[]): string[] {
  const figuresOf = ({ ndcg, shoppers }: StepRow): number[] => [
    ndcg ?? Number.NaN,
    shoppers.tune,
    shoppers.held,
  ]
  const full = figuresOf(all!)
  const line = (name: string, values: readonly string[]): string =>
    `  ${name.padEnd(20)} ${values.map((value) => value.padStart(8)).join(' ')}`
  return [
    line('step', ['nDCG@10', 'tune', 'held']),
    line('all', full.map(fixed)),
    ...rows.map((row) =>
      line(
        `without ${row.step}`,
        figuresOf(row).map((value, at) => signed(value - full[at]!)),
      ),
    ),
  ]
}

export interface ShownQuery {
  readonly catalog: string
  readonly query: string
  readonly grades?: Grades
  readonly found: Readonly<Record<Side, Found>>
}

const NAME_LENGTH = 100

/** Formats the first ten hits of one query on both sides, and the ten best possible ones. */
export function shownLines(
  { catalog, query, grades, found }: ShownQuery,
  products: ReadonlyMap<string, Pick<CatalogProduct, 'name'>>,
): string[] {
  const hit = (id: string): string => {
    const grade = grades?.get(id) ?? '-'
    return `    ${grade}  ${id}  ${products.get(id)?.name.slice(0, NAME_LENGTH) ?? 'unknown'}`
  }
  const best = [...(grades ?? [])].filter(([, grade]) => grade > 0).sort((a, b) => b[1] - a[1])
  return [
    ...SIDES.flatMap((side) => {
      const { total, ids } = found[side]
      return [`${query} in ${catalog}: ${side}, ${total} hits`, ...ids.slice(0, FIRST).map(hit)]
    }),
    ...(best.length === 0 ? [] : [`${query} in ${catalog}: the best`]),
    ...best.slice(0, FIRST).map(([id]) => hit(id)),
  ]
}
