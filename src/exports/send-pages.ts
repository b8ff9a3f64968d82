import { limits } from '../limits.ts'
import { webhookHeaders } from '../platform/webhook-signature.ts'
import { toProduct40 } from '../products/responses.ts'
import type { ProductView } from '../products/view.ts'
import { pause, retryUntilCancelled } from '../tasks/backoff.ts'
import { withCancellation } from '../tasks/cancellation.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import { deliverPage, pageId, type ReceiverAnswer } from './deliver-page.ts'
import { deliverPages, type PagesToDeliver } from './deliver-pages.ts'
import type { PageTarget } from './job.ts'
import { readPage } from './selected-products.ts'

const POST_MS = 15_000
const ANSWER_BYTES = 1024 * 1024

/** Sends pages one after the other, each until it is taken. Throws Interrupted, Conflict, NotFound. */
export async function sendPages(
  run: TaskRunContext,
  to: PageTarget,
  { job, track }: PagesToDeliver,
): Promise<void> {
  const { ctx, isCancelled, task } = run
  const secret = ctx.secrets.open(to.secret, sealPlace(ctx.organization.id, to.url))

  /** A page of the requested size, or smaller where its products are large. */
  async function nextPage() {
    for (let size = to.pageSize; ; size = Math.ceil(size / 2)) {
      const page = await retryUntilCancelled(isCancelled, () =>
        readPage(ctx, job.selection, { ...track.now, size }),
      )
      // It has no time in it, so that a page that is sent again is the same.
      const body = JSON.stringify({
        export: task.id,
        extension: job.installed.id,
        page: track.now.pages,
        last: page.last,
        products: page.products.map(toProduct40),
      })
      if (size === 1 || Buffer.byteLength(body) <= limits.exportPageBytes) return { page, body }
    }
  }

  const post = (body: string) =>
    withCancellation(run, (signal) =>
      ctx.outbound.call({
        url: to.url,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...webhookHeaders({ id: pageId(body), body, now: ctx.clock.now() }, [secret]),
        },
        body,
        timeoutMs: POST_MS,
        maxBytes: ANSWER_BYTES,
        signal,
        about: {
          requestId: ctx.requestId,
          organization: ctx.organization.id,
          extension: job.installed.id,
          task: task.id,
        },
      }),
    )

  await deliverPages(run, { job, track }, async () => {
    const { page, body } = await nextPage()
    const told = await run.withoutSlot(() =>
      deliverPage({
        page: track.now.pages,
        post: () => post(body),
        now: () => ctx.clock.now(),
        pause: (ms) => pause(isCancelled, ms),
      }),
    )
    return { page, named: namedIn(page.products, told) }
  })
}

/** The secret is sealed for one organization and one address. */
export const sealPlace = (organization: string, url: string): string[] => [
  organization,
  'export',
  url,
]

/** What a receiver says of products that were on the page. */
export function namedIn(products: readonly ProductView[], told: ReceiverAnswer) {
  const byId = new Map(told.map((one) => [one.id, one]))
  return products.flatMap(({ id, catalog }) => {
    const one = byId.get(id)
    const other = one?.catalog != null && one.catalog !== catalog
    return one?.externalId && !other ? [{ id, catalog, externalId: one.externalId }] : []
  })
}
