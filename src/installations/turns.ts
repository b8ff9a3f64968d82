import type { Services } from '../operation.ts'
import { createTurns } from '../platform/admission.ts'
import { perOwner } from '../platform/per-owner.ts'

const turnsOf = perOwner(createTurns)

/**
 * Serializes installing and uninstalling per organization in this process, so that two requests
 * never both take the last place, and no shared value is removed that another request just needs.
 */
export const inTurn = <T>(
  { elastic }: Services,
  organization: string,
  work: () => Promise<T>,
): Promise<T> => turnsOf(elastic).run(organization, work)
