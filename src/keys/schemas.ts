import { z } from 'zod'
import { limits } from '../limits.ts'
import { HIDEABLE_FIELDS, type HideableField, KEY_TYPES } from '../operation.ts'
import { Username } from '../organizations/schemas.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { parseUrl } from '../platform/parse-url.ts'
import { Criterias } from '../products/criteria.ts'
import { CatalogName, Exact, Exacts, Flag, Id, OptionalText, OrNull, UtcTime } from '../shapes.ts'

/** A web origin as a browser sends it: `https://shop.example`, without a path. */
const Origin = z
  .string()
  .max(limits.valueLength)
  .refine((text) => {
    const url = parseUrl(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
  }, 'must be an origin such as https://shop.example')

/** Elasticsearch rejects five-digit years, which the conversion to UTC may produce. */
const END_OF_TIMES = Date.UTC(10_000, 0)

const types = `must be one of ${KEY_TYPES.join(', ')}`

/** The fields of a search that determine which products exist for a key. */
export const KeyFilter = z
  .object({
    manufacturer: Exacts(limits.nameLength, limits.criteria).describe(
      'Products must be from one of these manufacturers.',
    ),
    vendors: Exacts(limits.nameLength, limits.criteria).describe(
      'Products must have an offer from one of these vendors.',
    ),
    segment: Exact(limits.nameLength).describe('Exact name of a segment.'),
    category: Exact(limits.nameLength).describe('Exact name of a category.'),
    subCategory: Exact(limits.nameLength).describe('Exact name of a sub-category.'),
    inStock: Flag(false).describe(
      'Whether to include only products that at least one vendor has in stock.',
    ),
    must: Criterias.describe(
      'Criteria that products must meet. Those with the same type and name are alternatives. `tag`, `extensionField` and `favorite` are allowed here, but `keyword` is not.',
    ),
    exclude: Criterias.describe('Products must not meet any of these criteria.'),
  })
  .meta({ id: 'KeyFilter' })
export type KeyFilter = z.output<typeof KeyFilter>

const PerSecond = OrNull(z.int().min(1).max(limits.keyRate))

export const Rate = z.object({
  perSecond: PerSecond.describe('Maximum requests per second over all users of the key.'),
  perAddress: PerSecond.describe(
    'Maximum requests per second from each address that uses the key.',
  ),
})
export type Rate = z.output<typeof Rate>

/** Fields that a public page does not show. */
const PUBLIC: readonly HideableField[] = [
  'vendors.vendorName',
  'vendors.vendorPartNumber',
  'vendors.cost',
  'notes',
]
const HIDE = [...HIDEABLE_FIELDS, 'public'] as const

const origins = OrNull(
  z.array(Origin).min(1, 'list at least one, or omit it').max(limits.keyOrigins),
).describe(
  'Web origins that can use a search key, such as `https://shop.example`. Defaults to any.',
)

/** What a search key may be bound to. */
export const Bounds = {
  catalogs: z
    .array(CatalogName)
    .min(1, 'list at least one, or omit it')
    .max(limits.keyCatalogs)
    .nullish()
    .transform((names) => (names ? [...new Set(names)] : null))
    .describe('Catalogs that a search key can access. Defaults to every active catalog.'),
  filter: OrNull(KeyFilter).describe(
    'Filter for the products that a search key can access. Defaults to all products.',
  ),
  hide: z
    .array(z.enum(HIDE, `must be one of ${HIDE.join(', ')}`))
    .max(HIDE.length)
    .nullish()
    .transform((fields) => [
      ...new Set((fields ?? []).flatMap((field) => (field === 'public' ? PUBLIC : [field]))),
    ])
    .describe(
      'Product data that a search key can neither see nor search by. `public` stands for vendor names and part numbers, costs and notes.',
    ),
  rate: OrNull(Rate).describe(
    'Rate limits of a search key, in requests per second. Defaults to the limits of the service.',
  ),
  priceList: Exact(limits.nameLength).describe(
    'Name of the only price list that a search key can use, in each catalog. By default, requests can name any.',
  ),
}

/** What a signed key says; each field narrows the key that signs it. */
export const SignedPayload = z.object({
  keyId: z.uuid(),
  validUntil: OrNull(UtcTime),
  origins,
  userToken: OptionalText(limits.idLength),
  ...Bounds,
})
export type SignedPayload = z.output<typeof SignedPayload>

/** ApiKeyRequest 1.0; all but name and keyType are additions. */
export const ApiKeyRequest = allowIgnoredFields(
  z.object({
    name: OptionalText(limits.nameLength).describe(
      'Name of the key. Defaults to its type followed by the word "key".',
    ),
    keyType: z
      .union([z.enum(KEY_TYPES), z.literal('')], types)
      .nullish()
      .transform((type) => type || ('full' as const))
      .describe(
        'Type of the key. `full` has the permissions of its user, `search` searches and reads products for web pages, and `import` uploads files and runs imports. Defaults to `full`.',
      ),
    username: z
      .union([Username, z.literal('')])
      .nullish()
      .transform((name) => name || null)
      .describe(
        'User to whom the key belongs. Only administrators can name another user. Defaults to the caller.',
      ),
    allOrganizations: Flag(false).describe(
      'Whether a full key works in every organization of its user. Defaults to `false`.',
    ),
    origins,
    ...Bounds,
    cache: OrNull(
      z.object({
        maxAge: z
          .int()
          .min(0)
          .max(limits.cacheSeconds)
          .describe('Seconds for which a response can be cached.'),
        staleWhileRevalidate: z
          .int()
          .min(0)
          .max(limits.cacheSeconds)
          .nullish()
          .transform((seconds) => seconds ?? 0)
          .describe(
            'Additional seconds for which a stale response can be served while it is being revalidated. Defaults to 0.',
          ),
      }),
    ).describe(
      'How long caches can keep responses of Search (GET) to a search key. By default, they cannot.',
    ),
    expires: OrNull(
      z.iso
        .datetime({ offset: true })
        .refine((time) => Date.parse(time) < END_OF_TIMES, 'must be before the year 10000 in UTC'),
    ).describe('Time at which the key expires. Defaults to never.'),
    enabled: z
      .literal(true, 'a new key is always enabled; omit it')
      .nullish()
      .describe('Not needed, since new keys are enabled.'),
  }),
  ['id', 'createDate', 'prefix', 'defaultVersion', 'lastUsed'],
)
export type ApiKeyRequest = z.output<typeof ApiKeyRequest>

export const KeyId = z.object({ id: Id.describe('Id of the key, not its secret.') })
