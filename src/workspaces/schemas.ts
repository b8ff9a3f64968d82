import { z } from 'zod'
import { limits } from '../limits.ts'
import { allowIgnoredFields } from '../platform/known-fields.ts'
import { Product10 } from '../products/response-schemas.ts'
import { ProductPath, pathIn10 } from '../products/schemas.ts'
import {
  CatalogName,
  Exact,
  Id,
  NullableNumber,
  OrUndefined,
  PatchText,
  PathText,
} from '../shapes.ts'
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
  .min(LEAST, 'must be above 0; to remove the item, delete it')
  .max(limits.workspaceQuantity)
const Price = z.number().min(0).max(limits.workspacePrice)

/** WorkspaceItemDetails: absent and null say nothing. */
export const ItemDetails = z.object({
  quantity: OrUndefined(Quantity).describe(
    'Quantity of the product. Defaults to 1, or to the current quantity if the item exists.',
  ),
  price: OrUndefined(Price).describe(
    "Price per unit. Defaults to the product's price, or to the current price if the item exists. Punchout sessions cannot set it.",
  ),
  priceList: OrUndefined(Exact(limits.nameLength)).describe(
    "Name of a price list of the catalog, instead of `price`. Sets the list's current price for the quantity, or `null` if it has none.",
  ),
})

/** WorkspaceItemUpdate, or a WorkspaceItem as it is answered. */
export const ItemUpdate = allowIgnoredFields(
  ItemDetails.extend({
    details: ItemDetails.nullish().describe(
      'Quantity and price, in the form returned by Get Workspace Detail.',
    ),
  }),
  ['id', 'username', 'productId', 'catalog', 'workspace', 'product', 'added', 'deleted'],
)
  .transform(({ details, quantity = details?.quantity, price = details?.price, priceList }) => ({
    quantity,
    price,
    priceList: priceList ?? details?.priceList,
  }))
  .refine(
    ({ quantity, price, priceList }) => (quantity ?? price ?? priceList) !== undefined,
    'send quantity, price or priceList',
  )

export const NewWorkspaceBody = z.object({
  name: NewName.describe(
    'Name of the workspace. It must not look like an id, or start or end with a space.',
  ),
})

/** A request to add all items or none. */
export const ItemsBody = z
  .object({
    items: z
      .array(z.object({ catalog: CatalogName, productId: Id, ...ItemDetails.shape }))
      .min(1, 'list at least one')
      .max(limits.workspaceItems)
      .describe('Items to add. Either all are added or none.'),
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
export const MetadataUpdate = allowIgnoredFields(
  z.object({
    value: PatchText(limits.valueLength).describe(
      'Value of the field, trimmed. `null` and an empty value delete the field.',
    ),
  }),
  ['extensionId', 'key'],
).refine(({ value }) => value !== undefined, {
  path: ['value'],
  message: 'required; null removes the field',
})

const WorkspaceName = FreeName.describe('Id or name of the workspace.')
const WorkspaceToFill = FreeName.describe('Id or name of the workspace. A new name creates one.')
const ExtensionName = FreeName.describe('Any name for the extension.')
const FieldName = FreeName.describe('Any name for the field.')

export const WorkspacePath = z.object({ workspace: WorkspaceName })
export const ItemPath = WorkspacePath.extend({ id: Id.describe('Id of the item.') })
const toAddition = { id: ProductPath.shape.id, workspace: WorkspaceToFill }
export const AdditionPath = z.object({ catalog: CatalogName, ...toAddition })
export const AdditionPath10 = pathIn10(toAddition)
export const ExtensionPath = WorkspacePath.extend({ extension: ExtensionName })
export const FieldPath = ExtensionPath.extend({ field: FieldName })
export const FieldOnlyPath = WorkspacePath.extend({ field: FieldName })
export const ExtensionQuery = z.object({ extension: ExtensionName })

const Totals = z.object({
  items: z.number().describe('Number of items.'),
  quantity: z.number().describe('Sum of the quantities.'),
  price: z.number().describe('Sum of quantity times price. Items without a price count as 0.'),
})

/** WorkspaceItem; `added` and `deleted` are additions, and a deleted product shows a snapshot. */
export const WorkspaceItem = z.object({
  id: z.string().describe('Id of the item, as used by Update and Delete Workspace Item.'),
  username: z.string().describe('User who added the item.'),
  productId: z.string(),
  catalog: z.string().describe('Name of the catalog.'),
  workspace: z.string().describe('Name of the workspace.'),
  product: Product10.describe(
    'Current data of the product. For a deleted product, its id and identifying fields.',
  ),
  details: z.object({
    quantity: z.number(),
    price: NullableNumber.describe(
      'Price per unit: that of the product when it was added, unless set otherwise. `null` if there was none.',
    ),
  }),
  added: z.iso.datetime().describe('Time at which the item was added.'),
  deleted: z.boolean().describe('Whether the product no longer exists in its catalog.'),
})

/** Workspace; `totals` is an addition. */
export const Workspace = z
  .object({
    id: z.string().describe('Id of the workspace. Paths accept the id or the name.'),
    name: z.string(),
    active: z.boolean().describe('Always `true`.'),
    products: z
      .array(WorkspaceItem)
      .describe(
        `Items of the workspace. Get Workspaces lists only those of the first workspaces that have ${limits.workspaceItems} items together.`,
      ),
    totals: Totals,
  })
  .describe('A workspace with its items.')

export const Workspaces = z
  .object({ workspaces: z.array(Workspace) })
  .describe('All workspaces of the organization.')

export const WorkspaceFields = z
  .object({
    fields: z.array(Product10.shape.extensionFields.element),
  })
  .describe('Fields that extensions store on the workspace.')
