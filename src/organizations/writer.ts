import { setTimeout } from 'node:timers/promises'
import type { Elastic } from '../elastic/client.ts'
import { Stale } from '../errors.ts'
import type { CallerContext, Services } from '../operation.ts'
import { type Batches, createBatches } from '../platform/batches.ts'
import type { Organization } from './organization.ts'
import { forget, organizationsOf } from './store.ts'

const JITTER_MS = 40

/** May throw: the organization then stays as it is, for this change. */
export type Change = (organization: Organization) => Organization | Promise<Organization>

/** A change with the request that waits for it. */
interface Waiting {
  readonly change: Change
  readonly signal: AbortSignal
  readonly resolve: (organization: Organization | undefined) => void
  readonly reject: (error: unknown) => void
}

// One queue a service, so that several services in one process stay as separate as elsewhere.
const queues = new WeakMap<Elastic, Batches<Waiting>>()

function queueOf(elastic: Elastic): Batches<Waiting> {
  const queue = queues.get(elastic) ?? createBatches<Waiting>()
  queues.set(elastic, queue)
  return queue
}

/**
 * Changes an organization; undefined when there is none. Changes that meet in this instance become
 * one write; between instances they are applied anew until nobody was faster or time is up.
 */
export function changeOrganization(
  ctx: CallerContext,
  id: string,
  change: Change,
): Promise<Organization | undefined> {
  const { signal } = ctx
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<Organization | undefined>()
  const expire = () => reject(signal.reason)
  signal.addEventListener('abort', expire, { once: true })
  const waiting = { change, signal, resolve, reject }
  queueOf(ctx.elastic).add(id, waiting, (batch) => fulfil(ctx, id, batch))
  return promise.finally(() => signal.removeEventListener('abort', expire))
}

async function fulfil(services: Services, id: string, batch: readonly Waiting[]): Promise<void> {
  for (;;) {
    const open = batch.filter(({ signal }) => !signal.aborted)
    if (open.length === 0) return
    try {
      return await write(services, id, open)
    } catch (error) {
      if (!(error instanceof Stale)) {
        for (const { reject } of open) reject(error)
        return
      }
    }
    await setTimeout(Math.random() * JITTER_MS)
  }
}

/** Applies what can be applied, stores it, then tells everybody. Throws Stale. */
async function write(services: Services, id: string, open: readonly Waiting[]): Promise<void> {
  const found = await organizationsOf(services).get(id)
  if (!found) {
    for (const { resolve } of open) resolve(undefined)
    return
  }
  let organization = found.source
  const tell: (() => void)[] = []
  for (const { change, resolve, reject } of open) {
    try {
      const changed = await change(organization)
      organization = changed
      tell.push(() => resolve(changed))
    } catch (error) {
      tell.push(() => reject(error))
    }
  }
  if (organization !== found.source) {
    try {
      await organizationsOf(services).replace(id, organization, found, { refresh: true })
    } finally {
      // Also when the answer was lost, since the change may be stored.
      forget(services, organization, found.source)
    }
  }
  for (const one of tell) one()
}
