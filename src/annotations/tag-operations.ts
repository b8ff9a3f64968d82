import { z } from 'zod'
import { operation, route } from '../operation.ts'
import { replaceTags, replaceUserTags } from './changes.ts'
import { Tags, TagsPath } from './schemas.ts'
import { changeAnnotations, type ProductKey } from './store.ts'

type TagsInput = ProductKey & { readonly body: readonly string[] }

const replacing = {
  param: TagsPath,
  body: Tags,
  answer: z.literal(true).describe('The tags are stored.'),
}

const updateProductTags = operation({
  name: 'Update Product Tags',
  summary: "Replaces the organization's tags of a product; an empty list removes them.",
  access: 'editor',
  fails: ['preconditionFailed'],
  bindings: { '6.0': route('PUT', '/api/Catalog/:catalog/products/:productId/tags', replacing) },
  handle: async ({ body, ...key }: TagsInput, ctx) => {
    await changeAnnotations(ctx, key, replaceTags(body))
    return true
  },
})

const updateProductUserTags = operation({
  name: 'Update Product Tags (User)',
  summary: "Replaces the caller's own tags of a product; nobody else sees or finds them.",
  access: 'viewer',
  fails: ['preconditionFailed'],
  bindings: {
    '6.0': route('PUT', '/api/Catalog/:catalog/products/:productId/userTags', replacing),
  },
  handle: async ({ body, ...key }: TagsInput, ctx) => {
    await changeAnnotations(ctx, key, replaceUserTags(ctx.caller.username, body))
    return true
  },
})

export const tagOperations = [updateProductTags, updateProductUserTags]
