import { limits } from '../limits.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { withHeldBody } from '../platform/outbound/held-answer.ts'
import { webhookHeaders } from '../platform/webhook-signature.ts'
import type { ProductView } from '../products/view.ts'
import { pause, retryUntilCancelled } from '../tasks/backoff.ts'
import { withCancellation } from '../tasks/cancellation.ts'
import type { TaskRunContext } from '../tasks/task.ts'
import { createBoundedPages } from './bounded-page.ts'
import {
  deliverPage,
  isAccepted,
  pageId,
  type ReceiverAnswer,
  readReceiverAnswer,
} from './deliver-page.ts'
import { deliverPages, type PagesToDeliver } from './deliver-pages.ts'
import type { PageTarget } from './job.ts'
import { readPortions } from './selected-portions.ts'

const POST_MS = 15_000
const ANSWER_BYTES = 1024 * 1024
/** Bytes around the products of a page. */
const FRAME_BYTES = 1_024

/**
 * Sends pages one after the other, each until it is accepted. Throws Interrupted, Conflict,
 * NotFound.
 */
export async function sendPages(
  run: TaskRunContext,
  to: PageTarget,
  { job, track }: PagesToDeliver,
): Promise<void> {
  const { ctx, isCancelled, task } = run
  const secret = ctx.secrets.open(to.secret, sealContext(ctx.organization.id, to.url))

  const boundedPage = createBoundedPages({
    pageSize: to.pageSize,
    maxBytes: limits.exportPageBytes - FRAME_BYTES,
    read: (position) => readPortions(ctx, job.selection, position),
  })

  async function nextPage() {
    const page = await retryUntilCancelled(isCancelled, () => boundedPage(track.now))
    // It has no timestamp, so that a page that is sent again is the same.
    const frame = JSON.stringify({
      export: task.id,
      extension: job.installed.id,
      page: track.now.pages,
      last: page.last,
      products: [],
    })
    return { page, body: `${frame.slice(0, -2)}${page.texts.join(',')}]}` }
  }

  const post = (body: string) =>
    withCancellation(run, async (signal) => {
      const answer = await ctx.outbound.open({
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
        owner: loadOwner(ctx.organization),
        about: {
          requestId: ctx.requestId,
          organization: ctx.organization.id,
          extension: job.installed.id,
          task: task.id,
        },
      })
      const reading = { maxBytes: ANSWER_BYTES, work: readReceiverAnswer }
      try {
        const products = isAccepted(answer)
          ? await withHeldBody({ ...ctx, signal }, answer, reading)
          : []
        return { ...answer, products }
      } finally {
        await answer.body.return(undefined)
      }
    })

  await deliverPages(
    run,
    { job, track },
    {
      read: nextPage,
      async send({ page, body }) {
        const answer = await run.withoutSlot(() =>
          deliverPage({
            page: track.now.pages,
            // Waits for a turn, if too many large answers of the organization do so already.
            post: () => retryUntilCancelled(isCancelled, () => post(body)),
            now: () => ctx.clock.now(),
            pause: (ms) => pause(isCancelled, ms),
          }),
        )
        return productsWithExternalId(page.products, answer)
      },
    },
  )
}

/** The context to which the secret is bound: one organization and one address. */
export const sealContext = (organization: string, url: string): string[] => [
  organization,
  'export',
  url,
]

/** Products of the page for which the receiver returned an external id. */
export function productsWithExternalId(products: readonly ProductView[], answer: ReceiverAnswer) {
  const keyOf = (id: string, catalog: string | null = null) => JSON.stringify([id, catalog])
  const answered = new Map(answer.map((one) => [keyOf(one.id, one.catalog ?? null), one]))
  return products.flatMap(({ id, catalog }) => {
    const one = answered.get(keyOf(id, catalog)) ?? answered.get(keyOf(id))
    return one?.externalId ? [{ id, catalog, externalId: one.externalId }] : []
  })
}
