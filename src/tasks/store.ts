import { searchWithinBytes } from '../elastic/byte-limited-search.ts'
import { changeDocument } from '../elastic/change-document.ts'
import { term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { Conflict, NotFound, TooManyRequests } from '../errors.ts'
import { fileUrl } from '../files/store.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { requestTrace } from '../platform/request-trace.ts'
import { sealedAddress } from './callback-address.ts'
import { checkTaskInput } from './check-input.ts'
import { runningTasksOf } from './running-tasks.ts'
import type { TaskShape, TasksQuery, TaskUpdate } from './schemas.ts'
import { finishedAs, isFinished, noRowCounts, type Task } from './task.ts'

export const tasksOf = ({ elastic }: Services, organization: string): Collection<Task> =>
  collection<Task>(elastic, { kind: 'tasks', scope: [organization] })

export interface NewTask extends Pick<Task, 'kind' | 'source' | 'sourceType' | 'target' | 'input'> {
  /** Id of work that may be queued repeatedly: a duplicate throws Conflict. Absent: random. */
  readonly id?: string
  /** Checked by outbound.check. */
  readonly callbackUrl?: string | null
}

/**
 * Queues a task for the caller; it starts as soon as an instance has a slot. Throws Invalid when its
 * input is too large, TooManyRequests when too many of the organization are queued.
 */
export async function queueTask(ctx: Context, newTask: NewTask): Promise<Task> {
  const { caller, organization, signal } = ctx
  checkTaskInput(newTask.input)
  // Tasks with an id are queued by the service itself, as a consequence of earlier ones.
  if (newTask.id === undefined) await checkQueue(ctx)
  const id = newTask.id ?? crypto.randomUUID()
  const url = newTask.callbackUrl ?? null
  const trace = requestTrace.getStore()?.span?.headers.traceparent
  const task: Task = {
    ...newTask,
    id,
    status: 'queued',
    store: await ctx.files.id(),
    lease: null,
    checkpoint: null,
    counts: noRowCounts,
    percentCompleted: 0,
    message: 'Waiting to start.',
    createDate: ctx.clock.now().toISOString(),
    finished: null,
    reviewed: false,
    dismissed: false,
    cancelRequested: false,
    confirmed: false,
    rejectsFile: null,
    username: caller.username,
    keyId: caller.keyId,
    origin: { caller, organization },
    ...(trace ? { trace } : {}),
    callbackUrl:
      url === null ? null : sealedAddress(ctx, { organization: organization.id, taskId: id, url }),
    callbackDue: url !== null,
  }
  await tasksOf(ctx, organization.id).create(task.id, task, { signal, refresh: true })
  ctx.wakeTasks()
  return task
}

async function checkQueue(ctx: Context): Promise<void> {
  const tasks = tasksOf(ctx, ctx.organization.id)
  const queued = await tasks.count(term('status', 'queued'), { signal: ctx.signal })
  if (queued < limits.queuedTasks) return
  throw new TooManyRequests(
    `An organization has at most ${limits.queuedTasks} waiting tasks. Try again when some have started.`,
    QUEUE_SECONDS,
  )
}

/** Seconds after which to try again. */
const QUEUE_SECONDS = 60

/** An import key sees the tasks that it queued; other keys see all tasks of the organization. */
const visibleTo = ({ caller }: Context, task: Pick<Task, 'keyId'>): boolean =>
  caller.keyType !== 'import' || task.keyId === caller.keyId

/** The fields in a list of tasks; the checkpoint may be large and is left out. */
const LISTED = [
  'id',
  'status',
  'message',
  'source',
  'sourceType',
  'store',
  'createDate',
  'reviewed',
  'dismissed',
  'percentCompleted',
  'counts',
  'rejectsFile',
  'file',
  'columns',
  'warnings',
] as const
export type ListedTask = Pick<Task, (typeof LISTED)[number]>

export const toTaskShape = (services: Services, task: ListedTask): TaskShape => ({
  id: task.id,
  status: task.status,
  message: task.message,
  source: task.source,
  sourceType: task.sourceType,
  createDate: task.createDate,
  completed: isFinished(task),
  success: task.status === 'completed',
  reviewed: task.reviewed,
  dismissed: task.dismissed,
  percentCompleted: task.percentCompleted,
  removed: 0,
  hidden: 0,
  deleted: 0,
  ...task.counts,
  rejectsUrl: task.rejectsFile === null ? null : fileUrl(services, task.rejectsFile),
  fileUrl: task.file === undefined ? null : fileUrl(services, task.file),
  ...(task.columns ? { columns: [...task.columns] } : {}),
  ...(task.warnings && task.warnings.length > 0 ? { warnings: [...task.warnings] } : {}),
})

/** The newest tasks of the organization. */
export async function listTasks(ctx: Context, listing: TasksQuery): Promise<ListedTask[]> {
  const { signal, caller } = ctx
  const tasks = tasksOf(ctx, ctx.organization.id)
  const found = await searchWithinBytes(
    tasks,
    {
      size: limits.listedTasks,
      _source: [...LISTED],
      sort: [{ createDate: 'desc' }, { id: 'asc' }],
      query: {
        bool: {
          filter: caller.keyType === 'import' ? [term('keyId', caller.keyId)] : [],
          must_not: listing.includeDismissed ? [] : [term('dismissed', true)],
        },
      },
    },
    { signal, most: limits.answerBytes },
  )
  if (!listing.fetchUpdates) return found
  const current = await withLatestProgress(ctx, found)
  return current.filter((task) => listing.includeDismissed || !task.dismissed)
}

/**
 * A search shows how tasks ended and were marked, but not their latest progress. Running ones are
 * taken from this instance's memory, or read again when another instance runs them.
 */
async function withLatestProgress(
  ctx: Context,
  found: readonly ListedTask[],
): Promise<ListedTask[]> {
  const organization = ctx.organization.id
  const held = [...runningTasksOf(ctx.elastic)].filter((one) => one.organization === organization)
  const latest = (task: ListedTask): ListedTask | undefined => {
    if (isFinished(task)) return task
    const { reviewed, dismissed } = task
    const run = held.find(({ id }) => id === task.id)?.latest()
    return run && { ...run, reviewed, dismissed }
  }
  const known = found.map(latest)
  const others = found.filter((_, at) => !known[at]).map(({ id }) => id)
  const options = { signal: ctx.signal, source: LISTED, most: Number.POSITIVE_INFINITY }
  const read = await tasksOf(ctx, organization).getMany(others, options)
  return known.flatMap((task) => task ?? read.shift()?.source ?? [])
}

/** One task, however old. Throws NotFound. */
export async function readTask(ctx: Context, id: string): Promise<ListedTask> {
  const tasks = tasksOf(ctx, ctx.organization.id)
  const found = await tasks.get(id, { signal: ctx.signal, source: [...LISTED, 'keyId'] })
  if (!found || !visibleTo(ctx, found.source)) throw new NotFound('Task')
  return found.source
}

/** Marks, confirms or cancels a task. Throws NotFound, and Conflict when it is too late. */
export async function updateTask(ctx: Context, id: string, update: TaskUpdate): Promise<Task> {
  const change = (task: Task | undefined) => {
    if (!task || !visibleTo(ctx, task)) throw new NotFound('Task')
    return updated(ctx, task, update)
  }
  const options = { signal: ctx.signal, refresh: true } as const
  const task = await changeDocument(tasksOf(ctx, ctx.organization.id), id, change, options)
  if (task.status === 'queued') ctx.wakeTasks()
  if (task.status === 'running' && task.cancelRequested) {
    for (const one of runningTasksOf(ctx.elastic)) if (one.id === id) one.beat()
  }
  if (task.callbackDue && isFinished(task)) ctx.wakeCallbacks()
  return task
}

function updated({ clock }: Context, task: Task, update: TaskUpdate): Task {
  const marked = {
    ...task,
    reviewed: update.reviewed ?? task.reviewed,
    dismissed: update.dismissed ?? task.dismissed,
  }
  if (!update.cancelled) return update.confirmed ? confirmed(marked, update) : marked
  if (task.status === 'cancelled') return marked
  if (isFinished(task)) throw new Conflict(`cancelled: the task is already ${task.status}`)
  if (task.status === 'running') return { ...marked, cancelRequested: true }
  return {
    ...marked,
    ...finishedAs('cancelled', clock.now()),
    cancelRequested: true,
    message: `${task.lease === null ? 'Cancelled before it started.' : 'Cancelled.'}${askedBefore(task)}`,
  }
}

const askedBefore = ({ status, message }: Task): string =>
  status === 'waiting' ? ` It was waiting for confirmation: ${message}` : ''

/** Confirming the same question twice is harmless. */
function confirmed(task: Task, { message }: Pick<TaskUpdate, 'message'>): Task {
  if (task.status === 'waiting') {
    if (typeof message === 'string' && message !== task.message) {
      throw new Conflict('message: the task now asks a different question')
    }
    return {
      ...task,
      status: 'queued',
      confirmed: true,
      message: 'Confirmed. Waiting to continue.',
    }
  }
  if (task.confirmed) return task
  throw new Conflict(`confirmed: the task is ${task.status} and does not need confirmation`)
}
