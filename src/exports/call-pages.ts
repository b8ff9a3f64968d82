import { Conflict, NotFound } from '../errors.ts'
import { identityOf } from '../extensions/product-identity.ts'
import { findReadyExtension, openInstallation } from '../extensions/run-extension.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import { withCancellation } from '../tasks/cancellation.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import type { ExportJob, RemoteTarget } from './job.ts'
import { storeLinks } from './links.ts'
import type { ExportProgress } from './progress.ts'
import { readPage } from './selected-products.ts'
import { afterPage } from './send-pages.ts'

interface CallPagesOptions {
  readonly job: ExportJob
  readonly to: RemoteTarget
  readonly track: ExportProgress
}

/**
 * Hands a catalog to a remote extension, a page in each call of `run`, one after the other. Throws
 * Interrupted, NotFound for the catalog, and other Failures for what the extension does.
 */
export async function callPages(
  run: TaskRunContext,
  { job, to, track }: CallPagesOptions,
): Promise<void> {
  const { ctx, isCancelled } = run
  const additionalFields = JSON.parse(
    ctx.secrets.open(to.fields, fieldsPlace(ctx, job.installed.id)),
  )
  while (!track.now.done) {
    if (isCancelled()) throw new Interrupted()
    const page = await retryUntilCancelled(isCancelled, () =>
      readPage(ctx, job.selection, { ...track.now, size: to.pageSize }),
    )
    const { extension, installed } = await retryUntilCancelled(isCancelled, () => readyOf(run, job))
    if (to.origin !== undefined && to.origin !== (extension.origin ?? null)) {
      throw new Conflict('The extension has moved to another address meanwhile: run it again.')
    }
    const products = page.products.map((one) => identityOf(one, installed.settings.vendor))
    const values = await openInstallation(ctx, extension, installed)
    const request = { additionalFields, products, workspace: null }
    const answer = await withCancellation(run, (signal) =>
      extension.run({
        ctx: { ...ctx, signal },
        installed: { ...values, catalog: job.selection.catalog },
        request,
      }),
    )
    if (!answer.success) throw new Conflict(answer.error ?? `${values.name} could not do it.`)
    run.hold()
    const linked = await retryUntilCancelled(isCancelled, () =>
      storeNamed(run, job, answer.products),
    )
    track.commit(afterPage(track.now, page, linked))
  }
}

/** Sealed for one organization and one installation. */
export const fieldsPlace = (
  { organization }: Pick<TaskRunContext['ctx'], 'organization'>,
  installation: string,
): string[] => [organization.id, 'export', installation]

/** An extension that was uninstalled meanwhile ends the export; the catalog is still there. */
async function readyOf({ ctx }: TaskRunContext, { installed }: ExportJob) {
  try {
    return await findReadyExtension(ctx, { kind: 'export', id: installed.id, builtIns: [] })
  } catch (error) {
    throw error instanceof NotFound ? new Conflict('The extension was uninstalled.') : error
  }
}

const storeNamed = (
  { ctx }: TaskRunContext,
  { installed }: ExportJob,
  products: readonly { id: string; catalog: string; externalId: string | null }[],
): Promise<number> =>
  storeLinks(
    ctx,
    installed.id,
    products.flatMap(({ externalId, ...one }) =>
      externalId === null ? [] : [{ ...one, externalId }],
    ),
  )
