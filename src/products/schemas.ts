import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import {
  CatalogName,
  Exact,
  Exacts,
  Flag,
  Id,
  NullishBoolean,
  OptionalText,
  PatchText,
  QueryFlag,
  RecordOf,
} from '../shapes.ts'
import type { Offer } from './product.ts'
import { Product40 } from './response-schemas.ts'
import { SelectionShape } from './selection.ts'

const name = PatchText(limits.nameLength)
const value = PatchText(limits.valueLength)

const List = <T extends z.ZodType>(entry: T, max: number) =>
  z
    .array(entry)
    .max(max)
    .nullish()
    .transform((entries) => (entries === null ? [] : entries))

const required = (max: number) => z.string().trim().min(1, 'required').max(max)

const TOO_LONG = `a name has more than ${limits.nameLength} characters`

/** Up to `most` trimmed, unique names; entries without a value are dropped. */
const Named = <T extends z.ZodType<string | number>>(
  entry: T,
  most: number = limits.productAttributes,
) =>
  // Names without a value are not counted, but not any number of them is parsed.
  RecordOf([z.string(), entry.nullable()], 2 * most)
    .nullish()
    .transform((record, ctx): Record<string, z.output<T>> | undefined => {
      if (!record) return record === null ? {} : undefined
      const entries = new Map<string, z.output<T>>()
      const problem = (message: string) => ctx.addIssue({ code: 'custom', message })
      for (const [key, item] of Object.entries(record)) {
        const trimmed = key.trim()
        if (trimmed === '') problem('a name is empty')
        else if (trimmed.length > limits.nameLength) problem(TOO_LONG)
        else if (trimmed === '__proto__') problem('__proto__ is not allowed as a name')
        else if (entries.has(trimmed)) problem(`${trimmed} is named twice`)
        if (item !== null && item !== '') entries.set(trimmed, item as z.output<T>)
      }
      if (entries.size > most) problem(`more than ${most} names`)
      return Object.fromEntries(entries)
    })

const amount = z.number().min(0).nullish()

const VendorFields = z.object({
  cost: amount.describe('Price per unit, in the currency of the catalog. `null` if unknown.'),
  onHand: z.number().nullish().describe('Quantity in stock. `null` if unknown.'),
  inStock: NullishBoolean.describe(
    'Whether the offer is in stock. If omitted, it is derived from `onHand`.',
  ),
  vendorPartNumber: OptionalText(limits.nameLength).describe('Part number of the vendor.'),
  vendorName: required(limits.nameLength).describe(
    'Name of the vendor, which identifies the offer and must be unique within the product.',
  ),
  status: OptionalText(limits.nameLength).describe('Availability text of the vendor.'),
  name: OptionalText(limits.productNameLength).describe('Name of the product at the vendor.'),
})

const Vendor = allowIgnoredFields(VendorFields, ['checkedAt']).transform(
  ({ cost = null, onHand = null, inStock, ...texts }): Offer => ({
    cost,
    onHand,
    inStock: inStock ?? (onHand !== null && onHand > 0),
    ...texts,
  }),
)

const Vendors = List(Vendor, limits.productOffers).superRefine((offers, ctx) => {
  const seen = new Set<string>()
  for (const [index, { vendorName }] of (offers ?? []).entries()) {
    if (seen.has(vendorName)) {
      const message = `${vendorName} is listed twice`
      ctx.addIssue({ code: 'custom', message, path: [index, 'vendorName'] })
    }
    seen.add(vendorName)
  }
})

const Image = z.object({
  id: OptionalText(limits.idLength).describe('Any id for the image.'),
  url: required(limits.valueLength).describe('URL of the image.'),
  name: OptionalText(limits.productNameLength),
  type: OptionalText(limits.nameLength).describe('Any type for the image, stored unchanged.'),
  isCustom: NullishBoolean.describe(
    'If `true`, the image is ignored. Save Product Image adds custom images.',
  ),
  source: OptionalText(limits.valueLength).describe(
    'Ignored. A `url` created by Fetch Pictures stands for the original URL in the catalog.',
  ),
})

// Custom images are annotations, so those that a caller sends back are not catalog data.
const Images = List(Image, limits.productListEntries).transform((images) =>
  images?.filter(({ isCustom }) => !isCustom).map(({ isCustom, source, ...image }) => image),
)

const Link = z.object({
  type: OptionalText(limits.nameLength)
    .transform((text) => text ?? '')
    .describe('Type of the link, or the id of the extension for a link to another system.'),
  value: required(limits.valueLength).describe(
    'URL, or the id of the product in the other system.',
  ),
  recommended: Flag(false).describe(
    'Whether the link is recommended, stored unchanged. Defaults to `false`.',
  ),
})

const Upcs = List(z.string().trim().max(limits.nameLength), limits.productListEntries).transform(
  (upcs) => upcs && [...new Set(upcs.filter((upc) => upc !== ''))],
)

const ownId = z
  .string()
  .max(limits.idLength)
  .refine((id) => id !== '.' && id !== '..', 'must not be . or ..')
  .nullish()
  .transform((id) => id || undefined)

/** Fields of returned products that requests may contain, but that are ignored. */
export const ANSWERED_FIELDS = [...Object.keys(Product40.shape), 'highlight', 'explanation']

/** Product 4.0 as a caller sends it. Decodes to a patch. */
export const ProductBody = allowIgnoredFields(
  z.object({
    id: ownId.describe(
      'Id of the product, generated if omitted. In an update, it must match the id in the path if given.',
    ),
    description: value,
    manufacturer: name,
    manufacturerPartNumber: name.describe('Part number of the manufacturer.'),
    name: PatchText(limits.productNameLength),
    image: value.describe('URL of the main image.'),
    unspsc: name.describe('UNSPSC code, such as `27112703`.'),
    segment: name.describe('Top level of the three-level classification.'),
    category: name.describe('Second level of the classification, below `segment`.'),
    subCategory: name.describe('Third level of the classification, below `category`.'),
    msrp: amount.describe('List price, used as the price if no offer has a cost.'),
    images: Images.describe('Images besides the main one. The list replaces the previous one.'),
    vendors: Vendors.describe('Offers, one per vendor. The list replaces the previous one.'),
    attributes: Named(z.string().max(limits.valueLength)).describe(
      `Text attributes by name, up to ${limits.productAttributes}, which criteria can search. The object replaces the previous one.`,
    ),
    filters: Named(z.number()).describe(
      `Numeric attributes by name, up to ${limits.productAttributes}, which searches can filter by range. The object replaces the previous one.`,
    ),
    facets: Named(z.string().max(limits.valueLength)).describe(
      `Facet values by name, up to ${limits.productAttributes}, which Metadata lists. The object replaces the previous one.`,
    ),
    links: List(Link, limits.productListEntries).describe(
      'Links of the product. The list replaces the previous one. Links that the organization added are ignored.',
    ),
    upcs: Upcs.describe('UPCs and EANs without duplicates. The list replaces the previous one.'),
    groupId: name.describe(
      'Id shared by products that are variants of each other, such as the sizes of a shirt. `null` if the product is not a variant.',
    ),
    hidden: NullishBoolean.transform((hidden) =>
      hidden === undefined ? undefined : hidden || null,
    ).describe(
      'Whether to hide the product from all searches and from keys of type `search`. It stays hidden until set to `false` or, if it has no offers, until it gets one.',
    ),
    options: Named(z.string().max(limits.valueLength), limits.productOptions).describe(
      `Options by name that distinguish the variant from others, such as \`Size\` and \`Colour\`, up to ${limits.productOptions}. They are searched like facets. The object replaces the previous one.`,
    ),
  }),
  ANSWERED_FIELDS,
).meta({ id: 'ProductRequest' })

/** Product 1.0 as a caller sends it. */
export const ProductBody10 = allowIgnoredFields(ProductBody.omit({ upcs: true }), ANSWERED_FIELDS)

const PriceList = Exact(limits.nameLength).describe(
  'Name of a price list of the catalog, whose prices are returned in `prices`. Defaults to the price list of the key, if any.',
)

/** GetByIdsRequest; entries without an id are ignored. */
export const GetByIdsRequest = z.object({
  ids: Exacts(limits.idLength, limits.idsPerRequest).describe(
    'Ids of the products. Unknown ids are skipped.',
  ),
  priceList: PriceList,
  ...SelectionShape,
})

const ProductId = Id.describe('Id of the product.')
export const CatalogPath = z.object({ catalog: CatalogName })
export const ProductPath = CatalogPath.extend({ id: ProductId })

/** A path below a catalog in 1.0, which calls the catalog parameter `name`. */
export const pathIn10 = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object({ name: CatalogName, ...shape })
    .transform(({ name, ...rest }: Record<string, unknown>) => ({
      catalog: name,
      ...rest,
    })) as unknown as z.ZodType<{ catalog: string } & z.output<z.ZodObject<Shape>>>

export const CatalogPath10 = pathIn10({})
export const ProductPath10 = pathIn10({ id: ProductId })

export const ProductQuery = z.object({
  priceList: PriceList,
  includeVendorDetails: QueryFlag(true).describe(
    'Whether to include `vendors`. Defaults to `true`.',
  ),
})
