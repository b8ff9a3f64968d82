import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { CatalogName, Id, OptionalText, PatchText, QueryFlag } from '../shapes.ts'
import { Exact } from './criteria.ts'
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
  z
    .record(z.string(), entry.nullable())
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
  cost: amount.describe('Price of one, in the currency of the catalog; null: not known.'),
  onHand: z.number().nullish().describe('Number in stock; null: not known.'),
  inStock: z.boolean().nullish().describe('Follows `onHand` when absent.'),
  vendorPartNumber: OptionalText(limits.nameLength).describe("The vendor's number of the product."),
  vendorName: required(limits.nameLength).describe('Identifies the offer: once in a product.'),
  status: OptionalText(limits.nameLength).describe("The vendor's words about the offer."),
  name: OptionalText(limits.productNameLength).describe("The vendor's own name of the product."),
})

const Vendor = allowIgnoredFields(VendorFields, ['checkedAt']).transform(
  ({ cost = null, onHand = null, inStock, ...texts }): Offer => ({
    cost,
    onHand,
    inStock: inStock ?? (onHand !== null && onHand > 0),
    vendorPartNumber: texts.vendorPartNumber,
    vendorName: texts.vendorName,
    status: texts.status,
    name: texts.name,
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
  id: OptionalText(limits.idLength).describe('Of your choice.'),
  url: required(limits.valueLength).describe('Address of the picture.'),
  name: OptionalText(limits.productNameLength),
  type: OptionalText(limits.nameLength).describe('Of your choice, kept as it is.'),
  isCustom: z
    .boolean()
    .nullish()
    .describe('true: the image is ignored, since Save Product Image adds custom ones.'),
  source: OptionalText(limits.valueLength).describe(
    'Not looked at: a `url` that Fetch Pictures made stands for its address in the catalog.',
  ),
})

// Custom images are annotations, so those that a caller sends back are not catalog data.
const Images = List(Image, limits.productListEntries).transform((images) =>
  images?.filter(({ isCustom }) => !isCustom).map(({ isCustom, source, ...image }) => image),
)

const Link = z.object({
  type: OptionalText(limits.nameLength)
    .transform((text) => text ?? '')
    .describe('What it leads to; of one to another system the id of the extension.'),
  value: required(limits.valueLength).describe(
    'An address, or the id of the product in the other system.',
  ),
  recommended: z
    .boolean()
    .nullish()
    .transform((flag) => flag ?? false)
    .describe('false when absent; kept as it is.'),
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

/** Fields of answered products that requests may contain and that are ignored. */
const ANSWERED = [...Object.keys(Product40.shape), 'highlight', 'explanation']

/** Product 4.0 as a caller sends it. Decodes to a patch. */
export const ProductBody = allowIgnoredFields(
  z.object({
    id: ownId.describe('Made when absent; of an update, where it is given, that of the path.'),
    description: value,
    manufacturer: name,
    manufacturerPartNumber: name.describe("The manufacturer's number of the product."),
    name: PatchText(limits.productNameLength),
    image: value.describe('Address of the main picture.'),
    unspsc: name.describe('UNSPSC code, as in `27112703`.'),
    segment: name.describe('The uppermost of three levels of classification.'),
    category: name.describe('The level below `segment`.'),
    subCategory: name.describe('The level below `category`.'),
    msrp: amount.describe('List price; the price where no offer has a cost.'),
    images: Images.describe('Pictures besides the main one; the list replaces.'),
    vendors: Vendors.describe('Offers, one of each vendor; the list replaces.'),
    attributes: Named(z.string().max(limits.valueLength)).describe(
      `Texts by name, up to ${limits.productAttributes}, found by criteria; the object replaces.`,
    ),
    filters: Named(z.number()).describe(
      `Numbers by name, up to ${limits.productAttributes}, which ranges narrow; the object replaces.`,
    ),
    facets: Named(z.string().max(limits.valueLength)).describe(
      `Texts by name, up to ${limits.productAttributes}, which Metadata lists; the object replaces.`,
    ),
    links: List(Link, limits.productListEntries).describe(
      'The list replaces; links that the organization added are left out.',
    ),
    upcs: Upcs.describe('UPCs and EANs, each once; the list replaces.'),
    groupId: name.describe(
      'Products with the same one are variants of each other, as the sizes of a shirt. null: of nothing.',
    ),
    hidden: z
      .boolean()
      .nullish()
      .transform((hidden) => (hidden === undefined ? undefined : hidden || null))
      .describe(
        'true: no search finds it, and it is not there for keys of type `search`, until this is false or, where no vendor had it, one has it again.',
      ),
    options: Named(z.string().max(limits.valueLength), limits.productOptions).describe(
      `What tells it from the other variants, as \`Size\` and \`Colour\`: texts by name, up to ${limits.productOptions}; the object replaces. They are found as facets are.`,
    ),
  }),
  ANSWERED,
).meta({ id: 'ProductRequest' })

/** Product 1.0 as a caller sends it. */
export const ProductBody10 = allowIgnoredFields(ProductBody.omit({ upcs: true }), ANSWERED)

const PriceList = Exact(limits.nameLength).describe(
  'Name of a price list of the catalog, answered in `prices`; none when absent, or that of the key.',
)

/** GetByIdsRequest; entries without an id are ignored. */
export const GetByIdsRequest = z.object({
  ids: z
    .array(z.string().max(limits.idLength).nullable())
    .max(limits.idsPerRequest)
    .nullish()
    .transform((ids) => (ids ?? []).filter((id) => id !== null && id !== '') as string[])
    .describe('Ids without a product are left out of the answer.'),
  priceList: PriceList,
  ...SelectionShape,
})

const ProductId = Id.describe('Id of the product.')
export const CatalogPath = z.object({ catalog: CatalogName })
export const ProductPath = CatalogPath.extend({ id: ProductId })

/** A path below a catalog in 1.0, where the catalog's parameter is called `name`. */
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
  includeVendorDetails: QueryFlag(true).describe('false leaves `vendors` out; true when absent.'),
})
