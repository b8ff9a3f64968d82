import type { Services } from '../operation.ts'
import { createTurns } from '../platform/admission.ts'
import { perOwner } from '../platform/per-owner.ts'

const turnsOf = perOwner(createTurns)

/**
 * What comes and goes in one organization, one after the other in this process: two never both take
 * the last place, and no shared value is forgotten that another one is just being installed with.
 */
export const inTurn = <T>(
  { elastic }: Services,
  organization: string,
  work: () => Promise<T>,
): Promise<T> => turnsOf(elastic).run(organization, work)
