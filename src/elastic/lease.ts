import { Conflict, ignoring, Stale } from '../errors.ts'
import type { Elastic } from './client.ts'
import { collection } from './collection.ts'

/** Work that a single instance does periodically. */
export interface PeriodicWork {
  readonly name: string
  readonly now: Date
  /** Milliseconds between the beginnings of two runs. */
  readonly periodMs: number
  /** Milliseconds after which a run that failed, or whose instance died, counts as lost. */
  readonly leaseMs: number
}

interface LeaseDocument {
  readonly name: string
  /** When the work may begin again. */
  readonly due: string
}

/**
 * Does the work when it is due and no other instance does it. Returns whether this one did. Rethrows
 * what the work throws; it is then due again when the lease ends.
 */
export async function runWhenDue(
  elastic: Elastic,
  { name, now, periodMs, leaseMs }: PeriodicWork,
  work: () => Promise<unknown>,
): Promise<boolean> {
  const leases = collection<LeaseDocument>(elastic, { kind: 'leases', scope: [] })
  const after = (ms: number) => ({ name, due: new Date(now.getTime() + ms).toISOString() })
  const found = await leases.get(name)
  if (found && Date.parse(found.source.due) > now.getTime()) return false
  const taking = found
    ? leases.replace(name, after(leaseMs), found)
    : leases.create(name, after(leaseMs))
  const taken = await taking.catch(unlessTaken)
  if (!taken) return false
  await work()
  await leases.replace(name, after(periodMs), taken).catch(unlessTaken)
  return true
}

/** Another instance was faster. */
const unlessTaken = ignoring(Conflict, Stale)
