import { operation } from '../operation.ts'
import type { ExtensionField } from '../products/product.ts'
import { belowProduct } from '../products/routes.ts'
import { ActionResponse, done } from '../shapes.ts'
import { addLink, setField } from './changes.ts'
import {
  ExtensionFieldRequest,
  ExtensionFieldResponse,
  ExtensionPart,
  FieldPart,
  LinkPart,
} from './schemas.ts'
import { changeAnnotations, type ProductKey, readAnnotations } from './store.ts'

const shown = (fields: readonly ExtensionField[]) => ({
  fields: fields.map(({ extensionId, key, value }) => ({ extensionId, key, value })),
})

const getExtensionFields = operation({
  name: 'Get Extension Fields',
  summary: 'Every extension field that the organization set on a product.',
  access: 'viewer',
  failure: 'text',
  bindings: belowProduct('GET', '/extensionFields', {
    answer: ExtensionFieldResponse,
  }),
  handle: async (key: ProductKey, ctx) => {
    const { annotations } = await readAnnotations(ctx, key)
    return shown(annotations.extensionFields)
  },
})

const getProductSpecificExtensionFields = operation({
  name: 'Get Product Specific Extension Fields',
  summary: 'The fields of one extension on a product.',
  access: 'viewer',
  failure: 'text',
  bindings: belowProduct('GET', '/extensionFields/:extension', {
    further: ExtensionPart,
    answer: ExtensionFieldResponse,
  }),
  handle: async ({ extension, ...key }: ProductKey & { extension: string }, ctx) => {
    const { annotations } = await readAnnotations(ctx, key)
    const fields = annotations.extensionFields.filter((field) => field.extensionId === extension)
    return shown(fields)
  },
})

interface FieldInput extends ProductKey {
  readonly extension: string
  readonly field: string
  readonly body: { readonly value: string | null }
}

const updateExtensionsField = operation({
  name: 'Update Extensions Field',
  summary: 'Sets one field of an extension on a product; null or an empty value removes it.',
  access: 'editor',
  fails: ['preconditionFailed'],
  failure: 'text',
  bindings: belowProduct('PUT', '/extensionFields/:extension/:field', {
    further: FieldPart,
    body: ExtensionFieldRequest,
    answer: ActionResponse,
  }),
  handle: async ({ extension, field, body, ...key }: FieldInput, ctx) => {
    await changeAnnotations(ctx, key, setField(extension, field, body.value))
    return done(body.value === null ? 'Field removed.' : 'Field saved.', { id: key.id })
  },
})

interface LinkInput extends ProductKey {
  readonly extensionId: string
  readonly externalId: string
}

const addExtensionLink = operation({
  name: 'Add Extension Link',
  summary: 'Links a product to what an extension calls by another id; twice adds one link.',
  access: 'editor',
  fails: ['preconditionFailed'],
  bindings: belowProduct('PUT', '/links/:extensionId/:externalId', {
    further: LinkPart,
    answer: ActionResponse,
  }),
  handle: async ({ extensionId, externalId, ...key }: LinkInput, ctx) => {
    const link = { type: extensionId, value: externalId, recommended: false }
    await changeAnnotations(ctx, key, addLink(link))
    return done('Link added.', { id: key.id })
  },
})

export const extensionOperations = [
  getExtensionFields,
  getProductSpecificExtensionFields,
  updateExtensionsField,
  addExtensionLink,
]
