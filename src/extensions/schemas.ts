import { z } from 'zod'
import { limits } from '../limits.ts'
import { OptionalText } from '../shapes.ts'

/** Values by field name; empty ones count as absent. */
const FieldValues = z
  .record(z.string().max(limits.nameLength), z.string().max(limits.fieldValueLength).nullable())
  .nullish()
  .transform(
    (values): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(values ?? {}).flatMap(([name, value]) => (value ? [[name, value]] : [])),
      ),
  )
  .refine((values) => Object.keys(values).length <= limits.extensionFields, 'too many fields')

/** ProductReference; without a catalog it is in the default one. */
const ProductReference = z.object({
  catalog: OptionalText(limits.catalogNameLength).describe(
    "The query's catalog, else the default one, when absent.",
  ),
  id: z.string().min(1).max(limits.idLength).describe('Id of the product.'),
})

export const ExtensionRunRequest = z
  .object({
    additionalFields: FieldValues.describe(
      'Values of fields of the extension for this run, over those of the installation.',
    ),
    products: z
      .array(ProductReference)
      .max(limits.idsPerRequest)
      .nullish()
      .transform((products) => products ?? [])
      .describe(
        'Without them those of `workspace`; an export without either is of the whole catalog.',
      ),
    workspace: OptionalText(limits.idLength).describe(
      'Id or name of a workspace, whose products are meant.',
    ),
  })
  .meta({ id: 'ExtensionRunRequest' })
export type ExtensionRunRequest = z.output<typeof ExtensionRunRequest>

export const ExtensionLinksRequest = z
  .object({
    products: z
      .array(
        z.object({
          acId: z.string().min(1).max(limits.idLength).describe('Id of the product.'),
          acCatalog: OptionalText(limits.catalogNameLength).describe(
            'Its catalog; the default one when absent.',
          ),
        }),
      )
      .max(limits.idsPerRequest)
      .nullish()
      .transform((products) => products ?? [])
      .describe('Ids without a product are passed over.'),
  })
  .meta({ id: 'ExtensionLinksRequest' })
export type ExtensionLinksRequest = z.output<typeof ExtensionLinksRequest>

export const ExtensionOptionsRequest = z
  .object({
    additionalData: FieldValues.describe(
      'Values of other fields, on which the options may depend.',
    ),
    search: OptionalText(limits.valueLength).describe('Only options that contain this text.'),
  })
  .meta({ id: 'ExtensionOptionsRequest' })
export type ExtensionOptionsRequest = z.output<typeof ExtensionOptionsRequest>

const text = z.string().max(limits.fieldValueLength)
const optional = text.nullable()
const outcome = {
  error: optional.describe('Why it failed, or what failed of it; null: nothing.'),
  success: z.boolean(),
}

export const ExtensionRunResponse = z
  .object({
    ...outcome,
    redirectUrl: optional.describe(
      'Where to send the browser, or the file, which is 404 until its task is completed; null: nowhere.',
    ),
    messageHeader: optional.describe('Heading of `message`; null: none.'),
    message: optional.describe('What was done.'),
    products: z
      .array(
        z.object({
          id: text.describe('Id of the product.'),
          catalog: text,
          externalId: optional.describe(
            'What the other system calls the product; null: it does not say.',
          ),
        }),
      )
      .describe('What was exported; empty for a task.'),
    /** The task that does the work, if any. */
    taskId: optional
      .optional()
      .describe('The task that exports a whole catalog; null or absent where none is needed.'),
  })
  .meta({ id: 'ExtensionRunResponse', description: 'What became of the export.' })
export type ExtensionRunResponse = z.infer<typeof ExtensionRunResponse>

export const ExtensionLinksResponse = z
  .object({
    error: optional
      .optional()
      .describe(
        'Which extension did not say its links, and why; the others are here. null or absent: nothing is missing.',
      ),
    links: z
      .array(
        z.object({
          type: text.describe('Id of the extension whose link it is.'),
          acId: text.describe('Id of the product.'),
          acCatalog: text.describe('Its catalog.'),
          externalId: text.describe('What the other system calls the product.'),
          link: optional.describe('Its address there; null: not known.'),
          user: optional.describe("Whose link it is; null: everybody's."),
        }),
      )
      .describe('Products without links have none.'),
  })
  .meta({ id: 'ExtensionLinksResponse', description: 'Links of the products that were named.' })
export type ExtensionLinksResponse = z.infer<typeof ExtensionLinksResponse>

/** PossibleMatchesResponse with the reason of each match. */
export const PossibleMatchesResponse = z
  .object({
    ...outcome,
    products: z
      .array(
        z.object({
          acId: text.describe(
            'The product that may be the item; of a product that was named, that product.',
          ),
          id: text.describe(
            'The item in the other system; of a product that was named, another product that may be the same.',
          ),
          mfp: optional.describe("The manufacturer's part number."),
          name: optional,
          score: z.number().optional().describe('How surely, up to 1.'),
          reason: text.optional().describe('What matches: UPC, a part number or how many words.'),
        }),
      )
      .describe(`Up to ${limits.possibleMatches} for each item, the best first.`),
  })
  .meta({ id: 'PossibleMatchesResponse', description: 'Products that may be the items.' })
export type PossibleMatchesResponse = z.infer<typeof PossibleMatchesResponse>

export const ExtensionOptionsResponse = z
  .object({
    ...outcome,
    options: z.array(
      z.object({
        value: text.describe('What to give as the value of the field.'),
        display: text.describe('What to show.'),
        default: z.boolean().describe('It is taken when nothing is given.'),
      }),
    ),
  })
  .meta({ id: 'ExtensionOptionsResponse', description: 'The options, or why there are none.' })
export type ExtensionOptionsResponse = z.infer<typeof ExtensionOptionsResponse>

const time = z.iso.datetime().nullable()
const quantity = z.number().nullable()

const RealtimeItem = z.object({
  vendorPartNumber: optional.describe("The vendor's number of the product."),
  manufacturerPartNumber: optional.describe("The manufacturer's number of the product."),
  description: optional.describe("The vendor's words about the product."),
  error: optional.describe(
    'Why there is no answer about this product; the rest is empty then. null: there is one.',
  ),
  active: z
    .boolean()
    .describe('false: the vendor says that it has the product no more; true also where it failed.'),
  onHand: quantity.describe("The vendor's total, else the sum of the warehouses; null: not known."),
  cost: quantity.describe('Price of one; null: not known.'),
  inStockDate: time.describe('When more comes; null: not known.'),
  warehouses: z
    .array(
      z.object({
        warehouse: text.describe('Name of the warehouse.'),
        onHand: quantity.describe('Number in stock there; null: not known.'),
        inStockDate: time.describe('When more comes there; null: not known.'),
      }),
    )
    .describe('Stock by warehouse; empty: not known.'),
})

export const RealtimeVendor = RealtimeItem.extend({
  vendorName: text.describe(
    "The installation's `vendor`, else its nickname, else the extension's id.",
  ),
}).meta({
  id: 'RealtimeVendor',
})
export type RealtimeVendor = z.infer<typeof RealtimeVendor>

export const RealtimeResponse = z
  .object({
    ...outcome,
    items: z.array(
      RealtimeItem.extend({ status: optional.describe("The vendor's words about the offer.") }),
    ),
  })
  .meta({ id: 'RealtimeResponse' })
export type RealtimeResponse = z.infer<typeof RealtimeResponse>

const Match = z
  .object({
    productId: text,
    scorer: text.describe('What found it.'),
    source: optional.describe('The catalog of the product.'),
    matchedTo: optional.describe(
      'The text of the line that named it; else the product that was asked about.',
    ),
    qty: optional.describe('The quantity of the line; null where it says none.'),
    mfp: optional.describe("The manufacturer's part number."),
    name: optional,
    matchGroup: optional.describe(
      'The line of the list, counted from 1 with its heading; else the product that was asked about.',
    ),
    score: z.number().describe('How surely, between 0 and 1.'),
  })
  .meta({ id: 'Match' })
export type Match = z.infer<typeof Match>

export const RecommendationResponse = z
  .object({
    ...outcome,
    products: z.array(text).describe('Ids, the best first.'),
    matchedProducts: z.array(Match).describe('What is sure.'),
    possibleProducts: z.array(Match).describe('What a person has to look at.'),
  })
  .meta({
    id: 'RecommendationResponse',
    description: 'Recommended products, or why there are none.',
  })
export type RecommendationResponse = z.infer<typeof RecommendationResponse>
