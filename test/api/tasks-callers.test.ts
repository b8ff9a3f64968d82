import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { claimTask, dueTasks } from '../../src/tasks/claim.ts'
import { createLeaseWatch } from '../../src/tasks/lease-watch.ts'
import { createTaskRunner, type TaskRunner } from '../../src/tasks/runner.ts'
import { queueTask } from '../../src/tasks/store.ts'
import { caller, newOrganization, type TestOrganization } from '../support/client.ts'
import { requestsSent } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf, listedTask, newKind, queueKind } from '../support/tasks.ts'

let service: TestService
let organization: TestOrganization
const runners: TaskRunner[] = []

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
})

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
})

const queue = (kind: string, ctx = contextOf(organization.id, service)) => queueKind(ctx, kind)

describe('visibility of tasks', () => {
  test('tasks are listed newest first, dismissed ones only on request, in both revisions', async () => {
    const own = await newOrganization(service)
    const kind = newKind()
    const old = await queue(kind, contextOf(own.id, service))
    const young = await queue(kind, contextOf(own.id, service))
    const ids = async (query = '', version = '6.0') =>
      (await own.call(`GET /api/tasks${query}`, { version })).body.items.map(
        (item: { id: string }) => item.id,
      )
    expect(await ids()).toEqual([young.id, old.id])
    expect(await ids('?fetchUpdates=false', '1.0')).toEqual([young.id, old.id])
    await own.call(`PUT /api/tasks/${old.id}`, { body: { dismissed: true, reviewed: true } })
    expect(await ids()).toEqual([young.id])
    expect(await ids('?includeDismissed=true')).toEqual([young.id, old.id])
    const dismissed = await listedTask(own.call, old.id)
    expect(dismissed).toMatchObject({ reviewed: true, dismissed: true })
    expect((await own.call(`GET /api/tasks/${old.id}`)).body).toEqual(dismissed)
  })

  test('progress is reported by the instance that runs the task, and read by others', async () => {
    const own = await newOrganization(service)
    const kind = newKind()
    const half = Promise.withResolvers<void>()
    const rest = Promise.withResolvers<void>()
    const runner = createTaskRunner(service.services, {
      [kind]: async (run) => {
        run.progress({ percentCompleted: 50, message: 'Half of it.' })
        await run.stored()
        half.resolve()
        await rest.promise
        return { status: 'completed', message: 'All of it.' }
      },
    })
    runners.push(runner)
    runner.start()
    const { id } = await queue(kind, contextOf(own.id, service))
    await half.promise
    await own.call(`PUT /api/tasks/${id}`, { body: { reviewed: true } })
    const key = await own.key('viewer')
    const lookAt = async (instance: TestService) => {
      const call = caller(instance, { key, organization: own.id })
      let items: unknown[] = []
      const sent = await requestsSent(instance, async () => {
        items = (await call('GET /api/tasks')).body.items
      })
      const index = instance.services.elastic.indexName('tasks')
      const isRead = ({ path, body }: { path: string; body?: unknown }) =>
        path === '/_mget' && JSON.stringify(body).includes(index)
      return { items, reads: sent.filter(isRead).length }
    }
    const shown = { id, status: 'running', percentCompleted: 50, reviewed: true }
    try {
      expect(await lookAt(service)).toMatchObject({ items: [shown], reads: 0 })
      expect(await lookAt(await startService())).toMatchObject({ items: [shown], reads: 1 })
    } finally {
      rest.resolve()
    }
    await expect
      .poll(async () => (await lookAt(service)).items)
      .toMatchObject([{ id, status: 'completed', percentCompleted: 100, message: 'All of it.' }])
  })

  test('many tasks of one organization do not delay those of another', async () => {
    const kind = `many-${crypto.randomUUID()}`
    const other = await newOrganization(service)
    const given = { kind, source: 's', sourceType: 't', target: null, input: {} }
    const crowd = contextOf(organization.id, service)
    for (let round = 0; round < 6; round++) {
      await Promise.all(Array.from({ length: 10 }, () => queueTask(crowd, given)))
    }
    const last = await queueTask(contextOf(other.id, service), given)
    const due = await dueTasks(service.services, [kind], { watch: createLeaseWatch() })
    expect(due.map(({ organization: id }) => id)).toEqual([organization.id, other.id])
    expect(due[1]!.id).toBe(last.id)
  })

  test('many children of one organization do not delay another, and share its places', async () => {
    const kind = newKind()
    const [parent, other] = [organization, await newOrganization(service)]
    const childContext = (at: number) => {
      const ctx = contextOf(`${parent.id}-${at}`, service)
      return { ...ctx, organization: { ...ctx.organization, parent: parent.id } }
    }
    const crowd = Array.from({ length: 60 }, (_, at) => childContext(at))
    await Promise.all(crowd.map((ctx) => queueKind(ctx, kind)))
    const last = await queueKind(contextOf(other.id, service), kind)
    const watch = createLeaseWatch()
    const hasSlot = (family: string) => family !== parent.id
    const due = await dueTasks(service.services, [kind], { watch, hasSlot })
    expect(due).toEqual([{ id: last.id, organization: other.id, family: other.id }])
    const families = await dueTasks(service.services, [kind], { watch })
    expect(new Set(families.map(({ family }) => family))).toEqual(new Set([parent.id]))
  })

  test('within a family, the organization with none running is next, even if others queued before', async () => {
    const kind = newKind()
    const parent = await newOrganization(service)
    const first = contextOf(`${parent.id}-1`, service)
    const child = { ...first, organization: { ...first.organization, parent: parent.id } }
    const running = await queueKind(child, kind)
    await queueKind(child, kind)
    const last = await queueKind(contextOf(parent.id, service), kind)
    const watch = createLeaseWatch()
    const due = { id: running.id, organization: child.organization.id, family: parent.id }
    await claimTask(service.services, due, { holder: 'somebody', leaseMs: 60_000, watch })
    await refreshIndex(service.services.elastic, 'tasks')
    const [next] = await dueTasks(service.services, [kind], { watch })
    expect(next).toMatchObject({ id: last.id, organization: parent.id })
  })

  test('of two organizations with tasks for one target, the older task is next', async () => {
    const kind = newKind()
    const other = await newOrganization(service)
    const target = `${organization.id}/shared`
    const first = await queueKind(contextOf(other.id, service), kind, target)
    await queueKind(contextOf(organization.id, service), kind, target)
    const due = await dueTasks(service.services, [kind], { watch: createLeaseWatch() })
    expect(due.map(({ id }) => id)).toEqual([first.id])
  })

  test('an update without known fields is refused', async () => {
    const answer = await organization.call('PUT /api/tasks/any', { body: { status: 'cancelled' } })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('send at least one of reviewed, dismissed, cancelled')
  })

  test('a foreign task and a missing one return the same', async () => {
    const { id } = await queue(newKind())
    const other = await newOrganization(service)
    expect(await listedTask(other.call, id)).toBeUndefined()
    expect((await other.call(`GET /api/tasks/${id}`)).status).toBe(404)
    const foreign = await other.call(`PUT /api/tasks/${id}`, { body: { dismissed: true } })
    const missing = await other.call('PUT /api/tasks/none', { body: { dismissed: true } })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })

  test('an import key sees and changes only its own tasks, a viewer changes none', async () => {
    const foreign = await queue(newKind())
    const importer = caller(service, {
      key: await organization.key('editor', 'import'),
      organization: organization.id,
    })
    expect((await importer('GET /api/tasks')).body.items).toEqual([])
    expect((await importer(`GET /api/tasks/${foreign.id}`)).status).toBe(404)
    const change = { body: { cancelled: true } }
    expect((await importer(`PUT /api/tasks/${foreign.id}`, change)).status).toBe(404)
    const viewer = await organization.as('viewer')
    expect(await listedTask(viewer, foreign.id)).toBeDefined()
    expect((await viewer(`PUT /api/tasks/${foreign.id}`, change)).status).toBe(403)
  })
})
