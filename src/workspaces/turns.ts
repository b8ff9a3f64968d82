import type { Elastic } from '../elastic/client.ts'
import { createLane, type Lane } from '../platform/lane.ts'

/** Nobody waits longer than until the own deadline. */
const FEW = { atOnce: 2, waiting: Number.POSITIVE_INFINITY, what: 'changes' }

interface Turns {
  readonly lane: Lane
  users: number
}

// One a service, so that several services in one process stay as separate as elsewhere.
const services = new WeakMap<Elastic, Map<string, Turns>>()

/** Does `work` when few others of this instance do any for `key`. Throws the signal's reason. */
export async function inTurn<T>(
  { elastic, signal }: { elastic: Elastic; signal: AbortSignal },
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const all = services.get(elastic) ?? new Map<string, Turns>()
  services.set(elastic, all)
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
