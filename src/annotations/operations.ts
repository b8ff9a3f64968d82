import { z } from 'zod'
import { bothRevisions, operation, route } from '../operation.ts'
import type { Note } from '../products/product.ts'
import { belowProduct } from '../products/routes.ts'
import { ProductPath, ProductPath10 } from '../products/schemas.ts'
import { ActionResponse, done } from '../shapes.ts'
import {
  addLinks,
  deleteNote,
  removeNote,
  replaceTags,
  replaceUserTags,
  setField,
  writeNote,
} from './changes.ts'
import { favoriteOperations } from './favorite-operations.ts'
import {
  ExtensionFieldRequest,
  ExtensionFieldResponse,
  ExtensionPart,
  FieldPart,
  LinkPart,
  NoteRequest,
  NoteResponse,
  ProductNotes,
  Tags,
  TagsPath,
} from './schemas.ts'
import { changeAnnotations, readAnnotations } from './store.ts'

/** The organization's notes on a product, and the user who reads them. */
interface ReadNotes {
  readonly notes: readonly Note[]
  readonly username: string
  readonly productId: string
  readonly catalog: string
}

const replacingTags = {
  param: TagsPath,
  body: Tags,
  // Not `z.literal(true)`, for which openapi-generator writes Python code that does not compile.
  answer: z.boolean().describe('`true` once the tags are stored.'),
}

/** Operations on annotations: favorites, notes, tags, links and extension fields. */
export const annotationOperations = [
  ...favoriteOperations,
  operation({
    name: 'Get Product Notes',
    summary:
      "Returns the notes on a product: all notes of the organization in revision 6.0, and the caller's own note in revision 1.0.",
    access: 'viewer',
    bindings: {
      '1.0': route('GET', '/api/Catalog/:name/:id/notes', {
        param: ProductPath10,
        answer: ProductNotes,
        encode: ({ notes, ...reader }: ReadNotes) => ({
          text: notes.find(({ username }) => username === reader.username)?.text ?? '',
          ...reader,
        }),
      }),
      '6.0': route('GET', '/api/Catalog/:catalog/products/:id/notes', {
        param: ProductPath,
        answer: NoteResponse,
        encode: ({ notes }: ReadNotes) => ({ notes }),
      }),
    },
    handle: async (key, ctx): Promise<ReadNotes> => {
      const { annotations, catalog } = await readAnnotations(ctx, key)
      const { username } = ctx.caller
      return { notes: annotations.notes, username, productId: key.id, catalog }
    },
  }),
  operation({
    name: 'Update Product Notes',
    summary: "Saves the caller's note on a product. An empty text deletes it.",
    access: 'viewer',
    fails: ['preconditionFailed'],
    bindings: belowProduct('PUT', '/notes', {
      body: NoteRequest,
      answer: ActionResponse,
    }),
    handle: async ({ body, ...key }, ctx) => {
      const { caller, clock } = ctx
      const change =
        body.text === null
          ? removeNote(caller.username)
          : writeNote(caller.username, body.text, clock.now())
      await changeAnnotations(ctx, key, change)
      return done(body.text === null ? 'Note removed.' : 'Note saved.', { id: key.id })
    },
  }),
  operation({
    name: 'Delete Note',
    summary: "Deletes the caller's note on a product. Returns 404 if there is none.",
    access: 'viewer',
    fails: ['preconditionFailed'],
    bindings: bothRevisions('DELETE', '/api/Catalog/:catalog/products/:id/notes', {
      param: ProductPath,
      answer: ActionResponse,
    }),
    handle: async (key, ctx) => {
      await changeAnnotations(ctx, key, deleteNote(ctx.caller.username))
      return done('Note removed.', { id: key.id })
    },
  }),
  operation({
    name: 'Update Product Tags',
    summary: "Replaces the organization's tags of a product. An empty list deletes them.",
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: {
      '6.0': route('PUT', '/api/Catalog/:catalog/products/:productId/tags', replacingTags),
    },
    handle: async ({ body, ...key }, ctx) => {
      await changeAnnotations(ctx, key, replaceTags(body))
      return true
    },
  }),
  operation({
    name: 'Update Product Tags (User)',
    summary:
      "Replaces the caller's own tags of a product. Other users can neither see nor search them.",
    access: 'viewer',
    fails: ['preconditionFailed'],
    bindings: {
      '6.0': route('PUT', '/api/Catalog/:catalog/products/:productId/userTags', replacingTags),
    },
    handle: async ({ body, ...key }, ctx) => {
      await changeAnnotations(ctx, key, replaceUserTags(ctx.caller.username, body))
      return true
    },
  }),
  operation({
    name: 'Get Extension Fields',
    summary: 'Lists all extension fields that the organization set on a product.',
    access: 'viewer',
    failure: 'text',
    bindings: belowProduct('GET', '/extensionFields', {
      answer: ExtensionFieldResponse,
    }),
    handle: async (key, ctx) => {
      const { annotations } = await readAnnotations(ctx, key)
      return { fields: annotations.extensionFields }
    },
  }),
  operation({
    name: 'Get Product Specific Extension Fields',
    summary: 'Lists the fields of one extension on a product.',
    access: 'viewer',
    failure: 'text',
    bindings: belowProduct('GET', '/extensionFields/:extension', {
      further: ExtensionPart,
      answer: ExtensionFieldResponse,
    }),
    handle: async ({ extension, ...key }, ctx) => {
      const { annotations } = await readAnnotations(ctx, key)
      const fields = annotations.extensionFields.filter((field) => field.extensionId === extension)
      return { fields }
    },
  }),
  operation({
    name: 'Update Extensions Field',
    summary: 'Sets a field of an extension on a product. `null` or an empty value deletes it.',
    access: 'editor',
    fails: ['preconditionFailed'],
    failure: 'text',
    bindings: belowProduct('PUT', '/extensionFields/:extension/:field', {
      further: FieldPart,
      body: ExtensionFieldRequest,
      answer: ActionResponse,
    }),
    handle: async ({ extension, field, body, ...key }, ctx) => {
      await changeAnnotations(ctx, key, setField(extension, field, body.value))
      return done(body.value === null ? 'Field removed.' : 'Field saved.', { id: key.id })
    },
  }),
  operation({
    name: 'Add Extension Link',
    summary:
      'Links a product to its id in another system. Repeating the call does not add a second link.',
    access: 'editor',
    fails: ['preconditionFailed'],
    bindings: belowProduct('PUT', '/links/:extensionId/:externalId', {
      further: LinkPart,
      answer: ActionResponse,
    }),
    handle: async ({ extensionId, externalId, ...key }, ctx) => {
      const link = { type: extensionId, value: externalId, recommended: false }
      await changeAnnotations(ctx, key, addLinks([link]))
      return done('Link added.', { id: key.id })
    },
  }),
]
