import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import type { Leave } from '../platform/admission.ts'
import { defined } from '../platform/defined.ts'
import { partOf } from '../platform/load-owner.ts'

/** The owner under which imports and other background writers queue for places. */
const WRITERS = 'imports'

/** `signal` ends the waiting for places. */
type BackgroundWork = Pick<Services, 'requests'> & Partial<Pick<Context, 'signal'>>

/**
 * Waits for the places of a batch of background work, which gives way to requests. Families (see
 * rootOf) take turns. With `rests`, the places stay taken afterwards for as long as the work took,
 * while others are active.
 */
export async function enterBackground(
  { requests, signal }: BackgroundWork,
  family: string,
  { rests = false } = {},
): Promise<Leave> {
  const asked = { cost: limits.batchPlaces, givesWay: true, ...defined({ signal }) }
  const leave = await requests.enter(partOf(WRITERS, family), asked)
  if (!rests) return leave
  const began = performance.now()
  return () => leave(Math.min(limits.restMs, performance.now() - began))
}

/** The places of a batch that may take long. */
export interface LongBatchPlaces {
  /**
   * Called between parts of the work: gives the places away and waits for them again if it held
   * them long and others wait.
   */
  pause(): Promise<void>
  /** Gives the places away while it waits for what may need them, then waits for places again. */
  outside(wait: () => Promise<unknown>): Promise<void>
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
      const isLong = performance.now() - began >= limits.restMs
      if (isLong && work.requests.load().waiting > 0) await outside(async () => undefined)
    },
    outside,
    leave: () => leave(),
  }
}
