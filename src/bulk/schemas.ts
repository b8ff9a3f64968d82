import { z } from 'zod'
import { limits } from '../limits.ts'
import { ProductBody } from '../products/schemas.ts'
import { byItself, OptionalText } from '../shapes.ts'

/** The ways in which an operation or a line names a product. */
export const ProductName = z.object({
  id: OptionalText(limits.idLength).describe('Id of the product.'),
  manufacturer: OptionalText(limits.nameLength).describe(
    'With `manufacturerPartNumber` instead of an id.',
  ),
  manufacturerPartNumber: OptionalText(limits.nameLength).describe('Beside `manufacturer`.'),
  vendorName: OptionalText(limits.nameLength).describe('With `vendorPartNumber` instead of an id.'),
  vendorPartNumber: OptionalText(limits.nameLength).describe('Beside `vendorName`.'),
  upc: OptionalText(limits.nameLength).describe('UPC or EAN, instead of an id.'),
})
export type ProductName = z.output<typeof ProductName>

const BATCH_ACTIONS = ['create', 'update', 'upsert', 'delete'] as const

export const BatchOperation = ProductName.extend({
  action: z
    .enum(BATCH_ACTIONS)
    .describe(
      '`create` and `update` as Create and Update Product, `delete` as Delete Product; `upsert` updates the product that there is, else creates it.',
    ),
  ifMatch: z
    .union([z.string().trim().min(1).max(limits.idLength), z.int()])
    .nullish()
    .transform((version) => (version === null || version === undefined ? undefined : `${version}`))
    .describe('The `version` that the product must still have; else 412.'),
  product: ProductBody.nullish()
    .transform((body) => body ?? undefined)
    .describe(
      'As Update Product takes it; not of a deletion. Names the product where nothing beside it does: by its id, else as a row of an import.',
    ),
}).meta({ id: 'BatchOperation' })
export type BatchOperation = z.output<typeof BatchOperation>

export const BatchRequest = z.object({
  operations: z
    .array(byItself(BatchOperation, 'operation'))
    .min(1)
    .max(limits.batchOperations, `at most ${limits.batchOperations} at once`)
    .describe('Done in this order where several are about one product.'),
})
export type BatchRequest = z.output<typeof BatchRequest>

const count = (text: string) => z.int().describe(text)

const BatchResult = z
  .object({
    status: z
      .int()
      .describe('200, or as the operation by itself would fail; 503: there was no time for it.'),
    success: z.boolean().describe('`status` is 200.'),
    id: z.string().nullable().describe('Id of the product; null where none was found or made.'),
    message: z.string().describe('What was done, or what is wrong and where.'),
  })
  .meta({ id: 'BatchResult' })

export const BatchResponse = z
  .object({
    success: z.boolean().describe('`failed` is 0.'),
    message: z.string().describe('The counts in words.'),
    created: count('Products made.'),
    updated: count('Operations that changed a product.'),
    unchanged: count('Operations that changed nothing.'),
    deleted: count('Products removed.'),
    failed: count('Operations that were refused.'),
    results: z.array(BatchResult).describe('One for each operation, in their order.'),
  })
  .meta({ id: 'BatchResponse', description: 'What became of each operation.' })
export type BatchResponse = z.output<typeof BatchResponse>
