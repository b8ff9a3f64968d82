import type { Context } from '../../src/operation.ts'
import { queueTask } from '../../src/tasks/store.ts'
import type { Call } from './client.ts'
import type { TestService } from './service.ts'

/** The context of a request by an editor. */
export const contextOf = (id: string, { services }: TestService): Context => ({
  ...services,
  requestId: 'r',
  signal: AbortSignal.timeout(60_000),
  caller: {
    username: 'editor',
    role: 'editor',
    parentRole: null,
    keyId: 'some-key',
    keyType: 'full',
    origins: null,
    boundTo: id,
  },
  organization: {
    id,
    name: 'test',
    parent: null,
    defaultCatalog: null,
    catalogLimit: null,
    credits: null,
  },
})

/** A unique kind for each test, so that no other runner takes its tasks. */
export const newKind = () => `test-${crypto.randomUUID()}`

/** Queues a task that only the test runs. */
export const queueKind = (ctx: Context, kind: string, target: string | null = null) =>
  queueTask(ctx, { kind, source: 'test', sourceType: 'test', target, input: { n: 1 } })

/** A task as Get Tasks lists it. */
export async function listedTask(call: Call, id: string) {
  const { body } = await call('GET /api/tasks?includeDismissed=true')
  return body.items.find((item: { id: string }) => item.id === id)
}
