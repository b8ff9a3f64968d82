import { z } from 'zod'
import { limits } from '../limits.ts'
import { HIDEABLE_FIELDS, KEY_TYPES } from '../operation.ts'
import { ShownCriterias } from '../products/criteria.ts'
import { NullableText, withDescriptionsOf } from '../shapes.ts'
import { KeyFilter, Rate } from './schemas.ts'

const texts = z.array(z.string())
const text = z.string().nullable()

/** The filter of a key as it was given, absent fields filled in. */
const ShownFilter = z.object(
  withDescriptionsOf(KeyFilter.shape, {
    ...{ manufacturer: texts, vendors: texts },
    ...{ segment: text, category: text, subCategory: text },
    inStock: z.boolean(),
    ...{ must: ShownCriterias, exclude: ShownCriterias },
  }),
)

const rate = z.int().nullable()
const ShownRate = z.object(withDescriptionsOf(Rate.shape, { perSecond: rate, perAddress: rate }))

export const ApiKeyResponse = z
  .object({
    id: NullableText.describe('Id of the key, as used by Disable API Key.'),
    success: z.boolean(),
    error: NullableText.describe('What is wrong. `null` if nothing is.'),
    key: NullableText.describe('The secret key. It is shown only once.'),
  })
  .describe('The new API key.')

/** The key list; the fields from `prefix` on are additions. */
export const ApiKeys = z
  .object({
    keys: z
      .array(
        z.object({
          id: z.string().describe('Id of the key, as used by Disable API Key.'),
          name: z.string(),
          keyType: z.enum(KEY_TYPES),
          username: z.string().describe('User to whom the key belongs.'),
          enabled: z
            .boolean()
            .describe(
              'Whether the key is enabled. `false` if it was disabled or its user was removed.',
            ),
          createDate: z.iso.datetime(),
          prefix: z.string().describe('First characters of the secret.'),
          allOrganizations: z
            .boolean()
            .describe('Whether the key works in every organization of its user.'),
          origins: z
            .array(z.string())
            .nullable()
            .describe('Web origins that can use the key. `null` allows any.'),
          catalogs: z
            .array(z.string())
            .nullable()
            .describe('Catalogs that the key can access. `null` means every active catalog.'),
          filter: ShownFilter.nullable().describe(
            'Filter for the products that the key can access. `null` means all products.',
          ),
          hide: z.array(z.enum(HIDEABLE_FIELDS)).describe('Product data that the key cannot see.'),
          rate: ShownRate.nullable().describe(
            'Rate limits of the key. `null` means that only the limits of the service apply.',
          ),
          priceList: NullableText.describe(
            'Name of the only price list that the key can use. `null` means that requests can name any.',
          ),
          cache: z
            .object({
              maxAge: z.int().describe('Seconds for which a response can be cached.'),
              staleWhileRevalidate: z
                .int()
                .describe(
                  'Additional seconds for which a stale response can be served while it is being revalidated.',
                ),
            })
            .nullable()
            .describe(
              'How long caches can keep responses of Search (GET). `null` means not at all.',
            ),
          expires: z.iso
            .datetime()
            .nullable()
            .describe('Time at which the key expires. `null` means never.'),
          defaultVersion: NullableText.describe(
            'The `x-api-version` of requests that name none. If `null`, requests must name one.',
          ),
          lastUsed: z.iso
            .datetime()
            .nullable()
            .describe(
              'Time at which the key was last used, to the minute. `null` if it was never used.',
            ),
        }),
      )
      .describe('Keys, newest first.'),
  })
  .describe(`API keys without their secrets, up to ${limits.listedKeys}.`)
