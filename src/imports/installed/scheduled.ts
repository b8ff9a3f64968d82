import { term } from '../../elastic/clauses.ts'
import { hashedId, type Stored } from '../../elastic/collection.ts'
import { inAllScopes } from '../../elastic/scan.ts'
import { Conflict, Failure, Stale, Unavailable } from '../../errors.ts'
import type { Installation } from '../../extensions/installation.ts'
import { logRun } from '../../extensions/log.ts'
import { nextRun } from '../../extensions/schedule.ts'
import { installationsOf } from '../../extensions/store.ts'
import type { Context, Role, Services } from '../../operation.ts'
import { backgroundContext } from '../../organizations/background-context.ts'
import { type Family, roleIn } from '../../organizations/organization.ts'
import { familyOf } from '../../organizations/store.ts'
import { logFailure } from '../../platform/log.ts'
import { roundRobin } from '../../platform/round-robin.ts'
import { tasksOf } from '../../tasks/store.ts'
import { isFinished } from '../../tasks/task.ts'
import { startInstalled } from './start.ts'

/** Due imports that are read, and those of them that are started before others are read. */
const DUE = 1_000
const PER_ROUND = 50

/**
 * Starts imports that are due, one of each organization in turn: once per due time among all
 * instances, and once for any number of missed times. Due ids are read across organizations; each
 * installation is then opened in its own.
 */
export async function startDueImports(services: Services): Promise<void> {
  const all = inAllScopes<Installation>(services.elastic, 'installations')
  const now = services.clock.now().toISOString()
  const answer = await all.search({
    size: DUE,
    track_total_hits: false,
    _source: ['id', 'scope'],
    sort: [{ nextRun: 'asc' }, { id: 'asc' }],
    query: { bool: { filter: [term('enabled', true), { range: { nextRun: { lte: now } } }] } },
  })
  const due = answer.hits.hits.map(({ _source }) => _source!)
  for (const { id, scope } of roundRobin(due, ({ scope }) => scope).slice(0, PER_ROUND)) {
    try {
      await startDue(services, scope, id)
    } catch (error) {
      // Another instance handles it, or the next call tries again.
      if (!(error instanceof Stale)) logFailure(services.log, 'start a scheduled import', error)
    }
  }
}

async function startDue(services: Services, organization: string, id: string): Promise<void> {
  const installations = installationsOf(services, organization)
  const found = await installations.get(id)
  const now = services.clock.now()
  const due = found?.source.nextRun
  if (!found?.source.enabled || !due || Date.parse(due) > now.getTime()) return
  const { schedule, timezone } = found.source.settings
  const lastTask = await begin(services, organization, found, due)
  const next = schedule === null ? null : nextRun({ schedule, timezone }, now)
  const after = { ...found.source, lastTask, nextRun: next?.toISOString() ?? null }
  await installations.replace(id, after, found, { refresh: true })
}

/**
 * Starts a run and returns its task. Returns the previous task if it is still running, or if none
 * could begin.
 */
async function begin(
  services: Services,
  organization: string,
  { source }: Stored<Installation>,
  due: string,
): Promise<string | null> {
  const { id, lastTask = null } = source
  const family = await familyOf(services, organization, {})
  if (!family) return lastTask
  const ctx = contextOf(services, family, source)
  // Equal on every instance, so that only one can queue it.
  const taskId = hashedId([organization, id, due])
  const reason =
    lastTask === null || lastTask === taskId ? null : await blockingReason(ctx, lastTask)
  if (reason !== null) {
    await logNotStarted(ctx, source, { taskId, reason })
    return lastTask
  }
  try {
    await startInstalled(ctx, id, {}, taskId)
    return taskId
  } catch (error) {
    if (error instanceof Conflict) return taskId
    if (!(error instanceof Failure) || error instanceof Unavailable) throw error
    await logNotStarted(ctx, source, { taskId, reason: error.message })
    return lastTask
  }
}

/** A personal import runs as long as its user may import. An organization's import always runs. */
function contextOf(services: Services, family: Family, installation: Installation): Context {
  const { level, username } = installation
  const role: Role = level === 'user' ? (roleIn(family, username) ?? 'viewer') : 'editor'
  return backgroundContext(services, family, { username, role })
}

/** The reason why another run cannot begin, or null. */
async function blockingReason(ctx: Context, task: string): Promise<string | null> {
  const found = await tasksOf(ctx, ctx.organization.id).get(task, { signal: ctx.signal })
  if (!found || isFinished(found.source)) return null
  return found.source.status === 'waiting'
    ? 'The previous run is waiting to be confirmed or cancelled.'
    : 'The previous run has not ended yet.'
}

/** Logged once per due time among all instances. */
function logNotStarted(
  ctx: Context,
  { id, extension, settings }: Installation,
  { taskId, reason }: { taskId: string; reason: string },
): Promise<void> {
  return logRun(ctx, {
    id: taskId,
    extensionId: id,
    extensionNickname: settings.nickname ?? extension,
    action: 'run',
    message: 'Not started.',
    errorMessage: reason,
    began: ctx.clock.now(),
  })
}
