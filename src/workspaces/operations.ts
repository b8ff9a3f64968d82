import type { z } from 'zod'
import { bothRevisions, type KeyGroup, operation, type RequestFacts, route } from '../operation.ts'
import { ActionResponse, done } from '../shapes.ts'
import { addProduct, addProducts } from './add-products.ts'
import { withoutItem } from './changes.ts'
import { viewWorkspace, viewWorkspaces } from './listing.ts'
import { metadataOperations } from './metadata-operations.ts'
import { toWorkspace } from './responses.ts'
import {
  AdditionPath,
  AdditionPath10,
  ItemDetails,
  ItemPath,
  ItemsBody,
  ItemUpdate,
  NewWorkspaceBody,
  Workspace,
  WorkspacePath,
  Workspaces,
} from './schemas.ts'
import {
  changeWorkspaceCalled,
  createWorkspace,
  deleteWorkspace,
  identifyWorkspace,
  missingWorkspace,
  openWorkspace,
} from './store.ts'
import { updateItem } from './update-item.ts'

/** The key of a punchout session shops in its own workspace. */
const SHOPPING: readonly KeyGroup[] = ['session']

type AdditionInput = z.output<typeof AdditionPath> &
  RequestFacts & { readonly body?: Partial<z.output<typeof ItemDetails>> }

export const workspaceOperations = [
  operation({
    name: 'Get Workspaces',
    summary:
      'Lists the workspaces with their totals, sorted by name, and the items of the first ones.',
    access: 'viewer',
    cost: 4,
    bindings: bothRevisions('GET', '/api/workspaces', {
      answer: Workspaces,
      encode: (views: Awaited<ReturnType<typeof viewWorkspaces>>) => ({
        workspaces: views.map(toWorkspace),
      }),
    }),
    handle: (_input, ctx) => viewWorkspaces(ctx),
  }),
  operation({
    name: 'Create Workspace',
    summary: 'Creates an empty workspace. A name that is already taken returns 409.',
    access: 'viewer',
    fails: ['conflict'],
    bindings: bothRevisions('POST', '/api/workspaces', {
      body: NewWorkspaceBody,
      answer: ActionResponse,
    }),
    handle: async ({ body }, ctx) => {
      const { id } = await createWorkspace(ctx, body.name)
      return done('Workspace created.', { id })
    },
  }),
  operation({
    name: 'Get Workspace Detail',
    summary:
      'Returns a workspace. Its products have their current data, and its prices are those at the time they were added.',
    access: 'viewer',
    cost: 4,
    keys: SHOPPING,
    bindings: bothRevisions('GET', '/api/workspaces/:workspace', {
      param: WorkspacePath,
      answer: Workspace,
      encode: toWorkspace,
    }),
    handle: async ({ workspace }, ctx) => viewWorkspace(ctx, await openWorkspace(ctx, workspace)),
  }),
  operation({
    name: 'Delete Workspace',
    summary: 'Deletes a workspace with its items. Its name can be reused at once.',
    access: 'viewer',
    bindings: bothRevisions('DELETE', '/api/workspaces/:workspace', {
      param: WorkspacePath,
      answer: ActionResponse,
    }),
    handle: async ({ workspace }, ctx) => {
      const found = await identifyWorkspace(ctx, workspace)
      if (!(await deleteWorkspace(ctx, ctx.organization.id, found, ctx.signal))) {
        throw missingWorkspace()
      }
      return done('Workspace deleted.', { id: found.id })
    },
  }),
  operation({
    name: 'Add Product To Workspace',
    summary:
      'Adds a product to a workspace, which is created if it does not exist. Adding the product again updates its item.',
    access: 'viewer',
    keys: SHOPPING,
    bindings: {
      '1.0': route('POST', '/api/Catalog/:name/:id/addToWorkspace/:workspace', {
        param: AdditionPath10,
        answer: ActionResponse,
      }),
      '6.0': route('POST', '/api/Catalog/:catalog/products/:id/addToWorkspace/:workspace', {
        param: AdditionPath,
        body: ItemDetails,
        bodyOptional: true,
        answer: ActionResponse,
      }),
    },
    handle: async (
      { catalog, id: productId, workspace, body: details = {} }: AdditionInput,
      ctx,
    ) => {
      const id = await addProduct(ctx, workspace, { catalog, productId, details })
      return done('Product added.', { id })
    },
  }),
  operation({
    name: 'Add Items To Workspace',
    summary: 'Adds several products to a workspace, either all or none.',
    access: 'viewer',
    cost: 4,
    keys: SHOPPING,
    bindings: bothRevisions('POST', '/api/workspaces/:workspace/items', {
      param: WorkspacePath,
      body: ItemsBody,
      answer: ActionResponse,
    }),
    handle: async ({ workspace, body }, ctx) => {
      await addProducts(
        ctx,
        workspace,
        body.items.map(({ catalog, productId, ...details }) => ({ catalog, productId, details })),
      )
      return done(`${body.items.length} items added.`)
    },
  }),
  operation({
    name: 'Update Workspace Item',
    summary:
      'Updates the quantity or price of an item. Omitted and `null` fields are left unchanged. Punchout sessions cannot set a price.',
    access: 'viewer',
    keys: SHOPPING,
    bindings: bothRevisions('PUT', '/api/workspaces/:workspace/items/:id', {
      param: ItemPath,
      body: ItemUpdate,
      answer: ActionResponse,
    }),
    handle: async ({ workspace, id, body }, ctx) => {
      await updateItem(ctx, workspace, { id, details: body })
      return done('Item updated.', { id })
    },
  }),
  operation({
    name: 'Delete Workspace Item',
    summary: 'Removes an item from a workspace.',
    access: 'viewer',
    keys: SHOPPING,
    bindings: bothRevisions('DELETE', '/api/workspaces/:workspace/items/:id', {
      param: ItemPath,
      answer: ActionResponse,
    }),
    handle: async ({ workspace, id }, ctx) => {
      await changeWorkspaceCalled(ctx, workspace, (current, isRepeated) =>
        withoutItem(current, id, isRepeated),
      )
      return done('Item deleted.', { id })
    },
  }),
  ...metadataOperations,
]
