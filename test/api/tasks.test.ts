import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { bulk } from '../../src/elastic/bulk.ts'
import { NotFound, Unavailable } from '../../src/errors.ts'
import { limits } from '../../src/limits.ts'
import { claimTask, dueTasks } from '../../src/tasks/claim.ts'
import { execute } from '../../src/tasks/execution.ts'
import { createLeaseWatch } from '../../src/tasks/lease-watch.ts'
import { createTaskRunner, type TaskRunner } from '../../src/tasks/runner.ts'
import { runningTasksOf } from '../../src/tasks/running-tasks.ts'
import { createTaskSlots } from '../../src/tasks/slots.ts'
import { tasksOf } from '../../src/tasks/store.ts'
import type { TaskRun } from '../../src/tasks/task.ts'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf, listedTask, newKind, queueKind } from '../support/tasks.ts'

let service: TestService
let organization: TestOrganization
const runners: TaskRunner[] = []
/** A lease that outlasts a machine that stalls for seconds. */
const LONG_MS = 60_000

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
})

afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
})

const queue = (kind: string, ctx = contextOf(organization.id, service)) => queueKind(ctx, kind)

function start(kind: string, run: TaskRun, of: TestService = service, pollMs = 200): TaskRunner {
  const runner = createTaskRunner(of.services, { [kind]: run }, { pollMs, leaseMs: LONG_MS })
  runners.push(runner)
  runner.start()
  return runner
}

const until = (
  id: string,
  check: (task: Record<string, unknown>) => void,
  call = organization.call,
) => vi.waitFor(async () => check(await listedTask(call, id)), { timeout: 60_000, interval: 150 })

describe('tasks', () => {
  test('a limited number of an organization wait, without affecting others', async () => {
    const { elastic } = service.services
    const flooding = await newOrganization(service)
    const ctx = contextOf(flooding.id, service)
    const kind = newKind()
    const { id } = await queueKind(ctx, kind)
    const tasks = tasksOf(service.services, flooding.id)
    const { source } = (await tasks.get(id))!
    const more = Array.from({ length: limits.queuedTasks - 1 }, (_, at) =>
      tasks.bulkItem(`${id} ${at}`, { ...source, id: `${id} ${at}` }),
    )
    await bulk(elastic, more, { refresh: true })
    await expect(queueKind(ctx, kind)).rejects.toThrow(
      'An organization has at most 1000 waiting tasks. Try again when some have started.',
    )
    const other = await queue(kind)
    const ran: string[] = []
    start(kind, async ({ task }) => {
      ran.push(task.id)
      return { status: 'completed', message: 'done' }
    })
    await vi.waitFor(() => expect(ran).toContain(other.id), { timeout: 60_000, interval: 50 })
    expect(ran.length).toBeLessThan(50)
    await vi.waitFor(() => queueKind(ctx, kind), { timeout: 60_000, interval: 150 })
  })

  test('keep no input once they have ended or were cancelled', async () => {
    const own = await newOrganization(service)
    const ctx = contextOf(own.id, service)
    const tasks = tasksOf(service.services, own.id)
    const kind = newKind()
    const [ended, cancelled] = [await queueKind(ctx, kind), await queueKind(ctx, newKind())]
    expect((await tasks.get(ended.id))!.source.input).toEqual({ n: 1 })
    await expectOk(own.call(`PUT /api/tasks/${cancelled.id}`, { body: { cancelled: true } }))
    start(kind, async () => ({ status: 'completed', message: 'done', checkpoint: { at: 1 } }))
    const stored = async ({ id }: { id: string }) => (await tasks.get(id))!.source
    await vi.waitFor(async () => expect((await stored(ended)).status).toBe('completed'), {
      timeout: 60_000,
      interval: 50,
    })
    for (const one of [ended, cancelled]) {
      expect(await stored(one)).toMatchObject({ input: null, checkpoint: null })
    }
  })

  test('run for the caller who queued them and report progress', async () => {
    const kind = newKind()
    const halfway = Promise.withResolvers<void>()
    const { id } = await queue(kind)
    expect(await listedTask(organization.call, id)).toMatchObject({
      status: 'queued',
      completed: false,
      percentCompleted: 0,
    })
    start(kind, async ({ task, ctx, progress }) => {
      expect(task.input).toEqual({ n: 1 })
      expect(ctx.caller.username).toBe('editor')
      const counts = { processed: 2, created: 1, updated: 0, unchanged: 0, rejected: 1 }
      progress({ percentCompleted: 50, counts, message: 'Halfway.' })
      await halfway.promise
      return { status: 'completed', message: 'All done.' }
    })
    await until(id, (task) =>
      expect(task).toMatchObject({
        status: 'running',
        percentCompleted: 50,
        message: 'Halfway.',
        created: 1,
        rejected: 1,
        rejectsUrl: null,
      }),
    )
    halfway.resolve()
    await until(id, (task) =>
      expect(task).toMatchObject({
        status: 'completed',
        completed: true,
        success: true,
        percentCompleted: 100,
        message: 'All done.',
      }),
    )
  })

  test('are released by a stopped service and continue from the checkpoint', async () => {
    const kind = newKind()
    const { id } = await queue(kind)
    const began = Promise.withResolvers<void>()
    const first = start(kind, async ({ progress, isCancelled }) => {
      progress({ checkpoint: { row: 7 } })
      began.resolve()
      await vi.waitUntil(isCancelled, { timeout: 60_000, interval: 10 })
      progress({ checkpoint: { row: 8 } })
      return { status: 'stopped' }
    })
    await began.promise
    await first.stop()
    const seen: unknown[] = []
    start(kind, async ({ task }) => {
      seen.push(task.checkpoint, task.lease!.fence)
      return { status: 'completed', message: 'Went on.' }
    })
    await until(id, (task) => expect(task.message).toBe('Went on.'))
    expect(seen).toEqual([{ row: 8 }, 2])
  })

  test('of a dead instance are taken over, and the old one can write no more', async () => {
    const kind = newKind()
    const elsewhere = await queue(kind)
    const frozen = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<boolean>()
    const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
    const gone = await startService({ folder })
    const own = await queue(kind, contextOf(organization.id, gone))
    expect(own.store).not.toBe(elsewhere.store)
    const beats = createTaskRunner(
      gone.services,
      {
        [kind]: async ({ progress, ctx, isCancelled }) => {
          progress({ checkpoint: 'first' })
          await frozen.promise
          await vi.waitUntil(isCancelled, { timeout: 60_000, interval: 10 })
          ended.resolve(ctx.signal.aborted)
          return { status: 'completed', message: 'Too late.' }
        },
      },
      { pollMs: 150, beatMs: 60_000, leaseMs: 800 },
    )
    runners.push(beats)
    beats.start()
    await until(own.id, (task) => expect(task.status).toBe('running'))
    // An hour ahead: the clock of an instance must not decide who holds a task.
    const ahead = { now: () => new Date(Date.now() + 3_600_000) }
    const second = createTaskRunner(
      { ...gone.services, clock: ahead },
      { [kind]: async () => ({ status: 'completed', message: 'Taken over.' }) },
      { pollMs: 150, leaseMs: 800 },
    )
    runners.push(second)
    second.start()
    await until(own.id, (task) => expect(task.message).toBe('Taken over.'))
    frozen.resolve()
    beats.wake()
    expect(await ended.promise).toBe(true)
    await beats.stop()
    expect(await listedTask(organization.call, own.id)).toMatchObject({ message: 'Taken over.' })
    // Its files are in another store.
    expect(await listedTask(organization.call, elsewhere.id)).toMatchObject({ status: 'queued' })
  })

  test('report a failure with its own message, but hide that of a defect', async () => {
    const kind = newKind()
    const [failed, broken] = [await queue(kind), await queue(kind)]
    start(kind, async ({ task }) => {
      if (task.id === failed.id) throw new NotFound('Catalog')
      throw new Error('secret: /srv/x.ts line 4')
    })
    await until(failed.id, (task) =>
      expect(task).toMatchObject({
        status: 'failed',
        success: false,
        message: 'Catalog not found.',
      }),
    )
    await until(broken.id, (task) => {
      expect(task).toMatchObject({ status: 'failed', completed: true })
      expect(task.message).not.toContain('secret')
    })
  })

  test('are retried if storage does not respond', async () => {
    const kind = newKind()
    const { id } = await queue(kind)
    let tries = 0
    const runner = createTaskRunner(
      service.services,
      {
        [kind]: async () => {
          if (++tries === 1) throw new Unavailable('Not now.')
          return { status: 'completed', message: `Try ${tries}.` }
        },
      },
      { pollMs: 150, leaseMs: 1_000, beatMs: 50 },
    )
    runners.push(runner)
    runner.start()
    await until(id, (task) => expect(task.message).toMatch(/^Try [2-4]\.$/))
  })

  test('of two organizations that wait for other systems keep no slot from a third', async () => {
    const kind = newKind()
    const [first, second, third] = await Promise.all([0, 1, 2].map(() => newOrganization(service)))
    const queueOf = ({ id }: TestOrganization) => queueKind(contextOf(id, service), kind)
    const stalled = Promise.withResolvers<void>()
    let waiting = 0
    const runner = createTaskRunner(
      service.services,
      {
        async [kind]({ ctx, withoutSlot }) {
          if (ctx.organization.id !== third!.id) {
            waiting++
            await withoutSlot(() => stalled.promise)
          }
          return { status: 'completed' }
        },
      },
      { pollMs: 150, slotReleaseMs: 50 },
    )
    runners.push(runner)
    for (const one of [first!, first!, second!]) await queueOf(one)
    runner.start()
    await expect.poll(() => waiting).toBe(3)
    const { id } = await queueOf(third!)
    await until(id, (task) => expect(task.status).toBe('completed'), third!.call)
    stalled.resolve()
  })

  test('with an answer from another system continue before queued ones', async () => {
    const kind = newKind()
    const [asking, other] = await Promise.all([0, 1].map(() => newOrganization(service)))
    const queueOf = ({ id }: TestOrganization) => queueKind(contextOf(id, service), kind)
    const answer = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const order: string[] = []
    const runner = createTaskRunner(
      service.services,
      {
        async [kind]({ ctx, withoutSlot }) {
          const asks = ctx.organization.id === asking!.id
          order.push(asks ? 'asks' : 'begins')
          await (asks ? withoutSlot(() => answer.promise) : end.promise)
          if (asks) order.push('goes on')
          return { status: 'completed' }
        },
      },
      { pollMs: 150, slotReleaseMs: 50, concurrency: 1 },
    )
    runners.push(runner)
    runner.start()
    await queueOf(asking!)
    await expect.poll(() => order).toEqual(['asks'])
    for (const one of [other!, other!]) await queueOf(one)
    await expect.poll(() => order).toEqual(['asks', 'begins'])
    answer.resolve()
    await new Promise(setImmediate)
    end.resolve()
    await expect.poll(() => order.length).toBe(4)
    expect(order).toEqual(['asks', 'begins', 'goes on', 'begins'])
  })

  describe('blocking the event loop', () => {
    /** Uses this much processor time, however busy the machine is. */
    const compute = (ms: number) => {
      const used = () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1000
      }
      for (const end = used() + ms; used() < end; ) JSON.stringify([ms])
    }
    const options = { pollMs: 100, beatMs: 50, stallMs: 300 }

    async function startRun(run: TaskRun, leaseMs: number) {
      const kind = newKind()
      const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
      const { services } = await startService({ folder })
      const ctx = { ...contextOf(organization.id, service), ...services }
      const runner = createTaskRunner(services, { [kind]: run }, { ...options, leaseMs })
      runners.push(runner)
      return { runner, queue: () => queueKind(ctx, kind) }
    }

    test('is reported, and the task fails', async () => {
      let runs = 0
      const { runner, queue } = await startRun(async ({ assertLease }) => {
        runs++
        await new Promise((done) => setTimeout(done, 20))
        compute(600)
        assertLease()
        return { status: 'completed' }
      }, LONG_MS)
      const { id } = await queue()
      runner.start()
      await until(id, (task) => expect(task.status).toBe('failed'))
      const { message } = await listedTask(organization.call, id)
      expect(message).toMatch(/^Given up: the task blocked the service for \d+ s/)
      expect(runs).toBe(1)
    })

    test('does not fail tasks that run beside it', async () => {
      const together = Promise.withResolvers<void>()
      const well = Promise.withResolvers<void>()
      let begun = 0
      let poison = ''
      const { runner, queue } = await startRun(async ({ task, assertLease }) => {
        if (++begun === 2) together.resolve()
        await together.promise
        await new Promise((done) => setTimeout(done, 20))
        if (task.id === poison) {
          // The second run is alone, since of two tasks it is unknown which one blocked.
          if (begun > 2) await well.promise
          compute(600)
        }
        assertLease()
        well.resolve()
        return { status: 'completed', message: 'Well.' }
      }, 1_500)
      const [harmless, harmful] = [await queue(), await queue()]
      poison = harmful.id
      runner.start()
      await until(harmful.id, (task) => expect(task.status).toBe('failed'))
      await until(harmless.id, (task) => expect(task.message).toBe('Well.'))
    })
  })

  describe('whose process dies without a result', () => {
    /** Instances that report nothing after they have taken a task, as if they were dead. */
    async function silent(run: () => TaskRun, kind: string) {
      const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
      const { services } = await startService({ folder })
      const { id } = await queue(kind, { ...contextOf(organization.id, service), ...services })
      const own: TaskRunner[] = []
      const options = { pollMs: 100, beatMs: 60_000, leaseMs: 700 }
      for (let n = 0; n < 9; n++) {
        own.push(createTaskRunner(services, { [kind]: run() }, options))
      }
      for (const runner of own) runner.start()
      runners.push(...own)
      return id
    }

    const ending = (id: string) =>
      vi.waitFor(
        async () => {
          const task = await listedTask(organization.call, id)
          if (!task.completed) throw new Error(`${task.status}: ${task.message}`)
          return task
        },
        { timeout: 60_000, interval: 150 },
      )

    test('fail after three attempts', async () => {
      const over = Promise.withResolvers<void>()
      let runs = 0
      const id = await silent(
        () => async () => {
          runs++
          await over.promise
          return { status: 'completed' }
        },
        newKind(),
      )
      const { status, message } = await ending(id).finally(over.resolve)
      expect(status).toBe('failed')
      expect(message).toContain('the process that ran the task ended 3 times without progress')
      expect(runs).toBe(3)
    })

    test('continue as long as each attempt makes progress', async () => {
      const over = Promise.withResolvers<void>()
      let runs = 0
      const id = await silent(
        () =>
          async ({ ctx, task, progress }) => {
            if (++runs === 8) return { status: 'completed', message: 'At last.' }
            progress({ percentCompleted: runs })
            // A sign of life as soon as the instance holds the task.
            setImmediate(() => {
              for (const one of runningTasksOf(ctx.elastic)) if (one.id === task.id) one.beat()
            })
            await over.promise
            return { status: 'completed' }
          },
        newKind(),
      )
      expect(await ending(id).finally(over.resolve)).toMatchObject({ message: 'At last.' })
    })
  })

  test('run at most two at a time per organization, then it is another’s turn', async () => {
    const kind = newKind()
    const release = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    const ids = await Promise.all(Array.from({ length: 5 }, () => queue(kind)))
    const run: TaskRun = async () => {
      most = Math.max(most, ++running)
      await release.promise
      running--
      return { status: 'completed' }
    }
    // No slot may wait for the next poll.
    const runner = start(kind, run, service, 24 * 3_600_000)
    await vi.waitUntil(() => running === 2, { timeout: 60_000 })
    const other = await newOrganization(service)
    await queue(kind, contextOf(other.id, service))
    runner.wake()
    await vi.waitUntil(() => running === 3, { timeout: 60_000 })
    release.resolve()
    for (const { id } of ids) await until(id, (task) => expect(task.status).toBe('completed'))
    expect(most).toBe(3)
  })
})

describe('tasks with the same target', () => {
  /** A run that records when each task begins and ends. */
  function noted(names: Readonly<Record<string, string>>) {
    const lines: string[] = []
    const release = Promise.withResolvers<void>()
    const run: TaskRun = async ({ task }) => {
      lines.push(`${names[task.id]} begins`)
      await release.promise
      lines.push(`${names[task.id]} ends`)
      return { status: 'completed' }
    }
    return { lines, run, release: release.resolve }
  }

  test('run one after the other on two instances, while other targets have their turn', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
    const instances = await Promise.all([1, 2].map(() => startService({ folder })))
    const kind = newKind()
    const ctx = contextOf(organization.id, instances[0]!)
    const names: Record<string, string> = {}
    for (const name of ['c/1', 'c/2', 'c/3', 'd/1']) {
      const target = `${organization.id}/${name[0]}`
      names[(await queueKind(ctx, kind, target)).id] = name
    }
    const { lines, run, release } = noted(names)
    for (const instance of instances) start(kind, run, instance)
    await vi.waitUntil(() => lines.length === 2, { timeout: 60_000 })
    expect(lines.toSorted()).toEqual(['c/1 begins', 'd/1 begins'])
    expect(await listedTask(organization.call, Object.keys(names)[1]!)).toMatchObject({
      status: 'queued',
    })
    release()
    for (const id of Object.keys(names)) {
      await until(id, (task) => expect(task.status).toBe('completed'))
    }
    // One that an instance put back because another ran may come later than those after it.
    const ofC = lines.filter((line) => line.startsWith('c/'))
    const begun = ofC.filter((line) => line.endsWith('begins'))
    expect(begun.toSorted()).toEqual(['c/1 begins', 'c/2 begins', 'c/3 begins'])
    expect(ofC).toEqual(begun.flatMap((line) => [line, line.replace('begins', 'ends')]))
    await Promise.all(instances.map((instance) => instance.stop()))
  })

  test('are not due while one runs on this instance that the index still shows as queued', async () => {
    const kind = newKind()
    const ctx = contextOf(organization.id, service)
    const target = `${organization.id}/e`
    const [first, second] = [await queueKind(ctx, kind, target), await queueKind(ctx, kind, target)]
    const due = async (here: { id: string; target: string }[]) => {
      const found = await dueTasks(service.services, [kind], { watch: createLeaseWatch(), here })
      return found.map(({ id }) => id)
    }
    expect(await due([])).toEqual([first.id])
    expect(await due([{ id: first.id, target: 'other' }])).toEqual([second.id])
    expect(await due([{ id: first.id, target }])).toEqual([])
  })

  test('that are claimed at the same moment do not both run', async () => {
    const kind = newKind()
    const ctx = contextOf(organization.id, service)
    const target = `${organization.id}/race`
    const queued = [await queueKind(ctx, kind, target), await queueKind(ctx, kind, target)]
    const { lines, run, release } = noted({ [queued[0]!.id]: '1', [queued[1]!.id]: '2' })
    const timing = { leaseMs: LONG_MS, beatMs: 100 }
    const taken = await Promise.all(
      queued.map(({ id }) =>
        claimTask(
          service.services,
          { id, organization: organization.id, family: organization.id },
          { holder: id, watch: createLeaseWatch(), ...timing },
        ),
      ),
    )
    const slot = createTaskSlots({ concurrency: 3, slotReleaseMs: 1_000 }).take(organization.id)
    const executions = taken.map((one) =>
      execute({ services: service.services, run, taken: one!, slot, ...timing }),
    )
    await Promise.race(executions.map(({ done }) => done))
    expect(lines.length).toBeLessThan(2)
    release()
    await Promise.all(executions.map(({ done }) => done))
    start(kind, run)
    for (const { id } of queued) await until(id, (task) => expect(task.status).toBe('completed'))
    expect(lines).toHaveLength(4)
    expect(lines[1]).toBe(lines[0]!.replace('begins', 'ends'))
  })
})

describe('cancelled tasks', () => {
  const cancel = (id: string, call = organization.call) =>
    call(`PUT /api/tasks/${id}`, { body: { cancelled: true } })

  test('never start if they are queued', async () => {
    const kind = newKind()
    const { id } = await queue(kind)
    expect((await cancel(id)).body).toMatchObject({ success: true, taskId: id })
    expect(await listedTask(organization.call, id)).toMatchObject({
      status: 'cancelled',
      completed: true,
      success: false,
    })
    expect((await cancel(id)).status).toBe(200)
  })

  test('never start if they were cancelled before their instance began', async () => {
    const { services } = service
    const { id } = await queue(newKind())
    const due = { id, organization: organization.id, family: organization.id }
    const timing = { leaseMs: LONG_MS, beatMs: 60_000 }
    const lease = { holder: 'h', watch: createLeaseWatch(), ...timing }
    const taken = await claimTask(services, due, lease)
    await cancel(id)
    const stored = await tasksOf(services, organization.id).get(id)
    const run = vi.fn<TaskRun>(async () => ({ status: 'completed' }))
    const slot = createTaskSlots({ concurrency: 3, slotReleaseMs: 1_000 }).take(organization.id)
    const cancelled = { ...taken!, stored: stored! }
    await execute({ services, run, taken: cancelled, slot, ...timing }).done
    expect(run).not.toHaveBeenCalled()
    expect(await listedTask(organization.call, id)).toMatchObject({
      status: 'cancelled',
      message: 'Cancelled.',
    })
  })

  test('stop within seconds if they are running, and keep their report', async () => {
    const kind = newKind()
    const { id } = await queue(kind)
    start(kind, async ({ progress, isCancelled }) => {
      await vi.waitUntil(isCancelled, { timeout: 60_000, interval: 10 })
      progress({ counts: { processed: 3, created: 3, updated: 0, unchanged: 0, rejected: 0 } })
      return { status: 'stopped', message: 'Cancelled after 3 rows.' }
    })
    await until(id, (task) => expect(task.status).toBe('running'))
    const asked = performance.now()
    await cancel(id)
    await until(id, (task) =>
      expect(task).toMatchObject({
        status: 'cancelled',
        created: 3,
        message: 'Cancelled after 3 rows.',
      }),
    )
    expect(performance.now() - asked).toBeLessThan(20_000)
  })

  test('stay completed if they have ended', async () => {
    const kind = newKind()
    const { id } = await queue(kind)
    start(kind, async () => ({ status: 'completed' }))
    await until(id, (task) => expect(task.status).toBe('completed'))
    const answer = await cancel(id)
    expect(answer.status).toBe(409)
    expect(answer.body.message).toBe('cancelled: the task is already completed')
  })
})
