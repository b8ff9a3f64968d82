import { z } from 'zod'
import { limits } from '../limits.ts'
import { CatalogName, Id } from '../shapes.ts'
import { CHOICES, type Choice } from './event.ts'
import { REPORTED_DAYS, REPORTS } from './report.ts'

export const ChoiceBody = z
  .object({
    searchId: z
      .string()
      .min(1)
      .max(limits.cursorLength)
      .describe('Of the answer that had the product, from a search with `analytics: true`.'),
    productId: Id.describe('One of the products of that answer.'),
    kind: z
      .enum([...CHOICES, ''])
      .nullish()
      .transform((kind): Choice => kind || 'click')
      .describe(
        '`click` when absent; `cart`: it was put into a cart or workspace; `purchase`: it was bought.',
      ),
  })
  .meta({ id: 'SearchChoice' })

const Day = z.iso
  .date()
  .or(z.literal(''))
  .optional()
  .transform((day) => day || undefined)

export const DaysQuery = z.object({
  from: Day.describe(`First day, in UTC; absent: ${REPORTED_DAYS - 1} days before \`to\`.`),
  to: Day.describe('Last day, in UTC; today when absent.'),
  catalog: CatalogName.or(z.literal(''))
    .optional()
    .transform((name) => name || undefined)
    .describe('Only searches of this catalog.'),
  format: z
    .enum(['json', 'csv', ''])
    .optional()
    .describe('`csv`: the rows as a table for spreadsheets; `json` when absent.'),
})

const REPORTED_ROWS = 100

export const QueriesQuery = DaysQuery.extend({
  kind: z
    .enum([...REPORTS, ''])
    .optional()
    .transform((kind) => kind || ('popular' as const))
    .describe(
      '`popular` when absent: the commonest queries; `withoutResults`: those that found nothing; `notChosen`: those that found something of which nobody chose anything.',
    ),
  limit: z.coerce
    .number()
    .int()
    .min(0)
    .max(limits.reportRows)
    .default(0)
    .transform((limit) => limit || REPORTED_ROWS)
    .describe(`Queries that are listed; ${REPORTED_ROWS} when absent or 0.`),
})

const rate = z.number().nullable()
const figures = {
  searches: z.int().describe('Searches that were counted.'),
  withoutResults: z.int().describe('Searches that found nothing.'),
  trackedSearches: z.int().describe('Searches with `analytics: true`, whose pages report choices.'),
  chosen: z.int().describe('Tracked searches of which something was chosen in any way.'),
  converted: z.int().describe('Tracked searches of which something was put into a cart or bought.'),
  clicks: z.int().describe('Products that were clicked.'),
  carts: z.int().describe('Products that were put into a cart.'),
  purchases: z.int().describe('Products that were bought.'),
  clickThroughRate: rate.describe('`chosen` of `trackedSearches`, 0 to 1; null without any.'),
  conversionRate: rate.describe('`converted` of `trackedSearches`, 0 to 1; null without any.'),
  clickPosition: rate.describe('Mean place of what was clicked, from 1; null without a click.'),
}

export const SearchFigures = z.object(figures).meta({ id: 'SearchFigures' })

const period = {
  from: z.iso.date().describe('First day of the report, in UTC.'),
  to: z.iso.date().describe('Last day of the report, in UTC.'),
  catalog: z.string().nullable().describe('The catalog that it is about; null: all.'),
  totals: SearchFigures.describe('Of all searches of these days, also those without words.'),
}

export const QueriesReport = z
  .object({
    ...period,
    queries: z
      .array(
        z.object({
          query: z.string().describe('As it was typed, in lower case.'),
          ...figures,
        }),
      )
      .describe('The commonest first, by what the report is about.'),
  })
  .describe('What was searched for.')

export const DaysReport = z
  .object({
    ...period,
    days: z
      .array(z.object({ day: z.iso.date().describe('In UTC.'), ...figures }))
      .describe('Each day, the first one first.'),
  })
  .describe('Searches by day.')
