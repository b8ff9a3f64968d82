import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import type { Leave } from '../platform/admission.ts'
import { defined } from '../platform/defined.ts'
import { partOf } from '../platform/load-owner.ts'

/** The owner under which imports and other background writers queue for places. */
const WRITERS = 'imports'

/** `signal` ends the waiting for places. */
type BackgroundWork = Pick<Services, 'requests'> & Partial<Pick<Context, 'signal'>>

/** Maximum milliseconds of a rest after a batch. */
const LONGEST_REST_MS = 1_000

/** Milliseconds that work of a family rests, as long as it took, while others are active. */
const restAfter = ({ requests }: BackgroundWork, family: string, began: number): number =>
  requests.hasOthers(family) ? Math.min(LONGEST_REST_MS, performance.now() - began) : 0

/**
 * Waits for the places of a batch of background work, which gives way to requests. Families (see
 * rootOf) take turns. With `rests`, the share of the places stays taken afterwards for as long as
 * the work took, while other families are active.
 */
export async function enterBackground(
  work: BackgroundWork,
  family: string,
  { rests = false } = {},
): Promise<Leave> {
  const { requests, signal } = work
  const asked = { cost: limits.batchPlaces, givesWay: true, ...defined({ signal }) }
  const leave = await requests.enter(partOf(WRITERS, family), asked)
  if (!rests) return leave
  const began = performance.now()
  return () => leave(restAfter(work, family, began))
}

/** The places of a batch that may take long. */
export interface LongBatchPlaces {
  /**
   * Called between parts of the work: gives the places away, rests, and waits for them again if it
   * held them long and others wait or are active.
   */
  pause(): Promise<void>
  /** Gives the places away while it waits for what may need them, then waits for places again. */
  outside(wait: () => Promise<unknown>): Promise<void>
  /** Gives the places back; their share stays taken for as long as it took, while others are active. */
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
      if (ms > 0 || work.requests.load().waiting > 0) await outside(() => sleep(ms))
    },
    outside,
    leave: () => leave(restAfter(work, family, began)),
  }
}
