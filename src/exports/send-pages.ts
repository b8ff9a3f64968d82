import { limits } from '../limits.ts'
import { webhookHeaders } from '../platform/webhook-signature.ts'
import { toProduct40 } from '../products/responses.ts'
import type { ProductView } from '../products/view.ts'
import { Interrupted, pause, retryUntilCancelled } from '../tasks/backoff.ts'
import { withCancellation } from '../tasks/cancellation.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import type { ProductPage } from './catalog-scan.ts'
import { deliverPage, pageId, type ReceiverAnswer } from './deliver-page.ts'
import type { ExportCheckpoint, ExportJob, PageTarget } from './job.ts'
import { storeLinks } from './links.ts'
import type { ExportProgress } from './progress.ts'
import { readPage } from './selected-products.ts'

const POST_MS = 15_000
const ANSWER_BYTES = 1024 * 1024

interface SendPagesOptions {
  readonly job: ExportJob
  readonly to: PageTarget
  readonly track: ExportProgress
}

/** Sends pages one after the other, each until it is taken. Throws Interrupted, Conflict, NotFound. */
export async function sendPages(run: TaskRunContext, parts: SendPagesOptions): Promise<void> {
  const { job, to, track } = parts
  const secret = run.ctx.secrets.open(to.secret, sealPlace(run.ctx.organization.id, to.url))
  while (!track.now.done) {
    if (run.isCancelled()) throw new Interrupted()
    const { page, body } = await nextPage(run, parts)
    const told = await deliverPage({
      page: track.now.pages,
      post: () => post(run, { url: to.url, body, secret }),
      pause: (ms) => pause(run.isCancelled, ms),
    })
    run.hold()
    const named = namedIn(page.products, told)
    const linked = await retryUntilCancelled(run.isCancelled, () =>
      storeLinks(run.ctx, job.installed.id, named),
    )
    track.commit(afterPage(track.now, page, linked))
  }
}

/** The secret is sealed for one organization and one address. */
export const sealPlace = (organization: string, url: string): string[] => [
  organization,
  'export',
  url,
]

/** How far an export is after a page. */
export const afterPage = (
  now: ExportCheckpoint,
  { products, seen, last }: ProductPage,
  linked: number,
): ExportCheckpoint => ({
  ...now,
  exported: now.exported + seen,
  after: products.at(-1)?.id ?? now.after,
  done: last,
  pages: now.pages + 1,
  linked: now.linked + linked,
})

/** A page of the size asked for, or as much smaller as its products are large. */
async function nextPage(
  run: TaskRunContext,
  { job, to, track }: SendPagesOptions,
): Promise<{ page: ProductPage; body: string }> {
  for (let size = to.pageSize; ; size = Math.ceil(size / 2)) {
    const page = await retryUntilCancelled(run.isCancelled, () =>
      readPage(run.ctx, job.selection, { ...track.now, size }),
    )
    const body = bodyOf(run.task.id, { job, page, number: track.now.pages })
    if (size === 1 || Buffer.byteLength(body) <= limits.exportPageBytes) return { page, body }
  }
}

/** No time is in it: a page that is sent again after an interruption is the same. */
const bodyOf = (
  id: string,
  { job, page, number }: { job: ExportJob; page: ProductPage; number: number },
): string =>
  JSON.stringify({
    export: id,
    extension: job.installed.id,
    page: number,
    last: page.last,
    products: page.products.map(toProduct40),
  })

/** What a receiver says of products that were on the page. */
export function namedIn(products: readonly ProductView[], told: ReceiverAnswer) {
  const byId = new Map(told.map((one) => [one.id, one]))
  return products.flatMap(({ id, catalog }) => {
    const one = byId.get(id)
    const other = one?.catalog != null && one.catalog !== catalog
    return one?.externalId && !other ? [{ id, catalog, externalId: one.externalId }] : []
  })
}

const post = (
  run: TaskRunContext,
  { url, body, secret }: { url: string; body: string; secret: string },
) =>
  withCancellation(run, (signal) =>
    run.ctx.outbound.call({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...webhookHeaders({ id: pageId(body), body, now: run.ctx.clock.now() }, [secret]),
      },
      body,
      timeoutMs: POST_MS,
      maxBytes: ANSWER_BYTES,
      signal,
      about: {
        requestId: run.ctx.requestId,
        organization: run.ctx.organization.id,
        extension: (run.task.input as ExportJob).installed.id,
        task: run.task.id,
      },
    }),
  )
