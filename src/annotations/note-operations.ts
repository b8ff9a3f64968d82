import { both, operation, route } from '../operation.ts'
import type { Note } from '../products/product.ts'
import { belowProduct } from '../products/routes.ts'
import { ProductPath, ProductPath10 } from '../products/schemas.ts'
import { ActionResponse, done } from '../shapes.ts'
import { deleteNote, removeNote, writeNote } from './changes.ts'
import { NoteRequest, NoteResponse, ProductNotes } from './schemas.ts'
import { changeAnnotations, type ProductKey, readAnnotations } from './store.ts'

/** The organization's notes of a product, and their reader. */
interface ReadNotes {
  readonly notes: readonly Note[]
  readonly username: string
  readonly productId: string
  readonly catalog: string
}

const toNoteResponse = ({ notes }: ReadNotes) => ({
  notes: notes.map(({ username, text, created, updated }) => ({
    username,
    text,
    created,
    updated,
  })),
})

const toProductNotes = ({ notes, username, productId, catalog }: ReadNotes) => ({
  text: notes.find((note) => note.username === username)?.text ?? '',
  username,
  productId,
  catalog,
})

const getProductNotes = operation({
  name: 'Get Product Notes',
  summary: "6.0: all notes of the organization. 1.0: the caller's own.",
  access: 'viewer',
  bindings: {
    '1.0': route('GET', '/api/Catalog/:name/:id/notes', {
      param: ProductPath10,
      answer: ProductNotes,
      encode: toProductNotes,
    }),
    '6.0': route('GET', '/api/Catalog/:catalog/products/:id/notes', {
      param: ProductPath,
      answer: NoteResponse,
      encode: toNoteResponse,
    }),
  },
  handle: async (key: ProductKey, ctx): Promise<ReadNotes> => {
    const { annotations, catalog } = await readAnnotations(ctx, key)
    const { username } = ctx.caller
    return { notes: annotations.notes, username, productId: key.id, catalog }
  },
})

const updateProductNotes = operation({
  name: 'Update Product Notes',
  summary: "Writes the caller's own note; an empty text removes it.",
  access: 'viewer',
  fails: ['preconditionFailed'],
  bindings: belowProduct('PUT', '/notes', {
    body: NoteRequest,
    answer: ActionResponse,
  }),
  handle: async ({ body, ...key }: ProductKey & { body: { text: string | null } }, ctx) => {
    const { caller, clock } = ctx
    const change =
      body.text === null
        ? removeNote(caller.username)
        : writeNote(caller.username, body.text, clock.now())
    await changeAnnotations(ctx, key, change)
    return done(body.text === null ? 'Note removed.' : 'Note saved.', { id: key.id })
  },
})

const deleteNoteOperation = operation({
  name: 'Delete Note',
  summary: "Removes the caller's own note; 404 where there is none.",
  access: 'viewer',
  fails: ['preconditionFailed'],
  bindings: both('DELETE', '/api/Catalog/:catalog/products/:id/notes', {
    param: ProductPath,
    answer: ActionResponse,
  }),
  handle: async (key: ProductKey, ctx) => {
    await changeAnnotations(ctx, key, deleteNote(ctx.caller.username))
    return done('Note removed.', { id: key.id })
  },
})

export const noteOperations = [getProductNotes, updateProductNotes, deleteNoteOperation]
