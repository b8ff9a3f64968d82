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
      'Queues an import from an uploaded file, another URL or an installed extension. Imports into one catalog run one after the other, and Get Tasks shows their progress.',
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
    summary:
      'Queues an import with an installed import extension, or from a file with the extension `file`.',
    access: 'editor',
    keys: ['import'],
    bindings: {
      '1.0': route('POST', '/api/extensions/import/:id/run', {
        param: z.object({ id: Id.describe('`file`, or the id of an installed import extension.') }),
        body: ImportRequest,
        answer: ActionResponse,
      }),
    },
    handle: ({ id, ...asked }, ctx) => start(ctx, asked, id),
  }),
  operation({
    name: 'Run Import Extension',
    summary: 'Queues an import with an installed import extension and its stored values.',
    access: 'editor',
    keys: ['import'],
    bindings: {
      '6.0': route('POST', '/api/extensions/import/:id/run', {
        param: z.object({ id: Id.describe('Id of the installed import extension.') }),
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
      'Queues a task that downloads the externally hosted images of a catalog and makes its products show the stored copies.',
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
