import { Failure, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { inTime } from '../platform/in-time.ts'
import { warnOf } from '../platform/log.ts'
import { admitted, afterAnswer, afterFailure, refuses } from './breaker.ts'
import { failure } from './outcome.ts'
import { stateOf, type VendorState } from './state.ts'
import type { Question, Reply, Vendor } from './vendor.ts'

export const late = (vendor: string): Unavailable =>
  new Unavailable(`${vendor} did not answer within ${limits.realtimeMs / 1000} s.`)

/** What is said of a vendor that is left alone for a while. */
export const resting = (vendor: string): string =>
  `${vendor} failed several times and is asked again in a while.`

/** Whether a vendor is left alone now: nothing needs to be prepared for it. */
export const isResting = (ctx: Context, { key, name }: Vendor): boolean =>
  refuses(stateOf(ctx.elastic).vendor(key, name).breaker, ctx.clock.now().getTime())

/**
 * Asks a vendor, as one of a bounded number of calls and within its own deadline, whoever waits for
 * it. Never throws: when it does not answer, each outcome has the text why.
 */
export async function callVendor(
  ctx: Context,
  vendor: Vendor,
  question: Question,
): Promise<Reply & { readonly isAnswer: boolean }> {
  const state = stateOf(ctx.elastic).vendor(vendor.key, vendor.name)
  try {
    const turn = AbortSignal.timeout(limits.realtimeMs)
    const reply = await state.lane.run('vendor', () => guarded(ctx, { vendor, question, state }), {
      signal: turn,
    })
    return { ...reply, isAnswer: true }
  } catch (error) {
    const failed = failure(textOf(ctx, vendor, error))
    return { outcomes: question.products.map(() => failed), noStore: true, isAnswer: false }
  }
}

interface Guarded {
  readonly vendor: Vendor
  readonly question: Question
  readonly state: VendorState
}

async function guarded(ctx: Context, { vendor, question, state }: Guarded): Promise<Reply> {
  const now = () => ctx.clock.now().getTime()
  const next = admitted(state.breaker, now())
  if (!next) throw new Unavailable(resting(vendor.name))
  state.breaker = next
  try {
    const signal = AbortSignal.timeout(limits.realtimeMs)
    const asking = vendor.ask({ ...ctx, signal }, question)
    const reply = await inTime(asking, limits.realtimeMs, () => late(vendor.name))
    state.breaker = afterAnswer()
    return reply
  } catch (error) {
    // Values that a caller gave may be what is wrong.
    const isOwn = Object.keys(question.fields).length === 0
    if (isOwn) state.breaker = afterFailure(state.breaker, now())
    throw error
  }
}

function textOf(ctx: Context, { name }: Vendor, error: unknown): string {
  if (error instanceof Failure) return error.message.slice(0, limits.valueLength)
  if (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)) return late(name).message
  warnOf(ctx.log, 'a vendor was not asked', error)
  return 'Something went wrong here.'
}
