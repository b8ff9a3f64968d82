import { csvText, escapeFormula } from '../platform/csv-text.ts'
import type { RateDifference } from './rate-difference.ts'
import type { DayFigures, SearchReport } from './read-report.ts'
import { type Figures, figuresIn, type QueryFigures } from './report.ts'

/** Figures as they are returned, in the column order of the CSV table. */
export function figuresResponse({ tracked, chosen, converted, choices, ...rest }: Figures) {
  return {
    searches: rest.searches,
    withoutResults: rest.withoutResults,
    trackedSearches: tracked,
    chosen,
    converted,
    clicks: choices.click,
    carts: choices.cart,
    purchases: choices.purchase,
    clickThroughRate: share(chosen, tracked),
    conversionRate: share(converted, tracked),
    clickPosition: rounded(rest.clickPosition),
  }
}

/** null when `all` is 0. At most 1, since choices may be written before their searches. */
const share = (part: number, all: number): number | null =>
  all === 0 ? null : rounded(Math.min(1, part / all))

const rounded = <T extends number | null>(value: T): T =>
  (value === null ? null : Math.round(value * 10_000) / 10_000) as T

export const shownDifference = ({ value, low, high }: RateDifference): RateDifference => ({
  value: rounded(value),
  low: rounded(low),
  high: rounded(high),
})

const periodAndTotals = ({ from, to, catalog, totals }: SearchReport<unknown>) => ({
  from,
  to,
  catalog,
  totals: figuresResponse(totals),
})

const queryRow = ({ query, ...figures }: QueryFigures) => ({ query, ...figuresResponse(figures) })
const dayRow = ({ day, ...figures }: DayFigures) => ({ day, ...figuresResponse(figures) })

export const queriesReport = (report: SearchReport<QueryFigures>) => ({
  ...periodAndTotals(report),
  queries: report.rows.map(queryRow),
})

export const daysReport = (report: SearchReport<DayFigures>) => ({
  ...periodAndTotals(report),
  days: report.rows.map(dayRow),
})

export const queriesTable = ({ rows }: SearchReport<QueryFigures>): string =>
  tableOf(['query', ...COLUMNS], rows.map(queryRow))

export const daysTable = ({ rows }: SearchReport<DayFigures>): string =>
  tableOf(['day', ...COLUMNS], rows.map(dayRow))

const COLUMNS = Object.keys(figuresResponse(figuresIn(undefined)))

type Row = Readonly<Record<string, string | number | null>>

const tableOf = (columns: readonly string[], rows: readonly Row[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => cellOf(row[column]!)))]
    .map((cells) => csvText(cells))
    .join('')

const cellOf = (value: string | number | null): string =>
  typeof value === 'string' ? escapeFormula(value) : String(value ?? '')
