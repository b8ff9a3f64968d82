import { z } from 'zod'
import { limits } from '../limits.ts'
import { HIDEABLE_FIELDS, type HideableField, KEY_TYPES } from '../operation.ts'
import { Username } from '../organizations/schemas.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Criterias, Exact, Exacts } from '../products/criteria.ts'
import { CatalogName, Flag, Id, OptionalText, UtcTime } from '../shapes.ts'

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

/** Which products are there for a key: the fields of a search that say so. */
export const KeyFilter = z
  .object({
    manufacturer: Exacts(limits.nameLength).describe('Alternatives.'),
    vendors: Exacts(limits.nameLength).describe('Alternatives; one has an offer.'),
    segment: Exact(limits.nameLength).describe('The exact value.'),
    category: Exact(limits.nameLength).describe('The exact value.'),
    subCategory: Exact(limits.nameLength).describe('The exact value.'),
    inStock: Flag(false).describe('true: only what somebody has in stock.'),
    must: Criterias.describe(
      'All must hold; several of one type and name are alternatives. `tag`, `extensionField` and `favorite` are allowed here, `keyword` is not.',
    ),
    exclude: Criterias.describe('None of these may hold.'),
  })
  .meta({ id: 'KeyFilter' })
export type KeyFilter = z.output<typeof KeyFilter>

const PerSecond = z
  .int()
  .min(1)
  .max(limits.keyRate)
  .nullish()
  .transform((rate) => rate ?? null)

export const Rate = z.object({
  perSecond: PerSecond.describe('Of all who use the key together.'),
  perAddress: PerSecond.describe('Of each address that uses it.'),
})
export type Rate = z.output<typeof Rate>

/** Hides what a page for everybody does not show. */
const PUBLIC: readonly HideableField[] = [
  'vendors.vendorName',
  'vendors.vendorPartNumber',
  'vendors.cost',
  'notes',
]
const HIDE = [...HIDEABLE_FIELDS, 'public'] as const

const origins = z
  .array(Origin)
  .min(1, 'list at least one, or leave it out')
  .max(limits.keyOrigins)
  .nullish()
  .transform((origins) => origins ?? null)
  .describe('Web origins that may use a search key, as `https://shop.example`; any when absent.')

/** What a search key may be bound to. */
export const Bounds = {
  catalogs: z
    .array(CatalogName)
    .min(1, 'list at least one, or leave it out')
    .max(limits.keyCatalogs)
    .nullish()
    .transform((names) => (names ? [...new Set(names)] : null))
    .describe('Catalogs that are there for a search key; any active one when absent.'),
  filter: KeyFilter.nullish()
    .transform((filter) => filter ?? null)
    .describe('Which products are there for a search key; all when absent.'),
  hide: z
    .array(z.enum(HIDE, `must be one of ${HIDE.join(', ')}`))
    .max(HIDE.length)
    .nullish()
    .transform((fields) => [
      ...new Set((fields ?? []).flatMap((field) => (field === 'public' ? PUBLIC : [field]))),
    ])
    .describe(
      'What of products a search key neither sees nor searches by. `public` stands for vendor names and part numbers, costs and notes.',
    ),
  rate: Rate.nullish()
    .transform((rate) => rate ?? null)
    .describe('Requests a second with a search key; what the service allows when absent.'),
  priceList: Exact(limits.nameLength).describe(
    'Name of the only price list whose prices a search key sees, in each catalog; any that it names when absent.',
  ),
}

/** What a signed key says; each field narrows the key that signs it. */
export const SignedPayload = z.object({
  keyId: z.uuid(),
  validUntil: UtcTime.nullish().transform((time) => time ?? null),
  origins,
  userToken: OptionalText(limits.idLength),
  ...Bounds,
})
export type SignedPayload = z.output<typeof SignedPayload>

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
    origins,
    ...Bounds,
    cache: z
      .object({
        maxAge: z
          .int()
          .min(0)
          .max(limits.cacheSeconds)
          .describe('Seconds for which an answer may be kept.'),
        staleWhileRevalidate: z
          .int()
          .min(0)
          .max(limits.cacheSeconds)
          .nullish()
          .transform((seconds) => seconds ?? 0)
          .describe(
            'Seconds more in which it may be shown while it is asked for anew; 0 when absent.',
          ),
      })
      .nullish()
      .transform((cache) => cache ?? null)
      .describe(
        'How long caches may keep answers of Search (GET) to a search key; not at all when absent.',
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
  ['id', 'createDate', 'prefix', 'defaultVersion', 'lastUsed'],
)
export type ApiKeyRequest = z.output<typeof ApiKeyRequest>

export const KeyId = z.object({ id: Id.describe('Id of the key, not its secret.') })
