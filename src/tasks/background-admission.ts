import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import type { Admission, Leave } from '../platform/admission.ts'
import { untilAborted } from '../platform/deadline.ts'
import { defined } from '../platform/defined.ts'
import { partOf } from '../platform/load-owner.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { createRests, type Rests, restSince } from '../platform/rests.ts'

/** The owner under which imports and other background writers queue for places. */
const WRITERS = 'imports'

/** `signal` ends the waiting for places, and the rest before. */
type BackgroundWork = Pick<Services, 'requests'> & Partial<Pick<Context, 'signal'>>

/** The rests of families, which leave the places to others. */
const restsOf = memoizeWeak<Admission, Rests>(createRests)

/** Lets a family rest after work, while others are active. Returns the ms. */
function restAfter({ requests }: BackgroundWork, family: string, began: number): number {
  const bounds = { times: limits.backgroundRest, most: limits.longRestMs }
  const ms = restSince(requests, family, began, bounds)
  restsOf(requests).begin(family, ms)
  return ms
}

/** Milliseconds between looks for a gap between requests. */
const LOOK_MS = 10

/**
 * While others are active, waits until no request of the family is under way, for `restMs` at most:
 * together its requests and its batches would take twice its share.
 */
async function afterOwnRequests({ requests, signal }: BackgroundWork, family: string) {
  const until = performance.now() + limits.restMs
  while (requests.hasOthers(family) && requests.works(family) && performance.now() < until) {
    await untilAborted(signal, sleep(LOOK_MS))
  }
}

/**
 * Waits for the places of a batch of background work, which gives way to requests. Families (see
 * rootOf) take turns. With `rests`, the family begins no other batch for some time afterwards, while
 * others are active (see limits.backgroundRest).
 */
export async function enterBackground(
  work: BackgroundWork,
  family: string,
  { rests = false } = {},
): Promise<Leave> {
  const { requests, signal } = work
  const asked = { cost: limits.batchPlaces, givesWay: true, ...defined({ signal }) }
  const enter = async () => {
    await afterOwnRequests(work, family)
    return requests.enter(partOf(WRITERS, family), asked)
  }
  const leave = await restsOf(requests).enter(family, enter, signal)
  if (!rests) return leave
  const began = performance.now()
  return () => {
    restAfter(work, family, began)
    leave()
  }
}

/** The places of a batch that may take long. */
export interface LongBatchPlaces {
  /**
   * Called between parts of the work: if it took long and others wait or are active, it gives the
   * places away, rests, and waits for them again.
   */
  pause(): Promise<void>
  /** Gives the places away while it waits for what may need them, then waits for places again. */
  outside(wait: () => Promise<unknown>): Promise<void>
  /** Gives the places away and lets the family rest. */
  leave(): void
}

/** Like enterBackground, for a batch whose small rows may change large products. */
export async function enterForLongBatch(
  work: BackgroundWork,
  family: string,
): Promise<LongBatchPlaces> {
  let leave = await enterBackground(work, family)
  let began = performance.now()
  async function outside(wait: () => Promise<unknown>): Promise<void> {
    leave()
    await wait()
    leave = await enterBackground(work, family)
    began = performance.now()
  }
  return {
    pause: async () => {
      if (performance.now() - began < limits.restMs) return
      const ms = restAfter(work, family, began)
      if (ms > 0 || work.requests.load().waiting > 0) await outside(async () => undefined)
    },
    outside,
    leave: () => {
      restAfter(work, family, began)
      leave()
    },
  }
}
