import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import type { Leave } from '../platform/admission.ts'

/** The owner under which imports and other background writers queue for places. */
const WRITERS = 'imports'

/**
 * Waits for the places of a batch of background work, which gives way to requests. With `rests`,
 * the places stay taken afterwards for as long as the work took, while others are active.
 */
export async function enterBackground(
  { requests }: Pick<Services, 'requests'>,
  { rests = false } = {},
): Promise<Leave> {
  const leave = await requests.enter(WRITERS, { cost: limits.batchPlaces, givesWay: true })
  if (!rests) return leave
  const began = performance.now()
  return () => leave(Math.min(limits.restMs, performance.now() - began))
}
