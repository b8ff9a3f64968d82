import { z } from 'zod'
import { limits } from '../limits.ts'
import { KEY_TYPES } from '../operation.ts'
import { Username } from '../organizations/schemas.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Flag, Id, OptionalText } from '../shapes.ts'

/** A web origin as a browser sends it: `https://shop.example`, without a path. */
const Origin = z
  .string()
  .max(limits.valueLength)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
  }, 'must be an origin such as https://shop.example')

/** A five-digit year is not a date to Elasticsearch, and an offset may produce one. */
const END_OF_TIMES = Date.UTC(10_000, 0)

const types = `must be one of ${KEY_TYPES.join(', ')}`

/** ApiKeyRequest 1.0; all but name and keyType are additions. */
export const ApiKeyRequest = allowIgnoredFields(
  z.object({
    name: OptionalText(limits.nameLength).describe('The type and the word key when absent.'),
    keyType: z
      .union([z.enum(KEY_TYPES), z.literal('')], types)
      .nullish()
      .transform((type) => type || ('full' as const))
      .describe(
        '`full` (when absent): what its user may. `search`: searches and reads products, for web pages. `import`: uploads files and runs imports.',
      ),
    username: z
      .union([Username, z.literal('')])
      .nullish()
      .transform((name) => name || null)
      .describe('Whose key it is, for administrators; the caller when absent.'),
    allOrganizations: Flag(false).describe(
      'true: a full key for every organization of the user; false when absent.',
    ),
    origins: z
      .array(Origin)
      .min(1, 'list at least one, or leave it out')
      .max(limits.keyOrigins)
      .nullish()
      .transform((origins) => origins ?? null)
      .describe(
        'Web origins that may use a search key, as `https://shop.example`; any when absent.',
      ),
    expires: z.iso
      .datetime({ offset: true })
      .refine((time) => Date.parse(time) < END_OF_TIMES, 'must be before the year 10000 in UTC')
      .nullish()
      .transform((time) => time ?? null)
      .describe('When it stops working; never when absent.'),
    enabled: z
      .literal(true, 'a key is enabled when it is made')
      .nullish()
      .describe('Need not be said: a key is enabled when it is made.'),
  }),
  ['id', 'createDate', 'prefix', 'lastUsed'],
)
export type ApiKeyRequest = z.output<typeof ApiKeyRequest>

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
          expires: z.iso.datetime().nullable().describe('When it stops working; null: never.'),
          lastUsed: z.iso.datetime().nullable().describe('To the minute; null: never used.'),
        }),
      )
      .describe('Newest first.'),
  })
  .describe(`Keys without their secrets, up to ${limits.listedKeys}.`)

export const KeyId = z.object({ id: Id.describe('Id of the key, not its secret.') })
