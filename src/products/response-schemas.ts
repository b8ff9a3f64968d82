import { z } from 'zod'
import { NullableNumber, OmittableText } from '../shapes.ts'

const text = z.string().nullable()
const texts = z.record(z.string(), z.string())

const time = z.iso.datetime().nullable()

/** A price in a price list. */
export const ListedPrice = z.object({
  price: z.number().describe('Price per unit, in the currency of the list.'),
  quantityFrom: z.int().describe('Minimum quantity for this price.'),
  validFrom: time.describe(
    'Time from which the price is valid, inclusive. `null` if it has no start.',
  ),
  validTo: time.describe(
    'Time until which the price is valid, exclusive. `null` if it has no end.',
  ),
})

/** Product 1.0. */
export const Product10 = z
  .object({
    id: z.string().describe('Id of the product, unique in its catalog.'),
    description: text,
    manufacturer: text,
    manufacturerPartNumber: text.describe('Part number of the manufacturer.'),
    name: text,
    image: text.describe('URL of the main image.'),
    catalog: z.string().describe('Name of the catalog.'),
    unspsc: text.describe('UNSPSC code, such as `27112703`.'),
    segment: text.describe('Top level of the three-level classification.'),
    category: text.describe('Second level of the classification, below `segment`.'),
    subCategory: text.describe('Third level of the classification, below `category`.'),
    updatedBy: text.describe(
      'User who last changed the catalog data. Always `null` for keys of type `search`.',
    ),
    msrp: NullableNumber.describe('List price, used as the price if no offer has a cost.'),
    lastUpdated: z.iso
      .datetime()
      .describe('Time of the last change to the catalog data or an offer.'),
    images: z
      .array(
        z.object({
          id: text.describe(
            'Id of the image. For custom images, the id that Delete Custom Product Images takes. `null` if the catalog provides none.',
          ),
          url: z.string().describe('URL of the image.'),
          name: text,
          type: text.describe('Type of the image, as provided by the catalog.'),
          isCustom: z
            .boolean()
            .describe(
              "Whether the image was added by the caller's organization and is visible only to it.",
            ),
          source: OmittableText.describe(
            'Original URL in the catalog of an image that is stored here, like `imageSource`.',
          ),
        }),
      )
      .describe("Images of the catalog, followed by those that the caller's organization added."),
    vendors: z
      .array(
        z.object({
          cost: NullableNumber.describe(
            'Price per unit, in the currency of the catalog. `null` if unknown.',
          ),
          onHand: NullableNumber.describe('Quantity in stock. `null` if unknown.'),
          inStock: z
            .boolean()
            .describe(
              'Whether the offer is in stock, as stated by the vendor or otherwise derived from `onHand`.',
            ),
          vendorPartNumber: text.describe('Part number of the vendor.'),
          vendorName: z.string().describe('Name of the vendor, which identifies the offer.'),
          status: text.describe('Availability text of the vendor.'),
          name: text.describe('Name of the product at the vendor.'),
        }),
      )
      .describe('Offers, one per vendor.'),
    prices: z
      .array(ListedPrice)
      .optional()
      .describe(
        'Current prices in the price list, by quantity. Empty if the list has none for the product. Omitted if no price list applies.',
      ),
    attributes: texts.describe(
      'Text attributes by name. They can be searched with the criterion `attribute`, but are not listed by Metadata.',
    ),
    filters: z
      .record(z.string(), z.number())
      .describe('Numeric attributes by name, for use in `filters` of a search.'),
    facets: texts.describe(
      'Facet values by name, as listed by Metadata and searched with the criterion `facet`.',
    ),
    links: z
      .array(
        z.object({
          type: z
            .string()
            .describe('Type of the link, or the id of the extension for a link to another system.'),
          value: z.string().describe('URL, or the id of the product in the other system.'),
          recommended: z
            .boolean()
            .describe('Whether the link is recommended, as provided by the catalog.'),
        }),
      )
      .describe("Links of the catalog and those that the caller's organization added."),
    notes: z
      .array(z.object({ username: z.string(), text: z.string() }))
      .describe("Notes of the caller's organization, one per user."),
    extensionFields: z
      .array(
        z.object({
          extensionId: z.string().describe('Name of the extension.'),
          key: z.string().describe('Name of the field.'),
          value: z.string(),
        }),
      )
      .describe("Values that the caller's organization stores for its extensions."),
    favorite: z
      .object({
        company: z.boolean().describe("Whether it is a favorite of the caller's organization."),
        user: z.boolean().describe('Whether it is a favorite of the caller.'),
      })
      .describe('Whether the product is marked as a favorite.'),
    groupId: OmittableText.describe(
      'Id shared by all variants of a product. Omitted if the product is not a variant.',
    ),
    options: texts
      .optional()
      .describe(
        'Options by name that distinguish the variant from the others. Omitted if there are none.',
      ),
    hidden: z
      .literal(true)
      .optional()
      .describe('Present and `true` if searches do not find the product. Omitted otherwise.'),
    imageSource: OmittableText.describe(
      'Original URL of an `image` that Fetch Pictures downloaded. Omitted for other images and for keys of type `search`.',
    ),
  })
  .meta({ id: 'Product10', description: 'A product as seen by the caller.' })

/** Product 4.0. `vendors` is absent if the caller did not want vendor details. */
export const Product40 = Product10.extend({
  vendors: Product10.shape.vendors
    .optional()
    .describe('Offers, one per vendor. Omitted with `includeVendorDetails=false`.'),
  upcs: z.array(z.string()).describe('UPCs and EANs.'),
  tags: z.array(z.string()).describe("Tags of the caller's organization."),
  userTags: z.array(z.string()).describe("The caller's own tags."),
  version: z
    .string()
    .describe(
      'Version of the product, for use in `if-match`. It increases with every change to the catalog data or offers.',
    ),
}).meta({ id: 'Product', description: 'A product as seen by the caller.' })

/**
 * The schema of a product for requests that select fields. All members but `id` are optional, and
 * so are all nested ones.
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
    updatedBy: z.string().describe('User who made the change.'),
    timestamp: z.iso.datetime().describe('Time of the change.'),
    fieldsUpdated: z.array(z.string()).describe('Names of the changed fields.'),
    id: z.string().describe('Id of the entry, as used by Restore Product.'),
    source: z.enum(['api', 'import', 'copy', 'real-time']).describe('Origin of the change.'),
    changes: z
      .array(
        z.object({
          field: z.string(),
          before: z.unknown().describe('Value before the change. `null` if there was none.'),
          after: z.unknown().describe('Value after the change. `null` if there is none.'),
        }),
      )
      .describe(
        'Changed values by field. For attributes, filters, facets, options and vendors, only the differences are listed.',
      ),
    copiedFrom: OmittableText.describe(
      'Name of the source catalog, if the change was a copy. Omitted otherwise, or if it is not disclosed.',
    ),
    copiedTo: OmittableText.describe(
      'Name of the target catalog, if the product was copied to another catalog. Omitted otherwise.',
    ),
  })
  .meta({ id: 'ProductLog' })
export type ProductLog = z.infer<typeof ProductLog>

export const ProductLogs = z
  .object({ items: z.array(ProductLog).describe('Log entries, newest first.') })
  .describe('A page of changes.')
