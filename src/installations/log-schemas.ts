import { z } from 'zod'

const text = z.string().nullable()

/** ExtensionLog, newest first. */
export const ExtensionLogs = z
  .object({
    items: z
      .array(
        z
          .object({
            extensionId: z.string().describe('The installation that ran.'),
            extensionNickname: z.string(),
            message: z.string().describe('What was done.'),
            action: z
              .string()
              .describe(
                '`run`, `search` (asked for a page of it), `links`, `possibleMatches` or `options`.',
              ),
            username: z.string().describe('For whom it ran; of a schedule who installed it.'),
            errorMessage: text.describe('Why it failed; null when it did not.'),
            success: z.boolean(),
            timestamp: z.iso.datetime().describe('When it began.'),
            timeTaken: z.number().describe('Milliseconds.'),
            productCount: z.number().describe('Products that it was about.'),
            productsCreated: z.number(),
            productsSkipped: z
              .number()
              .describe(
                'Rows that were rejected or changed nothing; of a vendor, products without an answer.',
              ),
            productsUpdated: z.number(),
            recommendedProductCount: z.number(),
            potentialMatchProductCount: z.number(),
          })
          .meta({ id: 'ExtensionLog' }),
      )
      .describe('Newest first.'),
  })
  .describe('A page of runs.')
