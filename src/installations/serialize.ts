import type { Services } from '../operation.ts'
import { createSerialQueue } from '../platform/admission.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'

const turnsOf = memoizeWeak(createSerialQueue)

/**
 * Serializes installing and uninstalling per organization in this process, so that two requests
 * never both take the last place, and no shared value is removed that another request just needs.
 */
export const serializedByOrganization = <T>(
  { elastic }: Services,
  organization: string,
  work: () => Promise<T>,
): Promise<T> => turnsOf(elastic).run(organization, work)
