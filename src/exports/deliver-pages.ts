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

interface DeliveredPage {
  readonly page: ProductPage<{ readonly id: string }>
  /** Products of the page with the receiver's ids for them. */
  readonly named: readonly ExternalProduct[]
}

/** Delivers one page after the other and links its products. Throws Interrupted. */
export async function deliverPages(
  run: TaskRunContext,
  { job, track }: PagesToDeliver,
  deliver: () => Promise<DeliveredPage>,
): Promise<void> {
  while (!track.now.done) {
    if (run.isCancelled()) throw new Interrupted()
    const { page, named } = await deliver()
    run.hold()
    const linked = await retryUntilCancelled(run.isCancelled, () =>
      storeLinks(run.ctx, job.installed.id, named),
    )
    const { now } = track
    track.commit({
      ...now,
      exported: now.exported + page.seen,
      after: page.products.at(-1)?.id ?? now.after,
      done: page.last,
      pages: now.pages + 1,
      linked: now.linked + linked,
    })
  }
}
