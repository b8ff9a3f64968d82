import { z } from 'zod'
import { limits } from '../limits.ts'
import { ListOf, OptionalText, RequiredExact } from '../shapes.ts'
import { FieldTexts } from './fields.ts'

/** Values by field name; empty ones count as absent. */
const FieldValues = FieldTexts.transform(
  (values): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(values ?? {}).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
)

/** ProductReference; without a catalog it is in the default one. */
const ProductReference = z.object({
  catalog: OptionalText(limits.catalogNameLength).describe(
    "Name of the product's catalog. Defaults to the catalog in the query, or to the default catalog.",
  ),
  id: RequiredExact(limits.idLength).describe('Id of the product.'),
})

export const ExtensionRunRequest = z
  .object({
    additionalFields: FieldValues.describe(
      'Values of extension fields for this run. They override those of the installation.',
    ),
    products: ListOf(ProductReference, limits.idsPerRequest).describe(
      'Products to process. Defaults to those of `workspace`. An export without either covers the whole catalog.',
    ),
    workspace: OptionalText(limits.idLength).describe(
      'Id or name of a workspace whose products are processed.',
    ),
  })
  .meta({ id: 'ExtensionRunRequest' })
export type ExtensionRunRequest = z.output<typeof ExtensionRunRequest>

export const ExtensionLinksRequest = z
  .object({
    products: ListOf(
      z.object({
        acId: RequiredExact(limits.idLength).describe('Id of the product.'),
        acCatalog: OptionalText(limits.catalogNameLength).describe(
          "Name of the product's catalog. Defaults to the default catalog.",
        ),
      }),
      limits.idsPerRequest,
    ).describe('Products to look up. Unknown ids are skipped.'),
  })
  .meta({ id: 'ExtensionLinksRequest' })
export type ExtensionLinksRequest = z.output<typeof ExtensionLinksRequest>

export const ExtensionOptionsRequest = z
  .object({
    additionalData: FieldValues.describe('Values of other fields on which the options may depend.'),
    search: OptionalText(limits.valueLength).describe('Text that the options must contain.'),
  })
  .meta({ id: 'ExtensionOptionsRequest' })
export type ExtensionOptionsRequest = z.output<typeof ExtensionOptionsRequest>

const text = z.string().max(limits.fieldValueLength)
const optional = text.nullable()
const outcome = {
  error: optional.describe('Why the call failed, or which part of it did. `null` if nothing did.'),
  success: z.boolean(),
}

export const ExtensionRunResponse = z
  .object({
    ...outcome,
    redirectUrl: optional.describe(
      'Address to open in the browser, or address of the file, which returns 404 until its task is completed. `null` if there is none.',
    ),
    messageHeader: optional.describe('Heading of `message`. `null` if there is none.'),
    message: optional.describe('What was done.'),
    products: z
      .array(
        z.object({
          id: text.describe('Id of the product.'),
          catalog: text,
          externalId: optional.describe(
            'Id of the product in the other system. `null` if the system does not report one.',
          ),
        }),
      )
      .describe('The exported products. Empty if a task does the export.'),
    /** The task that does the work, if any. */
    taskId: optional
      .optional()
      .describe('Id of the task that exports a whole catalog. `null` or omitted if none.'),
  })
  .meta({ id: 'ExtensionRunResponse', description: 'The result of an export.' })
export type ExtensionRunResponse = z.infer<typeof ExtensionRunResponse>

export const ExtensionLinksResponse = z
  .object({
    error: optional
      .optional()
      .describe(
        'Which extension could not return its links, and why. The other links are still listed. `null` or omitted if nothing is missing.',
      ),
    links: z
      .array(
        z.object({
          type: text.describe('Id of the extension that the link belongs to.'),
          acId: text.describe('Id of the product.'),
          acCatalog: text.describe("Name of the product's catalog."),
          externalId: text.describe('Id of the product in the other system.'),
          link: optional.describe('Address of the product in the other system. `null` if unknown.'),
          user: optional.describe('User to whom the link belongs. `null` if it belongs to all.'),
        }),
      )
      .describe('Links of the products. Products without links are not listed.'),
  })
  .meta({ id: 'ExtensionLinksResponse', description: 'Links of the requested products.' })
export type ExtensionLinksResponse = z.infer<typeof ExtensionLinksResponse>

/** PossibleMatchesResponse with the reason of each match. */
export const PossibleMatchesResponse = z
  .object({
    ...outcome,
    products: z
      .array(
        z.object({
          acId: text.describe(
            'Id of the product that may match the item. If the request names a product, its id.',
          ),
          id: text.describe(
            'Id of the item in the other system. If the request names a product, the id of another product that may be the same.',
          ),
          mfp: optional.describe('Part number of the manufacturer.'),
          name: optional,
          score: z.number().optional().describe('Confidence of the match, up to 1.'),
          reason: text.optional().describe('What matched: UPC, part number or number of words.'),
        }),
      )
      .describe(`Up to ${limits.possibleMatches} matches per item, best first.`),
  })
  .meta({ id: 'PossibleMatchesResponse', description: 'Products that may match the items.' })
export type PossibleMatchesResponse = z.infer<typeof PossibleMatchesResponse>

export const ExtensionOptionsResponse = z
  .object({
    ...outcome,
    options: z.array(
      z.object({
        value: text.describe('Value to use for the field.'),
        display: text.describe('Text to show.'),
        default: z.boolean().describe('Whether this option applies if no value is given.'),
      }),
    ),
  })
  .meta({ id: 'ExtensionOptionsResponse', description: 'The options, or why there are none.' })
export type ExtensionOptionsResponse = z.infer<typeof ExtensionOptionsResponse>

const time = z.iso.datetime().nullable()
const quantity = z.number().nullable()

const RealtimeItem = z.object({
  vendorPartNumber: optional.describe('Part number of the vendor.'),
  manufacturerPartNumber: optional.describe('Part number of the manufacturer.'),
  description: optional.describe('Product description of the vendor.'),
  error: optional.describe(
    'Why there is no answer about this product, in which case the other fields are empty. `null` if there is one.',
  ),
  active: z
    .boolean()
    .describe('Whether the vendor still carries the product. `true` also if the call failed.'),
  onHand: quantity.describe("Vendor's total, or the sum of its warehouses. `null` if unknown."),
  cost: quantity.describe('Price per unit. `null` if unknown.'),
  inStockDate: time.describe('Time at which more stock is expected. `null` if unknown.'),
  warehouses: z
    .array(
      z.object({
        warehouse: text.describe('Name of the warehouse.'),
        onHand: quantity.describe('Quantity in stock in this warehouse. `null` if unknown.'),
        inStockDate: time.describe('Time at which more stock is expected here. `null` if unknown.'),
      }),
    )
    .describe('Stock by warehouse. Empty if unknown.'),
})

export const RealtimeVendor = RealtimeItem.extend({
  vendorName: text.describe(
    "The installation's `vendor`, otherwise its nickname, otherwise the id of the extension.",
  ),
}).meta({
  id: 'RealtimeVendor',
})
export type RealtimeVendor = z.infer<typeof RealtimeVendor>

export const RealtimeResponse = z
  .object({
    ...outcome,
    items: z.array(
      RealtimeItem.extend({ status: optional.describe('Availability text of the vendor.') }),
    ),
  })
  .meta({ id: 'RealtimeResponse' })
export type RealtimeResponse = z.infer<typeof RealtimeResponse>

const Match = z
  .object({
    productId: text,
    scorer: text.describe('Method that found the match.'),
    source: optional.describe("Name of the product's catalog."),
    matchedTo: optional.describe(
      'Text of the line that named the product, or the product for which the recommendation was requested.',
    ),
    qty: optional.describe('Quantity in the line. `null` if it has none.'),
    mfp: optional.describe('Part number of the manufacturer.'),
    name: optional,
    matchGroup: optional.describe(
      'Line of the list, counted from 1 including the heading, or the product for which the recommendation was requested.',
    ),
    score: z.number().describe('Confidence of the match, between 0 and 1.'),
  })
  .meta({ id: 'Match' })
export type Match = z.infer<typeof Match>

export const RecommendationResponse = z
  .object({
    ...outcome,
    products: z.array(text).describe('Ids of the recommended products, best first.'),
    matchedProducts: z.array(Match).describe('Matches that are certain.'),
    possibleProducts: z.array(Match).describe('Matches that a person has to review.'),
  })
  .meta({
    id: 'RecommendationResponse',
    description: 'Recommended products, or the reason why there are none.',
  })
export type RecommendationResponse = z.infer<typeof RecommendationResponse>
