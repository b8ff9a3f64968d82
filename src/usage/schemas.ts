import { z } from 'zod'
import { NullableNumber } from '../shapes.ts'

const Uses = z.record(
  z.string(),
  z.object({
    searchCreditsUsed: z
      .number()
      .describe('Search credits used. Every successful Search or Simple Search uses one.'),
    searchCount: z.number().describe('Number of successful Searches and Simple Searches.'),
  }),
)

/** SearchUsage 1.0; `searchCreditsRemaining` and `bundles` are additions. */
export const SearchUsage = z
  .object({
    users: Uses.describe('Usage by user.'),
    apiKeys: Uses.describe(
      'Usage by name of the API key. Keys with the same name are counted together.',
    ),
    searchCreditsUsed: z.number().describe('Search credits used by all users.'),
    year: z.number().describe('Year, in UTC.'),
    month: z.number().describe('Month, from 1 to 12, in UTC.'),
    searchCreditsRemaining: NullableNumber.describe(
      'Credits left in the current month. `null` if searches are unlimited, and for other months.',
    ),
    bundles: z
      .array(
        z.object({
          credits: z.number().describe('Number of credits in a bundle.'),
          cost: z.number().describe('Cost of a bundle, from `additionalCreditCost`.'),
          count: z.number().describe('Number of such bundles added.'),
        }),
      )
      .describe('Credit bundles that were added when no credits were left.'),
  })
  .describe('The search usage of a month, at most a second old.')
export type SearchUsage = z.infer<typeof SearchUsage>

const Part = (min: number, max: number) =>
  z
    .union([z.literal(''), z.coerce.number().int().min(min).max(max)])
    .optional()
    .transform((part) => (part === '' ? undefined : part))

/** The month of the usage; absent: the current month, or month of the current year. */
export const UsageMonth = z
  .object({
    year: Part(2000, 9999).describe('Year. Requires `month`. Defaults to the current year.'),
    month: Part(1, 12).describe('Month, from 1 to 12, in UTC. Defaults to the current month.'),
  })
  .refine(({ year, month }) => year === undefined || month !== undefined, {
    path: ['month'],
    message: 'required with year',
  })
export type UsageMonth = z.output<typeof UsageMonth>
