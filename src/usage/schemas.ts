import { z } from 'zod'

const Uses = z.record(
  z.string(),
  z.object({
    searchCreditsUsed: z
      .number()
      .describe('Credits: 1 for each answered Search and Simple Search.'),
    searchCount: z.number().describe('Answered Searches and Simple Searches.'),
  }),
)

/** SearchUsage 1.0; `searchCreditsRemaining` and `bundles` are additions. */
export const SearchUsage = z
  .object({
    users: Uses.describe('By user.'),
    apiKeys: Uses.describe('By name of the API key; keys of the same name are counted together.'),
    searchCreditsUsed: z.number().describe('Of all users.'),
    year: z.number().describe('In UTC.'),
    month: z.number().describe('1 to 12, in UTC.'),
    searchCreditsRemaining: z
      .number()
      .nullable()
      .describe(
        'Credits that the present month has left; null where nothing limits and for other months.',
      ),
    bundles: z
      .array(
        z.object({
          credits: z.number().describe('Credits of one bundle.'),
          cost: z.number().describe('`additionalCreditCost` of one bundle.'),
          count: z.number().describe('How many such bundles were added.'),
        }),
      )
      .describe('Credits that were added when none was left.'),
  })
  .describe('Searches of the month, at most a second behind.')
export type SearchUsage = z.infer<typeof SearchUsage>

const Part = (min: number, max: number) =>
  z
    .union([z.literal(''), z.coerce.number().int().min(min).max(max)])
    .optional()
    .transform((part) => (part === '' ? undefined : part))

/** The month of the usage; absent: the current month, or month of the current year. */
export const UsageMonth = z
  .object({
    year: Part(2000, 9999).describe('The current one when absent; needs `month`.'),
    month: Part(1, 12).describe('1 to 12, in UTC; the current one when absent.'),
  })
  .refine(({ year, month }) => year === undefined || month !== undefined, {
    path: ['month'],
    message: 'required beside year',
  })
export type UsageMonth = z.output<typeof UsageMonth>
