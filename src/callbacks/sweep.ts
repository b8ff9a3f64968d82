import { expired, forEach } from '../files/expired.ts'
import type { Services } from '../operation.ts'
import type { Delivery } from './delivery.ts'
import { deliveriesOf } from './store.ts'

/** Removes callbacks of every organization that are past their time. Answers how many went. */
export const sweepCallbacks = (services: Services): Promise<number> =>
  forEach(
    services,
    'remove old callbacks',
    expired<Delivery>(services, 'callbacks'),
    ({ id, scope }) => deliveriesOf(services, scope).remove(id),
  )
