import { countIn } from '../elastic/answer-parts.ts'
import { anyOf, none, present, term } from '../elastic/clauses.ts'
import type { Stored } from '../elastic/collection.ts'
import { refreshCoalesced } from '../elastic/refresh.ts'
import { inAllScopes, type Scoped } from '../elastic/scan.ts'
import type { Query, SearchBody } from '../elastic/search.ts'
import { ignoring, Stale } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { rootOf } from '../platform/load-owner.ts'
import type { LeaseWatch } from './lease-watch.ts'
import type { RunningTask } from './running-tasks.ts'
import { tasksOf } from './store.ts'
import { finishedAs, type Task, type TaskLease } from './task.ts'

/** The id of a task that is due, and its organization. */
export interface DueTask {
  readonly id: string
  readonly organization: string
  /** Its root organization: a parent and its children share slots. */
  readonly family: string
}

const LOOKED_AT = 50
/** Organizations skipped in one search because their families have no slot left. */
const PASSED = 1_000
/** Running tasks of all instances that are counted; each instance runs only a few. */
const RUNNING = 1_000

type ClaimCandidate = Scoped<Pick<Task, 'id' | 'createDate' | 'lease' | 'target' | 'origin'>>

/** The family whose slots a task uses. */
export const taskFamily = ({ origin }: Pick<Task, 'origin'>): string => rootOf(origin.organization)

const allTasks = ({ elastic }: Services) => inAllScopes<Task>(elastic, 'tasks')

/**
 * The oldest due task of each organization (queued, or with a lapsed lease), families and
 * organizations with the fewest running tasks first. Skips tasks whose target is in use and
 * families without a slot here. Returns ids: each task is opened in its own organization.
 */
export async function dueTasks(
  services: Services,
  kinds: readonly string[],
  { watch, hasSlot = () => true, here = [] }: LookOptions,
): Promise<DueTask[]> {
  const ours = [{ terms: { kind: [...kinds] } }, term('store', await services.files.id())]
  const bodyOf = (filter: readonly Query[], more: SearchBody): SearchBody => ({
    _source: LOOKED_FOR,
    sort: [{ createDate: 'asc' }, { id: 'asc' }],
    track_total_hits: false,
    query: { bool: { filter: [...ours, ...filter] } },
    ...more,
  })
  const all = allTasks(services)
  // Mostly nothing is queued, which one search tells.
  const open = await all.search(
    bodyOf([{ terms: { status: ['running', 'queued'] } }], {
      size: RUNNING,
      post_filter: term('status', 'running'),
      aggs: { queued: { filter: term('status', 'queued') } },
    }),
  )
  const running = open.hits.hits.map(({ _source }) => _source!)
  const busy = [...running, ...here].flatMap(({ target }) => target ?? [])
  const ids = here.map(({ id }) => id)
  const oldest = (passed: readonly string[]) => {
    const others = none([anyOf('target', busy), anyOf('scope', passed), anyOf('id', ids)])
    const filter = present([term('status', 'queued'), others])
    return all.find(bodyOf(filter, { size: LOOKED_AT, collapse: { field: 'scope' } }))
  }
  const queued = countIn(open, 'queued') > 0 ? await firstWithSlot(oldest, hasSlot) : []
  watch.keepOnly(running.map(({ id }) => id))
  const lapsed = running.filter(
    ({ id, lease }) => lease && watch.hasLapsed(id, lease) && !ids.includes(id),
  )
  const held = running.filter((task) => !lapsed.includes(task))
  const ofFamily = (one: string) => held.filter((task) => taskFamily(task) === one).length
  const ofOrganization = (one: string) => held.filter(({ scope }) => scope === one).length
  return oldestOfEach([...queued, ...lapsed]).toSorted(
    (a, b) =>
      ofFamily(a.family) - ofFamily(b.family) ||
      ofOrganization(a.organization) - ofOrganization(b.organization),
  )
}

interface LookOptions {
  readonly watch: LeaseWatch
  /** Whether another task of a family may run on this instance. */
  readonly hasSlot?: (family: string) => boolean
  /** Tasks that run on this instance, which are not due, whatever a search still shows. */
  readonly here?: readonly Pick<RunningTask, 'id' | 'target'>[]
}

const LOOKED_FOR = ['id', 'scope', 'createDate', 'lease', 'target', 'origin.organization']

/** The oldest tasks may all belong to a family without a slot: pages on until one can start. */
async function firstWithSlot(
  oldestWithout: (passed: readonly string[]) => Promise<ClaimCandidate[]>,
  hasSlot: (family: string) => boolean,
): Promise<ClaimCandidate[]> {
  const passed: string[] = []
  for (;;) {
    const found = await oldestWithout(passed)
    const startable = found.filter((task) => hasSlot(taskFamily(task)))
    passed.push(...found.map(({ scope }) => scope))
    if (startable.length > 0 || found.length < LOOKED_AT || passed.length >= PASSED) {
      return startable
    }
  }
}

/**
 * Keeps one task per organization and per target, since a child may work on its parent's catalog.
 */
function oldestOfEach(tasks: readonly ClaimCandidate[]): DueTask[] {
  const oldest = new Map<string, ClaimCandidate>()
  const targets = new Set<string>()
  for (const task of tasks.toSorted((a, b) => (a.createDate < b.createDate ? -1 : 1))) {
    if (oldest.has(task.scope) || (task.target && targets.has(task.target))) continue
    oldest.set(task.scope, task)
    if (task.target) targets.add(task.target)
  }
  return [...oldest.values()].map((task) => ({
    id: task.id,
    organization: task.scope,
    family: taskFamily(task),
  }))
}

/**
 * Whether no other task with this target runs. Call it when the task is already stored as running:
 * of two concurrent claims at least one then sees the other.
 */
export async function hasTargetAlone(
  services: Services,
  { id, target, store }: Task,
  signal: AbortSignal,
): Promise<boolean> {
  if (target === null) return true
  await refreshCoalesced(services.elastic, 'tasks', { signal })
  const same = [term('target', target), term('store', store), term('status', 'running')]
  const others = await allTasks(services).count(
    { bool: { filter: same, must_not: [term('id', id)] } },
    { signal },
  )
  return others === 0
}

/** A claimed task. */
export interface ClaimedTask {
  readonly stored: Stored<Task>
  /** The start of its lease, by performance.now(). */
  readonly since: number
}

/**
 * Claims a task; undefined on a conflict. A task that ended its process too often fails instead.
 */
export async function claimTask(
  services: Services,
  due: DueTask,
  { holder, leaseMs, watch }: { holder: string; leaseMs: number; watch: LeaseWatch },
): Promise<ClaimedTask | undefined> {
  const tasks = tasksOf(services, due.organization)
  const found = await tasks.get(due.id)
  if (!found || !isDue(found.source, watch)) return undefined
  const before = found.source.lease
  const since = performance.now()
  const attempts = before && !before.free ? before.attempts + 1 : 1
  const lease: TaskLease = {
    holder,
    fence: (before?.fence ?? 0) + 1,
    beat: 0,
    ms: leaseMs,
    free: false,
    attempts,
  }
  const givenUp = attempts > limits.taskAttempts
  const taken: Task = givenUp
    ? {
        ...found.source,
        ...finishedAs('failed', services.clock.now()),
        message: givenUpText(found.source),
        lease: { ...lease, free: true },
      }
    : {
        ...found.source,
        status: 'running',
        message: before === null ? 'Running.' : found.source.message,
        lease,
      }
  const stored = await tasks.replace(due.id, taken, found).catch(ignoring(Stale))
  return stored && !givenUp ? { stored, since } : undefined
}

const givenUpText = ({ message }: Task): string =>
  `Given up: the process that ran the task ended ${limits.taskAttempts} times without progress. Completed work is kept. Last message: ${message}`

function isDue({ id, status, lease }: Task, watch: LeaseWatch): boolean {
  if (status === 'queued') return true
  return status === 'running' && lease !== null && watch.hasLapsed(id, lease)
}
