import { Conflict, ignoring, Stale } from '../errors.ts'
import type { Elastic } from './client.ts'
import { collection } from './collection.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Milliseconds after which work that failed, or whose instance crashed, may run again. */
const LEASE_MS = 10 * 60 * 1000

interface LeaseDocument {
  readonly name: string
  /** When the work may begin again. */
  readonly due: string
}

/**
 * Does the work if no instance began it within a day. Returns whether this one did. Rethrows its
 * errors; the work is then due again when the lease ends.
 */
export async function runDaily(
  elastic: Elastic,
  { name, now }: { readonly name: string; readonly now: Date },
  work: () => Promise<unknown>,
): Promise<boolean> {
  const leases = collection<LeaseDocument>(elastic, { kind: 'leases', scope: [] })
  const after = (ms: number) => ({ name, due: new Date(now.getTime() + ms).toISOString() })
  const found = await leases.get(name)
  if (found && Date.parse(found.source.due) > now.getTime()) return false
  const taking = found
    ? leases.replace(name, after(LEASE_MS), found)
    : leases.create(name, after(LEASE_MS))
  const taken = await taking.catch(unlessTaken)
  if (!taken) return false
  await work()
  await leases.replace(name, after(DAY_MS), taken).catch(unlessTaken)
  return true
}

/** Ignores that another instance was faster. */
const unlessTaken = ignoring(Conflict, Stale)
