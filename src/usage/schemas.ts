import { z } from 'zod'

const Uses = z.record(
  z.string(),
  z.object({ searchCreditsUsed: z.number(), searchCount: z.number() }),
)

/** SearchUsage 1.0; `searchCreditsRemaining` and `bundles` are additions. */
export const SearchUsage = z.object({
  users: Uses,
  apiKeys: Uses,
  searchCreditsUsed: z.number(),
  year: z.number(),
  month: z.number(),
  searchCreditsRemaining: z.number().nullable(),
  bundles: z.array(z.object({ credits: z.number(), cost: z.number(), count: z.number() })),
})
export type SearchUsage = z.infer<typeof SearchUsage>

const Part = (min: number, max: number) =>
  z
    .union([z.literal(''), z.coerce.number().int().min(min).max(max)])
    .optional()
    .transform((part) => (part === '' ? undefined : part))

/** The month of a usage; the current one, or the current year's, when absent. */
export const UsageMonth = z
  .object({ year: Part(2000, 9999), month: Part(1, 12) })
  .refine(({ year, month }) => year === undefined || month !== undefined, {
    path: ['month'],
    message: 'required beside year',
  })
export type UsageMonth = z.output<typeof UsageMonth>
