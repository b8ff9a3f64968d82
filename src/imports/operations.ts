import { z } from 'zod'
import { writableCatalog } from '../catalogs/store.ts'
import { type Context, operation, route } from '../operation.ts'
import { CatalogPath } from '../products/schemas.ts'
import { ActionResponse, CatalogName, done, Id } from '../shapes.ts'
import { startInstalled } from './installed/start.ts'
import { startCatalogImports } from './installed/start-catalog.ts'
import { queuePictures } from './pictures/queue.ts'
import { ImportRequest, PicturesRequest } from './schemas.ts'
import { FILE_EXTENSION, startImport } from './start.ts'

interface ImportInputs {
  readonly body: ImportRequest
  /** The body as it was sent. Fields that it lacks are those of the installation. */
  readonly sent?: unknown
}

async function start(ctx: Context, { body, sent }: ImportInputs, extension = FILE_EXTENSION) {
  const task =
    extension === FILE_EXTENSION
      ? await startImport(ctx, body)
      : await startInstalled(ctx, extension, sent as Record<string, unknown>)
  return done('The import is queued.', { taskId: task.id })
}

export const importOperations = [
  operation({
    name: 'Import Data',
    summary:
      'Queues the import of a file, uploaded or elsewhere, or of an installed extension, behind others into the same catalog; Get Tasks shows its progress.',
    access: 'editor',
    keys: ['import'],
    bindings: {
      '6.0': route('POST', '/api/extensions/import/import', {
        body: ImportRequest,
        answer: ActionResponse,
      }),
    },
    handle: (asked, ctx) => start(ctx, asked, asked.body.extensionId ?? undefined),
  }),
  operation({
    name: 'Run Extension Via Queue',
    summary: 'Queues an import by an installed import extension; "file" imports an uploaded file.',
    access: 'editor',
    keys: ['import'],
    bindings: {
      '1.0': route('POST', '/api/extensions/import/:id/run', {
        param: z.object({ id: Id.describe('`file`, or an installed import extension.') }),
        body: ImportRequest,
        answer: ActionResponse,
      }),
    },
    handle: ({ id, ...asked }, ctx) => start(ctx, asked, id),
  }),
  operation({
    name: 'Run Import Extension',
    summary: 'Queues the import of an installed import extension, with its stored values.',
    access: 'editor',
    keys: ['import'],
    bindings: {
      '6.0': route('POST', '/api/extensions/import/:id/run', {
        param: z.object({ id: Id.describe('The installed import extension.') }),
        answer: ActionResponse,
      }),
    },
    handle: async ({ id }, ctx) =>
      done('The import is queued.', { taskId: (await startInstalled(ctx, id)).id }),
  }),
  operation({
    name: 'Run Import Extensions for Folio',
    summary: 'Queues the imports of all enabled import extensions of a catalog.',
    access: 'editor',
    keys: ['import'],
    bindings: {
      '6.0': route('POST', '/api/extensions/import/folio/:id/run', {
        param: z.object({ id: CatalogName.describe('Name of the catalog.') }),
        answer: ActionResponse,
      }),
    },
    handle: ({ id }, ctx) => startCatalogImports(ctx, id),
  }),
  operation({
    name: 'Fetch Pictures',
    summary:
      'Queues a task that fetches the pictures of a catalog that lie elsewhere, and has its products show them from here.',
    access: 'editor',
    keys: ['import'],
    bindings: {
      '6.0': route('POST', '/api/Catalog/:catalog/pictures/fetch', {
        param: CatalogPath,
        body: PicturesRequest,
        answer: ActionResponse,
      }),
    },
    handle: async ({ catalog, body }, ctx) => {
      const { id } = await queuePictures(ctx, await writableCatalog(ctx, catalog), body)
      return done('Fetching the pictures is queued.', { taskId: id })
    },
  }),
]
