import type { Elastic } from '../elastic/client.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { type Admission, createAdmission } from '../platform/admission.ts'
import { loadOwner } from '../platform/load-owner.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'

const turnsOf = memoizeWeak<Elastic, Admission>(() =>
  createAdmission({
    capacity: 1,
    waiting: Infinity,
    waitMs: limits.requestWaitMs,
    pauses: true,
    what: 'explained searches',
  }),
)

/**
 * Runs searches. While several organizations are active, requests with explained searches run one
 * at a time, since Elasticsearch scores each clause of explained products again. Throws
 * TooManyRequests.
 */
export const inExplanationTurn = <T>(
  { elastic, organization, requests, signal }: Context,
  isExplained: boolean,
  work: () => Promise<T>,
): Promise<T> =>
  isExplained && requests.isShared()
    ? turnsOf(elastic).run(loadOwner(organization), work, { signal })
    : work()
