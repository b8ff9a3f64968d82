import { z } from 'zod'
import { type Context, operation, route } from '../operation.ts'
import { ActionResponse, done, Id } from '../shapes.ts'
import { ImportRequest } from './schemas.ts'
import { startImport } from './start.ts'

async function start(ctx: Context, body: ImportRequest, extension?: string) {
  const { id } = await startImport(ctx, body, extension)
  return done('The import is queued.', { taskId: id })
}

export const importData = operation({
  name: 'Import Data',
  summary: 'Queues the import of an uploaded file; Get Tasks shows its progress.',
  access: 'editor',
  keys: ['import'],
  bindings: {
    '6.0': route('POST', '/api/extensions/import/import', {
      body: ImportRequest,
      answer: ActionResponse,
    }),
  },
  handle: ({ body }, ctx) => start(ctx, body, body.extensionId ?? undefined),
})

export const runExtensionViaQueue = operation({
  name: 'Run Extension Via Queue',
  summary: 'Queues an import by an installed import extension; "file" imports an uploaded file.',
  access: 'editor',
  keys: ['import'],
  bindings: {
    '1.0': route('POST', '/api/extensions/import/:id/run', {
      param: z.object({ id: Id }),
      body: ImportRequest,
      answer: ActionResponse,
    }),
  },
  handle: ({ id, body }, ctx) => start(ctx, body, id),
})

export const importOperations = [importData, runExtensionViaQueue]
