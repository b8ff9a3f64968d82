import { Conflict, NotFound } from '../errors.ts'
import { identityOf } from '../extensions/product-identity.ts'
import { findReadyExtension, openInstallation } from '../extensions/run-extension.ts'
import { retryUntilCancelled } from '../tasks/backoff.ts'
import { withCancellation } from '../tasks/cancellation.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import { deliverPages, type PagesToDeliver } from './deliver-pages.ts'
import type { ExportJob, RemoteTarget } from './job.ts'
import { externalProducts } from './links.ts'
import { readPage } from './selected-portions.ts'

/**
 * Passes a catalog to a remote extension, one page per call of `run`. Throws Interrupted, NotFound
 * for the catalog, and other Failures of the extension.
 */
export async function callPages(
  run: TaskRunContext,
  to: RemoteTarget,
  { job, track }: PagesToDeliver,
): Promise<void> {
  const { ctx, isCancelled } = run
  const additionalFields = JSON.parse(
    ctx.secrets.open(to.fields, fieldsContext(ctx, job.installed.id)),
  )
  async function read() {
    const { extension, installed } = await retryUntilCancelled(isCancelled, () => readyOf(run, job))
    if (to.origin !== undefined && to.origin !== (extension.origin ?? null)) {
      throw new Conflict('The extension moved to another address during the export. Run it again.')
    }
    const page = await retryUntilCancelled(isCancelled, () =>
      readPage(ctx, job.selection, { ...track.now, size: to.pageSize }, (product) =>
        identityOf(product, installed.settings.vendor),
      ),
    )
    return { extension, installed, page }
  }

  async function send({ extension, installed, page }: Awaited<ReturnType<typeof read>>) {
    const values = await openInstallation(ctx, extension, installed)
    const request = { additionalFields, products: page.products, workspace: null }
    const answer = await withCancellation(run, (signal) =>
      extension.run({
        ctx: { ...ctx, signal },
        installed: { ...values, catalog: job.selection.catalog },
        request,
      }),
    )
    if (!answer.success) throw new Conflict(answer.error ?? `${values.name} reported a failure.`)
    return externalProducts(answer.products)
  }

  await deliverPages(run, { job, track }, { read, send })
}

/** The context to which sealed fields are bound: one organization and one installation. */
export const fieldsContext = (
  { organization }: Pick<TaskRunContext['ctx'], 'organization'>,
  installation: string,
): string[] => [organization.id, 'export', installation]

/** Throws Conflict for an uninstalled extension, since NotFound means a deleted catalog here. */
async function readyOf({ ctx }: TaskRunContext, { installed }: ExportJob) {
  try {
    return await findReadyExtension(ctx, { kind: 'export', id: installed.id, builtIns: [] })
  } catch (error) {
    throw error instanceof NotFound ? new Conflict('The extension was uninstalled.') : error
  }
}
