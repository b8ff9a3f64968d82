import { LRUCache } from 'lru-cache'
import type { Elastic } from '../elastic/client.ts'
import { Failure, NotFound, TooManyRequests, Unavailable } from '../errors.ts'
import type { RunRequest } from '../extensions/contract.ts'
import { checkGiven } from '../extensions/field-values.ts'
import { lengthOf, whileHeld } from '../extensions/large-values.ts'
import { loggedRun, type RunSummary } from '../extensions/run-extension.ts'
import type { SharedValuesReader } from '../extensions/stored-values.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { createAdmission } from '../platform/admission.ts'
import { pausableTimeLimit, unpaused, untilAborted } from '../platform/deadline.ts'
import { inSteps } from '../platform/in-steps.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { logFailure } from '../platform/log.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { failure, type ItemResult } from './check-item.ts'
import {
  admitCall,
  afterFailure,
  type CircuitBreaker,
  closed,
  isBreakerOpen,
} from './circuit-breaker.ts'
import { type MatchedItems, matchItems } from './match-items.ts'
import type { Vendor } from './vendors.ts'

/** A question to one vendor; `action` is the kind of run that its log names. */
export interface Question extends RunRequest {
  readonly action: 'run' | 'search'
  readonly readShared: SharedValuesReader
}

export interface Reply {
  /** One for each product of the question. */
  readonly results: readonly ItemResult[]
  /** When the vendor answered; null when it did not. */
  readonly time: Date | null
}

const VENDORS = 10_000

/**
 * Calls under way and circuit breakers of one instance, each of which detects outages by itself.
 */
const stateOf = memoizeWeak<Elastic, ReturnType<typeof createState>>(createState)

function createState() {
  const breakers = new LRUCache<string, CircuitBreaker>({ max: VENDORS })
  return {
    breakers,
    breakerOf: ({ key }: Vendor): CircuitBreaker => breakers.get(key) ?? closed,
    calls: createAdmission({
      capacity: Number.POSITIVE_INFINITY,
      share: limits.realtimeCalls,
      waiting: Number.POSITIVE_INFINITY,
      ownerWaiting: limits.realtimeWaiting,
      waitMs: limits.realtimeAllMs,
      what: 'questions to a vendor',
    }),
  }
}

export const lateText = ({ name }: Vendor): string =>
  `${name} did not respond within ${limits.realtimeMs / 1000} s.`

const restingText = ({ name }: Vendor): string =>
  `${name} failed several times and is paused. Try again later.`

/**
 * Asks a vendor, which has `limits.realtimeMs` from the start of its call, whoever waits for it.
 * Never throws: without an answer, each result has the reason.
 */
export async function callVendor(ctx: Context, vendor: Vendor, question: Question): Promise<Reply> {
  const { calls, breakerOf } = stateOf(ctx.elastic)
  try {
    const isResting = isBreakerOpen(breakerOf(vendor), ctx.clock.now().getTime())
    if (isResting) throw new Unavailable(restingText(vendor))
    const signal = AbortSignal.timeout(limits.realtimeMs)
    const characters = vendor.valueLength + lengthOf(question.additionalFields)
    const call = () => whileHeld(ctx.organization, characters, () => guarded(ctx, vendor, question))
    const results = await calls.run(vendor.key, call, { signal })
    return { results, time: ctx.clock.now() }
  } catch (error) {
    const failed = failure(textOf(ctx, vendor, error))
    return { results: question.products.map(() => failed), time: null }
  }
}

/** Milliseconds for a call together with our turns; shorter than a trial of its breaker. */
const LONGEST_MS = 8_000

/** One call behind the breaker and with the deadline. */
async function guarded(ctx: Context, vendor: Vendor, question: Question) {
  const { breakers, breakerOf } = stateOf(ctx.elastic)
  const hasOwnValues = Object.keys(question.additionalFields).length > 0
  const call = () => ({ now: ctx.clock.now().getTime(), hasOwnValues })
  const before = breakerOf(vendor)
  const breaker = admitCall(before, call())
  if (!breaker) throw new Unavailable(restingText(vendor))
  breakers.set(vendor.key, breaker)
  // Our turns for large values and answers are no failures of the vendor.
  const { signal, whilePaused, end } = pausableTimeLimit(limits.realtimeMs, LONGEST_MS)
  try {
    const asking = loggedCall({ ...ctx, signal, whilePaused }, vendor, question)
    const { results } = await untilAborted(signal, asking)
    breakers.set(vendor.key, closed)
    return results
  } catch (error) {
    const now = breakerOf(vendor)
    if (!(error instanceof TooManyRequests)) breakers.set(vendor.key, afterFailure(now, call()))
    // The vendor was not tried, so the next call may be the trial.
    else if (now === breaker) breakers.set(vendor.key, before)
    throw error
  } finally {
    end()
  }
}

/** Resolves with the answer; the log of the run is written meanwhile. */
function loggedCall(ctx: Context, vendor: Vendor, question: Question): Promise<MatchedItems> {
  const { promise, resolve, reject } = Promise.withResolvers<MatchedItems>()
  const { installed, extension } = vendor
  const { action, readShared, ...request } = question
  if (!extension) throw new NotFound('Extension')
  const work = () =>
    loggedRun(
      ctx,
      { extension, installed, readShared, action },
      {
        async work({ manifest, run }, opened) {
          checkGiven(manifest, 'additionalFields', request.additionalFields)
          const response = await run({ ctx, installed: opened, request }).catch((error) => {
            if (!ctx.signal.aborted) throw error
            const isOurs = ctx.signal.reason instanceof TooManyRequests
            throw isOurs ? tooMany(vendor) : new Unavailable(lateText(vendor))
          })
          const items = usableItems(vendor, response)
          const { whilePaused = unpaused } = ctx
          const matching = await whilePaused(() => inSteps(matchItems(request.products, items)))
          resolve(matching)
          return matching
        },
        summarise: summaryOf,
      },
    ).catch(reject)
  if (!ctx.background.run('ask a vendor', work, loadOwner(ctx.organization)))
    reject(tooMany(vendor))
  return promise
}

type Response = Awaited<ReturnType<NonNullable<Vendor['extension']>['run']>>

/** Throws Unavailable for an answer that fails as a whole. */
function usableItems({ name }: Vendor, { success, error, items }: Response): Response['items'] {
  if (!success) throw new Unavailable(error || `${name} reported a failure.`)
  if (items.length <= limits.realtimeItems) return items
  throw new Unavailable(`${name} returned more than ${limits.realtimeItems} items.`)
}

const NAMED = 10
const FAULTS = 3
const FAULT_LENGTH = 200

function summaryOf({ results, strangers, faults }: MatchedItems): RunSummary {
  const answered = results.filter(({ item }) => item !== null).length
  const ignored =
    strangers.length === 0 ? '' : ` Not requested: ${strangers.slice(0, NAMED).join(', ')}.`
  const refused = faults.slice(0, FAULTS).map((fault) => ` ${fault.slice(0, FAULT_LENGTH)}`)
  return {
    message: `Offers received for ${answered} of ${results.length} products.${ignored}${refused.join('')}`,
    counts: { productCount: results.length, productsSkipped: results.length - answered },
  }
}

const tooMany = ({ name }: Vendor) =>
  new TooManyRequests(`Too many requests to ${name} at once. Try again in a second.`)

function textOf(ctx: Context, vendor: Vendor, error: unknown): string {
  if (error instanceof TooManyRequests) return tooMany(vendor).message
  if (error instanceof Failure) return error.message.slice(0, limits.valueLength)
  if (error instanceof Error && /^(Abort|Timeout)Error$/.test(error.name)) return lateText(vendor)
  logFailure(ctx.log, 'a request to a vendor failed', error)
  return 'An internal error occurred.'
}
