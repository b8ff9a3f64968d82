import { z } from 'zod'
import { limits } from '../limits.ts'
import { ProductBody } from '../products/schemas.ts'
import { Exact, NullableText, OptionalText, OrUndefined } from '../shapes.ts'
import { tolerantEntry } from './tolerant-entry.ts'

/** The ways in which an operation or a line names a product. */
export const ProductName = z.object({
  id: Exact(limits.idLength).describe('Id of the product.'),
  manufacturer: OptionalText(limits.nameLength).describe(
    'Name of the manufacturer. Use it with `manufacturerPartNumber` instead of an id.',
  ),
  manufacturerPartNumber: OptionalText(limits.nameLength).describe(
    'Part number of the manufacturer. Use it with `manufacturer`.',
  ),
  vendorName: OptionalText(limits.nameLength).describe(
    'Name of a vendor. Use it with `vendorPartNumber` instead of an id.',
  ),
  vendorPartNumber: OptionalText(limits.nameLength).describe(
    'Part number of the vendor. Use it with `vendorName`.',
  ),
  upc: OptionalText(limits.nameLength).describe('UPC or EAN, instead of an id.'),
})
export type ProductName = z.output<typeof ProductName>

export const BatchOperation = ProductName.extend({
  action: z
    .enum(['create', 'update', 'upsert', 'delete'])
    .describe(
      'What to do. `create`, `update` and `delete` work like Create, Update and Delete Product. `upsert` updates the product if it exists and creates it otherwise.',
    ),
  ifMatch: z
    .union([z.string().trim().min(1).max(limits.idLength), z.int()])
    .nullish()
    .transform((version) => (version === null || version === undefined ? undefined : `${version}`))
    .describe('Expected `version` of the product. If it differs, the operation fails with 412.'),
  product: OrUndefined(ProductBody).describe(
    'The product, as for Update Product. Not used for deletions. If no field beside it identifies the product, its own id does, or its other fields do as in an import row.',
  ),
}).meta({ id: 'BatchOperation' })
export type BatchOperation = z.output<typeof BatchOperation>

export const BatchRequest = z.object({
  operations: z
    .array(tolerantEntry(BatchOperation, 'operation'))
    .min(1)
    .max(limits.batchOperations, `at most ${limits.batchOperations} at once`)
    .describe('Operations to perform. Operations on the same product are performed in order.'),
})
export type BatchRequest = z.output<typeof BatchRequest>

/** An integer in an answer, described by `text`. */
export const integer = (text: string) => z.int().describe(text)

const BatchResult = z
  .object({
    status: integer(
      'HTTP status of the operation: 200, the status of the failure, or 503 if time ran out.',
    ),
    success: z.boolean().describe('Whether `status` is 200.'),
    id: NullableText.describe('Id of the product. `null` if none was found or created.'),
    message: z.string().describe('What was done, or what is wrong and where.'),
  })
  .meta({ id: 'BatchResult' })

export const BatchResponse = z
  .object({
    success: z.boolean().describe('Whether no operation failed.'),
    message: z.string().describe('The counts as text.'),
    created: integer('Number of products created.'),
    updated: integer('Number of operations that changed a product.'),
    unchanged: integer('Number of operations that changed nothing.'),
    deleted: integer('Number of products deleted.'),
    failed: integer('Number of operations that failed.'),
    results: z.array(BatchResult).describe('One result per operation, in request order.'),
  })
  .meta({ id: 'BatchResponse', description: 'The result of a batch.' })
export type BatchResponse = z.output<typeof BatchResponse>
