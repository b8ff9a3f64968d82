import { scanExpired } from '../files/expired.ts'
import type { Services } from '../operation.ts'
import { forEach } from '../platform/for-each.ts'
import { deliveriesOf } from './store.ts'

/** Removes expired callbacks of all organizations. Returns how many were removed. */
export const sweepCallbacks = (services: Services, signal?: AbortSignal): Promise<number> =>
  forEach(services, {
    name: 'remove old callbacks',
    items: scanExpired(services, 'callbacks'),
    work: ({ id, scope }) => deliveriesOf(services, scope).remove(id),
    signal,
  })
