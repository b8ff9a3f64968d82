import { z } from 'zod'
import { limits } from '../limits.ts'
import { OptionalText } from '../shapes.ts'

/** Values by the name of their field; empty ones count as absent. */
export const FieldValues = z
  .record(z.string().max(limits.nameLength), z.string().max(limits.fieldValueLength).nullable())
  .nullish()
  .transform(
    (values): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(values ?? {}).flatMap(([name, value]) => (value ? [[name, value]] : [])),
      ),
  )
  .refine((values) => Object.keys(values).length <= limits.extensionFields, 'too many fields')

/** ProductReference (interface: Common shapes); without a catalog the default one is meant. */
const ProductReference = z.object({
  catalog: OptionalText(limits.catalogNameLength),
  id: z.string().min(1).max(limits.idLength),
})

/** ExtensionRunRequest (interface: Extension shapes). */
export const ExtensionRunRequest = z
  .object({
    additionalFields: FieldValues,
    products: z
      .array(ProductReference)
      .max(limits.idsPerRequest)
      .nullish()
      .transform((products) => products ?? []),
    workspace: OptionalText(limits.idLength),
  })
  .meta({ id: 'ExtensionRunRequest' })
export type ExtensionRunRequest = z.output<typeof ExtensionRunRequest>

/** ExtensionLinksRequest (interface: Extension shapes). */
export const ExtensionLinksRequest = z
  .object({
    products: z
      .array(
        z.object({
          acId: z.string().min(1).max(limits.idLength),
          acCatalog: OptionalText(limits.catalogNameLength),
        }),
      )
      .max(limits.idsPerRequest)
      .nullish()
      .transform((products) => products ?? []),
  })
  .meta({ id: 'ExtensionLinksRequest' })
export type ExtensionLinksRequest = z.output<typeof ExtensionLinksRequest>

/** ExtensionOptionsRequest (interface: Extension shapes). */
export const ExtensionOptionsRequest = z
  .object({ additionalData: FieldValues, search: OptionalText(limits.valueLength) })
  .meta({ id: 'ExtensionOptionsRequest' })
export type ExtensionOptionsRequest = z.output<typeof ExtensionOptionsRequest>

const text = z.string().max(limits.fieldValueLength)
const optional = text.nullable()
const outcome = { error: optional, success: z.boolean() }

/** ExtensionRunResponse (interface: Extension shapes). */
export const ExtensionRunResponse = z
  .object({
    ...outcome,
    redirectUrl: optional,
    messageHeader: optional,
    message: optional,
    products: z.array(z.object({ id: text, catalog: text, externalId: optional })),
    /** The task that does the work, where one does. */
    taskId: optional.optional(),
  })
  .meta({ id: 'ExtensionRunResponse' })
export type ExtensionRunResponse = z.infer<typeof ExtensionRunResponse>

/** ExtensionLinksResponse (interface: Extension shapes). */
export const ExtensionLinksResponse = z
  .object({
    links: z.array(
      z.object({
        type: text,
        acId: text,
        acCatalog: text,
        externalId: text,
        link: optional,
        user: optional,
      }),
    ),
  })
  .meta({ id: 'ExtensionLinksResponse' })
export type ExtensionLinksResponse = z.infer<typeof ExtensionLinksResponse>

/** PossibleMatchesResponse (interface: Extension shapes), with the reason of each match. */
export const PossibleMatchesResponse = z
  .object({
    ...outcome,
    products: z.array(
      z.object({
        acId: text,
        id: text,
        mfp: optional,
        name: optional,
        score: z.number().optional(),
        reason: text.optional(),
      }),
    ),
  })
  .meta({ id: 'PossibleMatchesResponse' })
export type PossibleMatchesResponse = z.infer<typeof PossibleMatchesResponse>

/** ExtensionOptionsResponse (interface: Extension shapes). */
export const ExtensionOptionsResponse = z
  .object({
    ...outcome,
    options: z.array(z.object({ value: text, display: text, default: z.boolean() })),
  })
  .meta({ id: 'ExtensionOptionsResponse' })
export type ExtensionOptionsResponse = z.infer<typeof ExtensionOptionsResponse>

const time = z.iso.datetime({ offset: true }).nullable()
const quantity = z.number().nullable()

const RealtimeItem = z.object({
  vendorPartNumber: optional,
  manufacturerPartNumber: optional,
  description: optional,
  error: optional,
  active: z.boolean(),
  onHand: quantity,
  cost: quantity,
  inStockDate: time,
  warehouses: z.array(z.object({ warehouse: text, onHand: quantity, inStockDate: time })),
})

/** RealtimeVendor (interface: Extension shapes). */
export const RealtimeVendor = RealtimeItem.extend({ vendorName: text }).meta({
  id: 'RealtimeVendor',
})
export type RealtimeVendor = z.infer<typeof RealtimeVendor>

/** RealtimeAllResponse (interface: Extension shapes). */
export const RealtimeAllResponse = z
  .object({ items: z.array(z.object({ id: text, vendors: z.array(RealtimeVendor) })) })
  .meta({ id: 'RealtimeAllResponse' })
export type RealtimeAllResponse = z.infer<typeof RealtimeAllResponse>

/** RealtimeResponse (interface: Extension shapes). */
export const RealtimeResponse = z
  .object({ ...outcome, items: z.array(RealtimeItem.extend({ status: optional })) })
  .meta({ id: 'RealtimeResponse' })
export type RealtimeResponse = z.infer<typeof RealtimeResponse>

const Match = z
  .object({
    productId: text,
    scorer: text,
    source: optional,
    matchedTo: optional,
    qty: optional,
    mfp: optional,
    name: optional,
    matchGroup: optional,
    score: z.number(),
  })
  .meta({ id: 'Match' })
export type Match = z.infer<typeof Match>

/** RecommendationResponse (interface: Extension shapes). */
export const RecommendationResponse = z
  .object({
    ...outcome,
    products: z.array(text),
    matchedProducts: z.array(Match),
    possibleProducts: z.array(Match),
  })
  .meta({ id: 'RecommendationResponse' })
export type RecommendationResponse = z.infer<typeof RecommendationResponse>
