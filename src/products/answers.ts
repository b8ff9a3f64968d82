import { z } from 'zod'

const text = z.string().nullable()
const texts = z.record(z.string(), z.string())

/** Product 1.0 (interface: Product). */
export const Product10 = z
  .object({
    id: z.string(),
    description: text,
    manufacturer: text,
    manufacturerPartNumber: text,
    name: text,
    image: text,
    catalog: z.string(),
    unspsc: text,
    segment: text,
    category: text,
    subCategory: text,
    updatedBy: text,
    msrp: z.number().nullable(),
    lastUpdated: z.iso.datetime(),
    images: z.array(
      z.object({ id: text, url: z.string(), name: text, type: text, isCustom: z.boolean() }),
    ),
    vendors: z.array(
      z.object({
        cost: z.number().nullable(),
        onHand: z.number().nullable(),
        inStock: z.boolean(),
        vendorPartNumber: text,
        vendorName: z.string(),
        status: text,
        name: text,
      }),
    ),
    attributes: texts,
    filters: z.record(z.string(), z.number()),
    facets: texts,
    links: z.array(z.object({ type: z.string(), value: z.string(), recommended: z.boolean() })),
    notes: z.array(z.object({ username: z.string(), text: z.string() })),
    extensionFields: z.array(
      z.object({ extensionId: z.string(), key: z.string(), value: z.string() }),
    ),
    favorite: z.object({ company: z.boolean(), user: z.boolean() }),
  })
  .meta({ id: 'Product10' })

/** Product 4.0: `vendors` is left out where the caller asked for none. */
export const Product40 = Product10.extend({
  vendors: Product10.shape.vendors.optional(),
  upcs: z.array(z.string()),
  tags: z.array(z.string()),
  userTags: z.array(z.string()),
  version: z.string(),
}).meta({ id: 'Product' })

/** ProductLog 1.0 with what the service adds: id, source, the values before and after, copies. */
export const ProductLog = z
  .object({
    catalog: z.string(),
    productId: z.string(),
    updatedBy: z.string(),
    timestamp: z.iso.datetime(),
    fieldsUpdated: z.array(z.string()),
    id: z.string(),
    source: z.enum(['api', 'import', 'copy', 'real-time']),
    changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
    copiedFrom: z.string().optional(),
    copiedTo: z.string().optional(),
  })
  .meta({ id: 'ProductLog' })
export type ProductLog = z.infer<typeof ProductLog>

export const ProductLogs = z.object({ items: z.array(ProductLog) })
