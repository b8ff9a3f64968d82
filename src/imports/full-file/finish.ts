import type { TaskRunContext } from '../../tasks/task.ts'
import type { ImportSettings } from '../settings.ts'
import { markingOf } from '../writing/run-marking.ts'
import { createBatchWriter } from '../writing/writer.ts'
import { type RemovalOptions, removeUnlisted } from './remove-unlisted.ts'

/** What remains of a full file once its rows are imported. */
export function finishFullFile(
  run: TaskRunContext,
  rest: Pick<RemovalOptions, 'scope' | 'counts' | 'checkpoint' | 'check'>,
) {
  const settings = run.task.input as ImportSettings
  const { ctx, isCancelled, hold } = run
  const writer = createBatchWriter({
    ...settings,
    createProducts: false,
    updateMetadata: true,
    ctx,
    scope: rest.scope,
    isCancelled,
    expectNew: false,
    hold,
    marking: markingOf(run),
  })
  return removeUnlisted({ ...rest, run, vendor: settings.vendor!, writer })
}
