import { z } from 'zod'
import { limits } from '../limits.ts'
import { Product10 } from '../products/answers.ts'
import { CatalogName, Id, PatchText, PathText } from '../shapes.ts'
import { isWorkspaceId } from './workspace.ts'

const ONE_LINE = /^\P{Cc}*$/u
const UNPADDED = /^\S(?:.*\S)?$/su

const FreeName = PathText.max(limits.nameLength)
  .regex(ONE_LINE, 'must not contain control characters')
  .regex(UNPADDED, 'must not begin or end with a space')

const NewName = FreeName.refine((name) => !isWorkspaceId(name), 'must not have the form of an id')

const LEAST = 0.001
const Quantity = z
  .number()
  .min(LEAST, 'must be above 0; to have none, delete the item')
  .max(limits.workspaceQuantity)
const Price = z.number().min(0).max(limits.workspacePrice)

const said = <T extends z.ZodType>(schema: T) =>
  schema.nullish().transform((value) => value ?? undefined)

/** WorkspaceItemDetails: absent and null say nothing. */
export const ItemDetails = z.object({ quantity: said(Quantity), price: said(Price) })

/** WorkspaceItemUpdate. */
export const ItemUpdate = ItemDetails.refine(
  ({ quantity, price }) => quantity !== undefined || price !== undefined,
  'name quantity or price',
)

export const NewWorkspaceBody = z.object({ name: NewName })

/** All or none. */
export const ItemsBody = z
  .object({
    items: z
      .array(z.object({ catalog: CatalogName, productId: Id, ...ItemDetails.shape }))
      .min(1, 'list at least one')
      .max(limits.workspaceItems),
  })
  .superRefine(({ items }, ctx) => {
    const seen = new Set<string>()
    for (const [index, { catalog, productId }] of items.entries()) {
      const key = JSON.stringify([catalog, productId])
      if (seen.has(key)) {
        const message = 'the same product is listed twice'
        ctx.addIssue({ code: 'custom', message, path: ['items', index] })
      }
      seen.add(key)
    }
  })

/** WorkspaceMetadataUpdate: null and empty remove the field. */
export const MetadataUpdate = z
  .object({ value: PatchText(limits.valueLength) })
  .refine(({ value }) => value !== undefined, {
    path: ['value'],
    message: 'required; null removes the field',
  })

export const WorkspacePath = z.object({ workspace: FreeName })
export const ItemPath = z.object({ workspace: FreeName, id: Id })
export const AdditionPath = z.object({ catalog: CatalogName, id: Id, workspace: FreeName })
export const AdditionPath10 = z
  .object({ name: CatalogName, id: Id, workspace: FreeName })
  .transform(({ name, ...rest }) => ({ catalog: name, ...rest }))
export const ExtensionPath = z.object({ workspace: FreeName, extension: FreeName })
export const FieldPath = z.object({ workspace: FreeName, extension: FreeName, field: FreeName })
export const FieldOnlyPath = z.object({ workspace: FreeName, field: FreeName })
export const ExtensionQuery = z.object({ extension: FreeName })

const Totals = z.object({ items: z.number(), quantity: z.number(), price: z.number() })

/** WorkspaceItem; `added` and `deleted` are additions, and a deleted product shows a snapshot. */
export const WorkspaceItem = z.object({
  id: z.string(),
  username: z.string(),
  productId: z.string(),
  catalog: z.string(),
  workspace: z.string(),
  product: Product10,
  details: z.object({ quantity: z.number(), price: z.number().nullable() }),
  added: z.iso.datetime(),
  deleted: z.boolean(),
})

/** Workspace; `totals` is an addition. */
export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  active: z.boolean(),
  products: z.array(WorkspaceItem),
  totals: Totals,
})

export const Workspaces = z.object({ workspaces: z.array(Workspace) })

export const WorkspaceFields = z.object({
  fields: z.array(z.object({ extensionId: z.string(), key: z.string(), value: z.string() })),
})
