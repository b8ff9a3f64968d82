import { z } from 'zod'
import { limits } from '../limits.ts'
import { HIDEABLE_FIELDS, KEY_TYPES } from '../operation.ts'
import { FilterCriteria } from '../products/criteria.ts'
import { withDescriptionsOf } from '../shapes.ts'
import { KeyFilter, Rate } from './schemas.ts'

const texts = z.array(z.string())
const text = z.string().nullable()
const criteria = z.array(
  z.object(withDescriptionsOf(FilterCriteria.shape, { type: text, name: text, value: text })),
)

/** The filter of a key as it was given, absent fields filled in. */
const ShownFilter = z.object(
  withDescriptionsOf(KeyFilter.shape, {
    ...{ manufacturer: texts, vendors: texts },
    ...{ segment: text, category: text, subCategory: text },
    inStock: z.boolean(),
    ...{ must: criteria, exclude: criteria },
  }),
)

const rate = z.int().nullable()
const ShownRate = z.object(withDescriptionsOf(Rate.shape, { perSecond: rate, perAddress: rate }))

export const ApiKeyResponse = z
  .object({
    id: z.string().nullable().describe('Of the key, as Disable API Key takes it.'),
    success: z.boolean(),
    error: z.string().nullable().describe('null: nothing is wrong.'),
    key: z.string().nullable().describe('The secret, shown this once.'),
  })
  .describe('The key is made.')

/** The key list; the fields from `prefix` on are additions. */
export const ApiKeys = z
  .object({
    keys: z
      .array(
        z.object({
          id: z.string().describe('As Disable API Key takes it.'),
          name: z.string(),
          keyType: z.enum(KEY_TYPES),
          username: z.string().describe('Whose key it is.'),
          enabled: z.boolean().describe('false: it was disabled.'),
          createDate: z.iso.datetime(),
          prefix: z.string().describe('How the secret begins.'),
          allOrganizations: z
            .boolean()
            .describe('true: it works in every organization of its user.'),
          origins: z
            .array(z.string())
            .nullable()
            .describe('Web origins that may use it; null: any.'),
          catalogs: z
            .array(z.string())
            .nullable()
            .describe('Catalogs that are there for it; null: any that is active.'),
          filter: ShownFilter.nullable().describe('Which products are there for it; null: all.'),
          hide: z.array(z.enum(HIDEABLE_FIELDS)).describe('What of products it does not see.'),
          rate: ShownRate.nullable().describe(
            'Requests a second with it; null: as the service allows.',
          ),
          priceList: z
            .string()
            .nullable()
            .describe('Name of the only price list whose prices it sees; null: any that it names.'),
          cache: z
            .object({
              maxAge: z.int().describe('Seconds for which an answer may be kept.'),
              staleWhileRevalidate: z
                .int()
                .describe('Seconds more in which it may be shown while it is asked for anew.'),
            })
            .nullable()
            .describe('How long caches may keep answers of Search (GET); null: not at all.'),
          expires: z.iso.datetime().nullable().describe('When it stops working; null: never.'),
          defaultVersion: z
            .string()
            .nullable()
            .describe(
              'The `x-api-version` of requests that name none; null: they have to name one.',
            ),
          lastUsed: z.iso.datetime().nullable().describe('To the minute; null: never used.'),
        }),
      )
      .describe('Newest first.'),
  })
  .describe(`Keys without their secrets, up to ${limits.listedKeys}.`)
