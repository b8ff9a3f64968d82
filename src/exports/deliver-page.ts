import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { Conflict, Invalid } from '../errors.ts'
import { EXTERNAL } from '../extensions/json.ts'
import { limits } from '../limits.ts'
import { inSteps } from '../platform/in-steps.ts'
import { checkShape, checkValue } from '../platform/input-checks.ts'
import { OutboundFailure } from '../platform/outbound/failure.ts'
import type { OutboundAnswer } from '../platform/outbound/request.ts'
import { retryAfterMs } from '../platform/outbound/retry-after.ts'
import { parseInSteps } from '../platform/parse-in-steps.ts'
import { parsingJson } from '../platform/parse-json-in-steps.ts'
import { dataOf } from '../platform/validation-problem.ts'
import { RequiredExact } from '../shapes.ts'

/** The answer of a receiver, with its own ids for products of the page. */
const Answer = z.object({
  products: z
    .array(
      z.object({
        id: RequiredExact(limits.idLength),
        catalog: z.string().max(limits.catalogNameLength).nullish(),
        externalId: z.string().trim().max(limits.idLength).nullish(),
      }),
    )
    .max(limits.idsPerRequest),
})
export type ReceiverAnswer = z.output<typeof Answer>['products']

/** Derived from the page, so that a receiver recognizes one that is sent again. */
export const pageId = (body: string): string =>
  `msg_${createHash('sha256').update(body).digest('base64url')}`

const ATTEMPTS = 8
const FIRST_MS = 500
const LONGEST_MS = 30_000
const BUSY: readonly number[] = [408, 425, 429]

/** Whether a receiver accepted the page. */
export const isAccepted = ({ status }: { readonly status: number }): boolean => status < 300

const isRetryable = (answer: OutboundFailure | { readonly status: number }): boolean =>
  answer instanceof OutboundFailure
    ? answer.mayRepeat
    : answer.status >= 500 || BUSY.includes(answer.status)

/** The pause before the next attempt: at least what the receiver asks for, within limits. */
export const retryDelay = (attempt: number, askedMs = 0): number =>
  Math.min(LONGEST_MS, Math.max(FIRST_MS * 2 ** (attempt - 1), askedMs))

interface PageAnswer extends Pick<OutboundAnswer<unknown>, 'status' | 'headers'> {
  /** As `readReceiverAnswer` reads them; none unless the page was accepted. */
  readonly products: ReceiverAnswer
}

interface PageDelivery {
  readonly page: number
  /** Throws OutboundFailure, or Invalid for a page whose answer cannot be read. */
  readonly post: () => Promise<PageAnswer>
  readonly now: () => Date
  /** Waits; throws Interrupted when the run is cancelled. */
  readonly pause: (ms: number) => Promise<void>
}

/**
 * Sends a page until the receiver accepts it. Throws Conflict when it is refused, or after too many
 * attempts.
 */
export async function deliverPage({
  page,
  post,
  now,
  pause,
}: PageDelivery): Promise<ReceiverAnswer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await post().catch((error) => outboundFailure(error, page))
    if (!(answer instanceof OutboundFailure) && isAccepted(answer)) return answer.products
    const reason =
      answer instanceof OutboundFailure
        ? answer.message
        : `It responded with status ${answer.status}.`
    const final = !isRetryable(answer)
    if (final || attempt === ATTEMPTS) {
      const times = attempt === 1 ? '' : ` after ${attempt} attempts`
      throw new Conflict(`The receiver did not accept page ${page}${times}. ${reason}`)
    }
    const header = answer instanceof OutboundFailure ? undefined : answer.headers['retry-after']
    await pause(retryDelay(attempt, retryAfterMs(header, now())))
  }
}

function outboundFailure(error: unknown, page: number): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  if (!(error instanceof Invalid)) throw error
  throw new Conflict(
    `The receiver accepted page ${page}, but its response is invalid: ${error.message}`,
  )
}

/**
 * Reads the answer to an accepted page, in steps. Anything but a JSON object with `products` counts
 * as an empty list. Throws Invalid.
 */
export async function readReceiverAnswer(body: Uint8Array): Promise<ReceiverAnswer> {
  checkShape(body, 'answer')
  await setImmediate()
  const text = Buffer.from(body).toString('utf8')
  const value = await inSteps(parsingJson(text)).catch(() => undefined)
  if (typeof value !== 'object' || value === null || !('products' in value)) return []
  await setImmediate()
  const { products } = dataOf(await parseInSteps(Answer, value), 'answer', EXTERNAL)
  checkValue(products, 'answer.products')
  return products
}
