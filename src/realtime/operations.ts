import { z } from 'zod'
import { findReadyExtension } from '../extensions/run-extension.ts'
import { ExtensionRunRequest } from '../extensions/schemas.ts'
import { bothRevisions, operation } from '../operation.ts'
import { Id } from '../shapes.ts'
import { runAll, runOne } from './run.ts'
import { RealtimeAllAnswer, RealtimeAnswer } from './schemas.ts'
import { builtIns } from './vendors.ts'

export const realtimeOperations = [
  operation({
    name: 'Run All Real Time Extensions',
    summary: 'Returns current stock and prices of products from all installed vendors.',
    access: 'viewer',
    bindings: bothRevisions('POST', '/api/extensions/realtime/run', {
      body: ExtensionRunRequest,
      answer: RealtimeAllAnswer,
    }),
    handle: ({ body }, ctx) => runAll(ctx, body),
  }),
  operation({
    name: 'Run Real Time Extension',
    summary: 'Returns current stock and prices of products from one installed vendor.',
    access: 'viewer',
    bindings: bothRevisions('POST', '/api/extensions/realtime/:id/run', {
      param: z.object({ id: Id.describe('Id of the installed real-time extension.') }),
      body: ExtensionRunRequest,
      answer: RealtimeAnswer,
    }),
    handle: async ({ id, body }, ctx) => {
      const ready = await findReadyExtension(ctx, { kind: 'realtime', id, builtIns })
      return runOne(ctx, ready, body)
    },
  }),
]
