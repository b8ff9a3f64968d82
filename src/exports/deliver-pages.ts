import { setTimeout } from 'node:timers/promises'
import { STEP_MS } from '../platform/in-steps.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { Interrupted, retryUntilCancelled } from '../tasks/backoff.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import type { ExportJob } from './job.ts'
import { type ExternalProduct, storeLinks } from './links.ts'
import type { ExportProgress } from './progress.ts'
import type { ProductPage } from './selected-portions.ts'

export interface PagesToDeliver {
  readonly job: ExportJob
  readonly track: ExportProgress
}

interface ReadPage {
  readonly page: ProductPage<{ readonly id: string }>
}

interface PageSteps<P extends ReadPage> {
  readonly read: () => Promise<P>
  /** Returns the products of the page that the receiver has ids for. */
  readonly send: (page: P) => Promise<readonly ExternalProduct[]>
}

/**
 * Delivers one page after the other and links its products. While other organizations are active,
 * small pages do not follow each other without a pause. Throws Interrupted.
 */
export async function deliverPages<P extends ReadPage>(
  run: TaskRunContext,
  { job, track }: PagesToDeliver,
  { read, send }: PageSteps<P>,
): Promise<void> {
  const owner = loadOwner(run.ctx.organization)
  while (!track.now.done) {
    if (run.isCancelled()) throw new Interrupted()
    const ready = await read()
    const named = await send(ready)
    run.assertLease()
    const linked = await retryUntilCancelled(run.isCancelled, () =>
      storeLinks(run.ctx, job.installed.id, named),
    )
    const { now } = track
    const { page } = ready
    track.commit({
      ...now,
      exported: now.exported + page.seen,
      after: page.products.at(-1)?.id ?? now.after,
      done: page.last,
      pages: now.pages + 1,
      linked: now.linked + linked,
    })
    if (run.ctx.requests.hasOthers(owner)) await setTimeout(STEP_MS)
  }
}
