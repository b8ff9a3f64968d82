import type { Elastic } from '../elastic/client.ts'
import { createLane, type Lane } from '../platform/lane.ts'
import { perOwner } from '../platform/per-owner.ts'

/** Nobody waits longer than until the own deadline. */
const FEW = { atOnce: 2, waiting: Number.POSITIVE_INFINITY, what: 'changes' }

interface Turns {
  readonly lane: Lane
  users: number
}

const turnsOf = perOwner<Elastic, Map<string, Turns>>(() => new Map())

/** Does `work` when few others of this instance do any for `key`. Throws the signal's reason. */
export async function inTurn<T>(
  { elastic, signal }: { elastic: Elastic; signal: AbortSignal },
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const all = turnsOf(elastic)
  const turns = all.get(key) ?? { lane: createLane(FEW), users: 0 }
  all.set(key, turns)
  turns.users++
  try {
    return await turns.lane.run(signal, work)
  } finally {
    turns.users--
    if (turns.users === 0) all.delete(key)
  }
}
