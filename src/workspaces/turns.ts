import type { Elastic } from '../elastic/client.ts'
import { createAdmission } from '../platform/admission.ts'
import { perOwner } from '../platform/per-owner.ts'

/** Nobody waits longer than until the own deadline. */
const turnsOf = perOwner<Elastic, ReturnType<typeof createAdmission>>(() =>
  createAdmission({ capacity: Infinity, share: 2, waiting: Infinity, what: 'changes' }),
)

/** Does `work` when few others of this instance do any for `key`. Throws the signal's reason. */
export const inTurn = <T>(
  { elastic, signal }: { elastic: Elastic; signal: AbortSignal },
  key: string,
  work: () => Promise<T>,
): Promise<T> => turnsOf(elastic).run(key, work, { signal })
