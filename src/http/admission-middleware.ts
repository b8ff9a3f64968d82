import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { limits } from '../limits.ts'
import type { CallerContext, Operation } from '../operation.ts'
import type { Leave } from '../platform/admission.ts'
import type { AdmissionRequest } from '../platform/admission-bounds.ts'
import { timeLimit } from '../platform/deadline.ts'
import { loadOwner } from '../platform/load-owner.ts'
import type { RequestTrace } from '../platform/request-trace.ts'

/** The owner of a request's places and bytes: its organization, or its user when there is none. */
export const requestOwner = ({ organization, caller }: CallerContext): string =>
  organization ? loadOwner(organization) : `user ${caller.username}`

export const callOf = (c: HonoContext) => c.get('call') as unknown as CallerContext

/** Milliseconds left of the request's time, in which the arrival of its body does not count. */
export const timeLeft = (c: HonoContext): number =>
  Math.max(1, Math.round(limits.requestMs - c.get('checkedMs')))

/** Places of a request with this many bytes of body, since a large body is more work. */
export const placesForRequest = (cost: number, bytes: number): number =>
  cost + Math.min(limits.bodyPlaces, Math.floor(bytes / limits.placeBytes))

/** Milliseconds of rest after a body, which is received and scanned before its request has a place. */
export const bodyRest = (bytes: number): number =>
  bytes <= limits.smallBodyBytes ? 0 : Math.min(limits.restMs, bytes / limits.restBytes)

/**
 * Milliseconds for which the places of a request stay taken after searches that took Elasticsearch so
 * long: with heavy ones, each place is used about half of the time.
 */
export const searchRest = (ms: number): number =>
  Math.min(limits.longRestMs, Math.max(0, ms - limits.lightSearchMs))

/** Waits for a place. The wait counts against the request's time. */
async function placeInTurn(c: HonoContext, request: AdmissionRequest): Promise<Leave> {
  const call = callOf(c)
  const limit = timeLimit(timeLeft(c), c.req.raw.signal)
  const began = performance.now()
  try {
    return await call.requests.enter(requestOwner(call), { ...request, signal: limit.signal })
  } finally {
    limit.end()
    c.set('checkedMs', c.get('checkedMs') + performance.now() - began)
  }
}

interface TakenPlace {
  readonly taken: Leave
  /** Milliseconds that the organization rests when the place is left first. */
  readonly restMs: number
  readonly trace: Pick<RequestTrace, 'searchMs'>
}

/**
 * The place of one request, which others may have while it waits for something else. After it is
 * left for the first time, its organization rests for `restMs` at least.
 */
function heldPlace(call: CallerContext, cost: number, { taken, restMs, trace }: TakenPlace) {
  const { requests } = call
  const owner = requestOwner(call)
  let leave: Leave | undefined = taken
  let isOver = false
  let leastMs = restMs
  let searchedMs = 0
  /** The rest for searches since the place was taken. */
  const restAfterSearches = () => {
    const ms = trace.searchMs - searchedMs
    searchedMs = trace.searchMs
    return requests.hasOthers(owner) && requests.othersWork(owner) ? searchRest(ms) : 0
  }
  const leavePlace: Leave = (ms = 0) => {
    leave?.(Math.max(ms, leastMs, restAfterSearches()))
    leave = undefined
    leastMs = 0
  }
  return {
    leavePlace,
    async retakePlace(signal: AbortSignal, places = 1) {
      if (leave || isOver) return
      const again = await requests.enter(owner, { cost: Math.max(cost, places), signal })
      if (leave || isOver) return again()
      leave = again
    },
    end() {
      isOver = true
      leavePlace()
    },
  }
}

/**
 * Waits for the request's turn after its body has arrived and before it is parsed. The place is
 * released when the request is answered, and while it waits for something else.
 */
export function admissionMiddleware({ cost: operationCost, polled }: Operation): MiddlewareHandler {
  return async (c, next) => {
    const call = callOf(c)
    const bytes = c.get('sentBytes')?.length ?? 0
    const cost = placesForRequest(operationCost, bytes)
    c.req.raw.signal.throwIfAborted()
    const request = { cost, polled }
    const taken =
      call.requests.tryEnter(requestOwner(call), request) ?? (await placeInTurn(c, request))
    const held = { taken, restMs: bodyRest(bytes), trace: c.get('trace') }
    const { end, ...place } = heldPlace(call, cost, held)
    c.set('call', { ...call, ...place } as never)
    try {
      await next()
    } finally {
      end()
    }
  }
}
