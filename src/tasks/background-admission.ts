import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import type { Leave } from '../platform/admission.ts'
import { partOf } from '../platform/load-owner.ts'

/** The owner under which imports and other background writers queue for places. */
const WRITERS = 'imports'

/**
 * Waits for the places of a batch of background work, which gives way to requests. Families (see
 * rootOf) take turns. With `rests`, the places stay taken afterwards for as long as the work took,
 * while others are active.
 */
export async function enterBackground(
  { requests }: Pick<Services, 'requests'>,
  family: string,
  { rests = false } = {},
): Promise<Leave> {
  const asked = { cost: limits.batchPlaces, givesWay: true }
  const leave = await requests.enter(partOf(WRITERS, family), asked)
  if (!rests) return leave
  const began = performance.now()
  return () => leave(Math.min(limits.restMs, performance.now() - began))
}

/** The places of a batch that may take long. */
export interface BackgroundTurn {
  /** Called between parts of the work: lets others have the places first if it held them long. */
  pause(): Promise<void>
  /** Waits without places, which what is waited for may need. */
  outside(wait: () => Promise<unknown>): Promise<void>
  leave(): void
}

/** Like enterBackground, for a batch whose small rows may change large products. */
export async function takeTurn(
  services: Pick<Services, 'requests'>,
  family: string,
): Promise<BackgroundTurn> {
  let leave = await enterBackground(services, family)
  let began = performance.now()
  async function outside(wait: () => Promise<unknown>): Promise<void> {
    leave()
    await wait()
    leave = await enterBackground(services, family)
    began = performance.now()
  }
  return {
    pause: async () => {
      if (performance.now() - began >= limits.restMs) await outside(async () => undefined)
    },
    outside,
    leave: () => leave(),
  }
}
