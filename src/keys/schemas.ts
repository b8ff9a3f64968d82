import { z } from 'zod'
import { limits } from '../limits.ts'
import { KEY_TYPES } from '../operation.ts'
import { Username } from '../organizations/schemas.ts'
import { Flag, Id, OptionalText } from '../shapes.ts'

/** A web origin as a browser sends it: `https://shop.example`, without a path. */
const Origin = z
  .string()
  .max(limits.valueLength)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
  }, 'must be an origin such as https://shop.example')

/** A year of five digits is no date to Elasticsearch; an offset may lead there. */
const END_OF_TIMES = Date.UTC(10_000, 0)

const types = `must be one of ${KEY_TYPES.join(', ')}`

/** ApiKeyRequest 1.0; all but name and keyType are additions. */
export const ApiKeyRequest = z.object({
  name: OptionalText(limits.nameLength),
  keyType: z
    .union([z.enum(KEY_TYPES), z.literal('')], types)
    .nullish()
    .transform((type) => type || ('full' as const)),
  username: z
    .union([Username, z.literal('')])
    .nullish()
    .transform((name) => name || null),
  allOrganizations: Flag(false),
  origins: z
    .array(Origin)
    .min(1, 'list at least one, or leave it out')
    .max(limits.keyOrigins)
    .nullish()
    .transform((origins) => origins ?? null),
  expires: z.iso
    .datetime({ offset: true })
    .refine((time) => Date.parse(time) < END_OF_TIMES, 'must be before the year 10000 in UTC')
    .nullish()
    .transform((time) => time ?? null),
})
export type ApiKeyRequest = z.output<typeof ApiKeyRequest>

export const ApiKeyResponse = z.object({
  id: z.string().nullable(),
  success: z.boolean(),
  error: z.string().nullable(),
  key: z.string().nullable(),
})

/** The key list; from `prefix` on they are additions. */
export const ApiKeys = z.object({
  keys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      keyType: z.enum(KEY_TYPES),
      username: z.string(),
      enabled: z.boolean(),
      createDate: z.iso.datetime(),
      prefix: z.string(),
      allOrganizations: z.boolean(),
      origins: z.array(z.string()).nullable(),
      expires: z.iso.datetime().nullable(),
      lastUsed: z.iso.datetime().nullable(),
    }),
  ),
})

export const KeyId = z.object({ id: Id })
