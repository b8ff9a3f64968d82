import { Conflict, NotFound } from '../errors.ts'
import { identityOf } from '../extensions/identity.ts'
import { findReady, opened } from '../extensions/using.ts'
import { Interrupted, patiently } from '../tasks/patience.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import { whileWanted } from '../tasks/wanted.ts'
import type { ExportJob, RemoteTarget } from './job.ts'
import { storeLinks } from './links.ts'
import type { Track } from './progress.ts'
import { afterPage } from './send-pages.ts'
import { readPage } from './source.ts'

interface Parts {
  readonly job: ExportJob
  readonly to: RemoteTarget
  readonly track: Track
}

/**
 * Hands a catalog to a remote extension, a page in each call of `run`, one after the other. Throws
 * Interrupted, NotFound for the catalog, and other Failures for what the extension does.
 */
export async function callPages(run: TaskRunContext, { job, to, track }: Parts): Promise<void> {
  const { ctx, isCancelled } = run
  const additionalFields = JSON.parse(
    ctx.secrets.open(to.fields, fieldsPlace(ctx, job.installed.id)),
  )
  while (!track.now.done) {
    if (isCancelled()) throw new Interrupted()
    const page = await patiently(isCancelled, () =>
      readPage(ctx, job.selection, { ...track.now, size: to.pageSize }),
    )
    const { extension, installed } = await patiently(isCancelled, () => readyOf(run, job))
    if (to.origin !== undefined && to.origin !== (extension.origin ?? null)) {
      throw new Conflict('The extension has moved to another address meanwhile: run it again.')
    }
    const products = page.products.map((one) => identityOf(one, installed.settings.vendor))
    const values = await opened(ctx, extension, installed)
    const request = { additionalFields, products, workspace: null }
    const answer = await whileWanted(run, (signal) =>
      extension.run({
        ctx: { ...ctx, signal },
        installed: { ...values, catalog: job.selection.catalog },
        request,
      }),
    )
    if (!answer.success) throw new Conflict(answer.error ?? `${values.name} could not do it.`)
    run.hold()
    const linked = await patiently(isCancelled, () => storeNamed(run, job, answer.products))
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
    return await findReady(ctx, { kind: 'export', id: installed.id, builtIns: [] })
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
