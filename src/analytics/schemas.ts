import { z } from 'zod'
import { limits } from '../limits.ts'
import { CatalogName, Id, NullableText, OneOf, QueryCount, RequiredExact } from '../shapes.ts'
import { CHOICES } from './event.ts'
import { REPORTED_DAYS, REPORTS } from './report.ts'

export const ChoiceBody = z
  .object({
    searchId: RequiredExact(limits.cursorLength).describe(
      'The `searchId` of the response that contained the product, from a search with `analytics: true`.',
    ),
    productId: Id.describe('Id of the chosen product, which must be in that response.'),
    kind: OneOf(CHOICES, 'click').describe(
      'Kind of choice: `click`, `cart` (added to a cart or workspace) or `purchase`. Defaults to `click`.',
    ),
  })
  .meta({ id: 'SearchChoice' })

const Day = z.iso
  .date()
  // Elasticsearch parses dates with the year of an era, which is never 0.
  .refine((day) => !day.startsWith('0000'), 'must be after the year 0')
  .or(z.literal(''))
  .optional()
  .transform((day) => day || undefined)

export const DaysQuery = z.object({
  from: Day.describe(
    `First day of the report, in UTC. Defaults to ${REPORTED_DAYS - 1} days before \`to\`.`,
  ),
  to: Day.describe('Last day of the report, in UTC. Defaults to today.'),
  catalog: CatalogName.or(z.literal(''))
    .optional()
    .transform((name) => name || undefined)
    .describe('Restricts the report to searches in this catalog.'),
  format: z
    .enum(['json', 'csv', ''])
    .optional()
    .describe(
      'Response format. `csv` returns the rows as a table for spreadsheets. Defaults to `json`.',
    ),
})

const REPORTED_ROWS = 100

export const QueriesQuery = DaysQuery.extend({
  kind: z
    .enum([...REPORTS, ''])
    .optional()
    .transform((kind) => kind || ('popular' as const))
    .describe(
      'Which queries to list: `popular` (most frequent), `withoutResults` (no products found) or `notChosen` (products found, but none chosen). Defaults to `popular`.',
    ),
  limit: QueryCount(limits.reportRows, REPORTED_ROWS).describe(
    `Maximum number of queries to list. Defaults to ${REPORTED_ROWS}, also when 0 is given.`,
  ),
})

const rate = z.number().nullable()
const figures = {
  searches: z.int().describe('Number of searches counted.'),
  withoutResults: z.int().describe('Number of searches that found no products.'),
  trackedSearches: z
    .int()
    .describe('Number of searches with `analytics: true`, whose pages report choices.'),
  chosen: z.int().describe('Number of tracked searches followed by a choice of any kind.'),
  converted: z
    .int()
    .describe('Number of tracked searches followed by an addition to a cart or a purchase.'),
  clicks: z.int().describe('Number of products clicked.'),
  carts: z.int().describe('Number of products added to a cart.'),
  purchases: z.int().describe('Number of products purchased.'),
  clickThroughRate: rate.describe(
    '`chosen` divided by `trackedSearches`, from 0 to 1. `null` if there are no tracked searches.',
  ),
  conversionRate: rate.describe(
    '`converted` divided by `trackedSearches`, from 0 to 1. `null` if there are no tracked searches.',
  ),
  clickPosition: rate.describe(
    'Average position of the clicked products, starting at 1. `null` if there are no clicks.',
  ),
}

export const SearchFigures = z.object(figures).meta({ id: 'SearchFigures' })

const period = {
  from: z.iso.date().describe('First day of the report, in UTC.'),
  to: z.iso.date().describe('Last day of the report, in UTC.'),
  catalog: NullableText.describe(
    'Name of the catalog the report covers. `null` if it covers all catalogs.',
  ),
  totals: SearchFigures.describe(
    'Totals of all searches in the period, including those without keywords.',
  ),
}

export const QueriesReport = z
  .object({
    ...period,
    queries: z
      .array(
        z.object({
          query: z.string().describe('The query as it was typed, in lower case.'),
          ...figures,
        }),
      )
      .describe('Queries, most frequent first, counted by what the report covers.'),
  })
  .describe('A report on search queries.')

export const DaysReport = z
  .object({
    ...period,
    days: z
      .array(z.object({ day: z.iso.date().describe('The day, in UTC.'), ...figures }))
      .describe('Figures for each day, in chronological order.'),
  })
  .describe('A report on searches by day.')
