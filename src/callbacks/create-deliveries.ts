import { createHash } from 'node:crypto'
import { term } from '../elastic/clauses.ts'
import { inAllScopes } from '../elastic/scan.ts'
import { Conflict, ignoring, Stale } from '../errors.ts'
import type { Services } from '../operation.ts'
import { defined } from '../platform/defined.ts'
import { parseUrl } from '../platform/parse-url.ts'
import { unlessUnreadable } from '../platform/secrets.ts'
import { openedAddress } from '../tasks/callback-address.ts'
import { taskFamily } from '../tasks/claim.ts'
import { tasksOf, toTaskShape } from '../tasks/store.ts'
import { FINISHED, isFinished, type Task } from '../tasks/task.ts'
import { type Delivery, expiryFrom } from './delivery.ts'
import { deliveriesOf } from './store.ts'

const LOOKED_AT = 100

/**
 * Creates the deliveries of finished tasks. The write that ends a task marks its callback as due,
 * so that none is lost with its process. Returns the number of tasks looked at.
 */
export async function createDeliveries(services: Services): Promise<number> {
  const found = await inAllScopes<Task>(services.elastic, 'tasks').find({
    size: LOOKED_AT,
    _source: ['id', 'scope'],
    sort: [{ finished: 'asc' }, { id: 'asc' }],
    query: {
      bool: { filter: [term('callbackDue', true), { terms: { status: [...FINISHED] } }] },
    },
  })
  await Promise.all(found.map(({ id, scope }) => createDelivery(services, scope, id)))
  return found.length
}

async function createDelivery(services: Services, organization: string, id: string): Promise<void> {
  const tasks = tasksOf(services, organization)
  const found = await tasks.get(id)
  if (!found?.source.callbackDue || !isFinished(found.source)) return
  const delivery = deliveryOf(services, found.source)
  const created = deliveriesOf(services, organization).create(delivery.id, delivery, {
    refresh: true,
  })
  // It may have been created before, by an instance that could not record it in the task.
  await created.catch(ignoring(Conflict))
  const updated = { ...found.source, callbackUrl: null, callbackDue: false }
  await tasks.replace(id, updated, found).catch(ignoring(Stale))
}

function deliveryOf(services: Services, task: Task): Delivery {
  const now = services.clock.now()
  return {
    id: `task_${task.id}`,
    taskId: task.id,
    family: taskFamily(task),
    ...defined({ receiver: receiverOf(services, task) }),
    url: task.callbackUrl!,
    body: JSON.stringify({
      type: `task.${task.status}`,
      timestamp: task.finished,
      data: toTaskShape(services, task),
    }),
    status: 'pending',
    attempts: [],
    tries: 0,
    nextAttempt: now.toISOString(),
    claim: null,
    created: now.toISOString(),
    expires: expiryFrom(now),
  }
}

/** A hash, since the address is not stored in clear. */
function receiverOf(services: Services, task: Task): string | undefined {
  const organization = task.origin.organization.id
  const address = { organization, taskId: task.id, url: task.callbackUrl! }
  const url = unlessUnreadable(() => openedAddress(services, address))
  const origin = url === undefined ? undefined : parseUrl(url)?.origin
  if (origin === undefined) return undefined
  return createHash('sha256').update(`${organization} ${origin}`).digest('base64url')
}
