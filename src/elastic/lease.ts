import { Conflict, Stale } from '../errors.ts'
import type { Elastic } from './client.ts'
import { collection } from './collection.ts'

/** Work that one instance of all does now and then. */
export interface PeriodicWork {
  readonly name: string
  readonly now: Date
  /** Milliseconds between the beginnings of two runs. */
  readonly periodMs: number
  /** Milliseconds after which a run that failed, or whose instance died, is taken for lost. */
  readonly leaseMs: number
}

interface LeaseDocument {
  readonly name: string
  /** When the work may be begun again. */
  readonly due: string
}

/**
 * Does the work when its time has come and no other instance is at it. Answers whether it was done
 * here. What the work throws is thrown on, and it is due again when the lease is over.
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
  const taken = await unlessTaken(
    found ? leases.replace(name, after(leaseMs), found) : leases.create(name, after(leaseMs)),
  )
  if (!taken) return false
  await work()
  await unlessTaken(leases.replace(name, after(periodMs), taken))
  return true
}

/** Undefined when another instance was faster. */
async function unlessTaken<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (error instanceof Conflict || error instanceof Stale) return undefined
    throw error
  }
}
