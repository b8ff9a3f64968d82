import { bothRevisions, operation } from '../operation.ts'
import type { ExtensionField } from '../products/product.ts'
import { ActionResponse, done } from '../shapes.ts'
import { withField } from './changes.ts'
import {
  ExtensionPath,
  ExtensionQuery,
  FieldOnlyPath,
  FieldPath,
  MetadataUpdate,
  WorkspaceFields,
  WorkspacePath,
} from './schemas.ts'
import { changeWorkspace, identifyWorkspace, openWorkspace } from './store.ts'

const answering = {
  answer: WorkspaceFields,
  encode: (fields: readonly ExtensionField[]) => ({ fields }),
}

export const metadataOperations = [
  operation({
    name: 'Update Workspace Metadata',
    summary: 'Sets a field of an extension on a workspace. `null` deletes it.',
    access: 'viewer',
    bindings: bothRevisions('PUT', '/api/workspaces/:workspace/metadata/:extension/:field', {
      param: FieldPath,
      body: MetadataUpdate,
      answer: ActionResponse,
    }),
    handle: async ({ workspace, extension, field, body }, ctx) => {
      const identity = await identifyWorkspace(ctx, workspace)
      const change = { extensionId: extension, key: field, value: body.value ?? null }
      await changeWorkspace(ctx, identity, (current) => withField(current, change))
      return done('Metadata updated.', { id: identity.id })
    },
  }),
  operation({
    name: 'Get Workspace Extension Field Metadata',
    summary: 'Lists the fields of all extensions on a workspace.',
    access: 'viewer',
    cost: 8,
    bindings: bothRevisions('GET', '/api/workspaces/:workspace/metadata', {
      param: WorkspacePath,
      ...answering,
    }),
    handle: async ({ workspace }, ctx) => (await openWorkspace(ctx, workspace)).fields,
  }),
  operation({
    name: 'Get Workspace Extension Field Metadata By Extension',
    summary: 'Lists the fields of one extension on a workspace.',
    access: 'viewer',
    cost: 8,
    bindings: bothRevisions('GET', '/api/workspaces/:workspace/metadata/:extension', {
      param: ExtensionPath,
      ...answering,
    }),
    handle: async ({ workspace, extension }, ctx) =>
      (await openWorkspace(ctx, workspace)).fields.filter(
        ({ extensionId }) => extensionId === extension,
      ),
  }),
  operation({
    name: 'Get Workspace Extension Field Metadata By Field',
    summary: 'Returns one field of an extension on a workspace.',
    access: 'viewer',
    cost: 4,
    bindings: bothRevisions('GET', '/api/workspaces/:workspace/metadata/fields/:field', {
      param: FieldOnlyPath,
      query: ExtensionQuery,
      ...answering,
    }),
    handle: async ({ workspace, extension, field }, ctx) =>
      (await openWorkspace(ctx, workspace)).fields.filter(
        ({ extensionId, key }) => extensionId === extension && key === field,
      ),
  }),
]
