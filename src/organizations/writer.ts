import type { Elastic } from '../elastic/client.ts'
import type { CallerContext, Services } from '../operation.ts'
import {
  applied,
  type ChangeOf,
  type ChangeQueue,
  createChangeQueue,
  type WaitingChange,
} from '../platform/change-queue.ts'
import { perOwner } from '../platform/per-owner.ts'
import type { Organization } from './organization.ts'
import { forget, organizationsOf } from './store.ts'

/** May throw: the organization then stays as it is, for this change. */
export type Change = ChangeOf<Organization>

type Found = Organization | undefined

const queueOf = perOwner<Elastic, ChangeQueue<Organization, Found>>(createChangeQueue)

/**
 * Changes an organization; undefined when there is none. Changes that meet in this instance become
 * one write; between instances they are applied anew until nobody was faster or time is up.
 */
export function changeOrganization(ctx: CallerContext, id: string, change: Change): Promise<Found> {
  const { signal } = ctx
  return queueOf(ctx.elastic).submit(id, { change, signal }, () => (open) => write(ctx, id, open))
}

/** Applies what can be applied, stores it, then tells everybody. Throws Stale. */
async function write(
  services: Services,
  id: string,
  open: readonly WaitingChange<Organization, Found>[],
): Promise<void> {
  const found = await organizationsOf(services).get(id)
  if (!found) {
    for (const { resolve } of open) resolve(undefined)
    return
  }
  const { value: organization, tell } = await applied(found.source, open)
  if (organization !== found.source) {
    try {
      await organizationsOf(services).replace(id, organization, found, { refresh: true })
    } finally {
      // Also when the answer was lost, since the change may be stored.
      forget(services, organization, found.source)
    }
  }
  tell()
}
