import { z } from 'zod'

const text = z.string().nullable()
const texts = z.record(z.string(), z.string())

const time = z.iso.datetime().nullable()

/** A price of a list. */
export const ListedPrice = z.object({
  price: z.number().describe('Of one piece, in the currency of the list.'),
  quantityFrom: z.int().describe('Pieces from which on it holds.'),
  validFrom: time.describe('The first moment; null: without a beginning.'),
  validTo: time.describe('The first moment after it; null: without an end.'),
})

/** Product 1.0. */
export const Product10 = z
  .object({
    id: z.string().describe('Unique in its catalog.'),
    description: text,
    manufacturer: text,
    manufacturerPartNumber: text.describe("The manufacturer's number of the product."),
    name: text,
    image: text.describe('Address of the main picture.'),
    catalog: z.string().describe('Name of the catalog.'),
    unspsc: text.describe('UNSPSC code, as in `27112703`.'),
    segment: text.describe('The uppermost of three levels of classification.'),
    category: text.describe('The level below `segment`.'),
    subCategory: text.describe('The level below `category`.'),
    updatedBy: text.describe('Who changed the catalog data last; null for a search key.'),
    msrp: z.number().nullable().describe('List price; the price where no offer has a cost.'),
    lastUpdated: z.iso.datetime().describe('When the catalog data or an offer changed last.'),
    images: z
      .array(
        z.object({
          id: text.describe(
            'Of a custom image what Delete Custom Product Images takes; null where the catalog gives none.',
          ),
          url: z.string().describe('Address of the picture.'),
          name: text,
          type: text.describe('As the catalog has it.'),
          isCustom: z
            .boolean()
            .describe("true: added by the caller's organization, which alone sees it."),
          source: z
            .string()
            .optional()
            .describe(
              'As `imageSource`: the address in the catalog of a picture that is kept here.',
            ),
        }),
      )
      .describe("Pictures of the catalog, then those that the caller's organization added."),
    vendors: z
      .array(
        z.object({
          cost: z
            .number()
            .nullable()
            .describe('Price of one, in the currency of the catalog; null: not known.'),
          onHand: z.number().nullable().describe('Number in stock; null: not known.'),
          inStock: z
            .boolean()
            .describe('As the vendor says it; follows `onHand` where he does not.'),
          vendorPartNumber: text.describe("The vendor's number of the product."),
          vendorName: z.string().describe('Identifies the offer.'),
          status: text.describe("The vendor's words about the offer."),
          name: text.describe("The vendor's own name of the product."),
        }),
      )
      .describe('Offers, one of each vendor.'),
    prices: z
      .array(ListedPrice)
      .optional()
      .describe(
        'What the price list says of it now, by quantity; empty where it says nothing. Absent without a price list.',
      ),
    attributes: texts.describe(
      'Texts by name; the criterion `attribute` finds them, Metadata does not list them.',
    ),
    filters: z
      .record(z.string(), z.number())
      .describe('Numbers by name, which `filters` of a search narrows.'),
    facets: texts.describe('Texts by name, which Metadata lists and the criterion `facet` finds.'),
    links: z
      .array(
        z.object({
          type: z
            .string()
            .describe('What it leads to; of one to another system the id of the extension.'),
          value: z.string().describe('An address, or the id of the product in the other system.'),
          recommended: z.boolean().describe('As the catalog has it.'),
        }),
      )
      .describe("Links of the catalog and those that the caller's organization added."),
    notes: z
      .array(z.object({ username: z.string(), text: z.string() }))
      .describe("Notes of the caller's organization, one of each user."),
    extensionFields: z
      .array(
        z.object({
          extensionId: z.string().describe('Name of the extension.'),
          key: z.string().describe('Name of the field.'),
          value: z.string(),
        }),
      )
      .describe("Values that the caller's organization keeps for its extensions."),
    favorite: z
      .object({
        company: z.boolean().describe("The caller's organization."),
        user: z.boolean().describe('The caller.'),
      })
      .describe('Who marked it as favorite.'),
    groupId: z
      .string()
      .optional()
      .describe('Shared by the variants of one thing; absent of what is no variant.'),
    options: texts
      .optional()
      .describe('What tells it from the other variants, by name; absent where it has none.'),
    hidden: z.literal(true).optional().describe('Searches do not find it; absent where they do.'),
    imageSource: z
      .string()
      .optional()
      .describe(
        'Where Fetch Pictures has `image` from, which is kept here; absent of others, and for keys of type `search`.',
      ),
  })
  .meta({ id: 'Product10', description: 'A product as the caller sees it.' })

/** Product 4.0; `vendors` is omitted when the caller asked for none. */
export const Product40 = Product10.extend({
  vendors: Product10.shape.vendors
    .optional()
    .describe('Offers, one of each vendor; absent with `includeVendorDetails=false`.'),
  upcs: z.array(z.string()).describe('UPCs and EANs.'),
  tags: z.array(z.string()).describe("Tags of the caller's organization."),
  userTags: z.array(z.string()).describe("The caller's own tags."),
  version: z
    .string()
    .describe('Raised by each change of catalog data or offers; `if-match` compares it.'),
}).meta({ id: 'Product', description: 'A product as the caller sees it.' })

/**
 * A product of which a request may leave members out: any of them but `id` may be absent, and any
 * inside of them.
 */
export const selectable = <S extends z.ZodRawShape>({ shape }: z.ZodObject<S>) =>
  loose(shape).extend({ id: Product10.shape.id })

const loose = (shape: z.core.$ZodShape): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(shape).map(([name, member]) => [
        name,
        loosened(member as z.ZodType).optional(),
      ]),
    ),
  )

function loosened(schema: z.ZodType): z.ZodType {
  const described = (one: z.ZodType) =>
    schema.description === undefined ? one : one.describe(schema.description)
  if (schema instanceof z.ZodOptional) return described(loosened(schema.unwrap() as z.ZodType))
  if (schema instanceof z.ZodArray) {
    return described(z.array(loosened(schema.element as z.ZodType)))
  }
  return schema instanceof z.ZodObject ? described(loose(schema.shape)) : schema
}

/** ProductLog 1.0 with additions: id, source, values before and after, copies. */
export const ProductLog = z
  .object({
    catalog: z.string(),
    productId: z.string(),
    updatedBy: z.string().describe('Who made the change.'),
    timestamp: z.iso.datetime().describe('When it was made.'),
    fieldsUpdated: z.array(z.string()).describe('Names of the fields that changed.'),
    id: z.string().describe('Of the entry, as Restore Product takes it.'),
    source: z.enum(['api', 'import', 'copy', 'real-time']).describe('Through which door it came.'),
    changes: z
      .array(
        z.object({
          field: z.string(),
          before: z.unknown().describe('null: there was none.'),
          after: z.unknown().describe('null: there is none any more.'),
        }),
      )
      .describe(
        'The values of each field; of attributes, filters, facets, options and vendors only what differs.',
      ),
    copiedFrom: z
      .string()
      .optional()
      .describe('Of a copy: the catalog it came from, where that is told; else absent.'),
    copiedTo: z
      .string()
      .optional()
      .describe('Of the source of a copy: the catalog it went to; else absent.'),
  })
  .meta({ id: 'ProductLog' })
export type ProductLog = z.infer<typeof ProductLog>

export const ProductLogs = z
  .object({ items: z.array(ProductLog).describe('Newest first.') })
  .describe('A page of changes.')
