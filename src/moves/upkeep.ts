import { removeShared } from '../catalogs/removal.ts'
import { type CatalogDocument, catalogsOf } from '../catalogs/store.ts'
import { bucketsIn } from '../elastic/answer-parts.ts'
import { all, some, term } from '../elastic/clauses.ts'
import { deleteOwnIndex, PRODUCTS } from '../elastic/own-index.ts'
import { inAllScopes, type Scoped } from '../elastic/scan.ts'
import { search } from '../elastic/search.ts'
import { Conflict, ignoring } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { backgroundContext } from '../organizations/background-context.ts'
import { OPERATOR } from '../organizations/organization.ts'
import { familyOf } from '../organizations/store.ts'
import { rootOf } from '../platform/load-owner.ts'
import { logFailure } from '../platform/log.ts'
import { queueTask, tasksOf } from '../tasks/store.ts'
import { isFinished } from '../tasks/task.ts'
import { MOVE_KIND, type MoveJob, moveTarget } from './job.ts'
import { changeCatalog, needsOnlyCleanup, otherRequestedMove } from './marks.ts'

const PER_ROUND = 100
/** Milliseconds after which a call returns, so that it never delays a stop. */
const SLICE_MS = 3_000

type StoredCatalog = Scoped<CatalogDocument>

/** Begins requested moves, and cleans up after ended ones. */
export async function settleMoves(services: Services): Promise<void> {
  const deadline = performance.now() + SLICE_MS
  const catalogs = inAllScopes<CatalogDocument>(services.elastic, 'catalogs')
  const query = some(['move.task', 'wanted.id'].map((field) => ({ exists: { field } })))!
  for (const catalog of await catalogs.find({
    query,
    size: PER_ROUND,
    sort: [{ created: 'asc' }],
  })) {
    // Moves of a deleted catalog are cleaned up with it.
    if (catalog.deleted) continue
    const work = catalog.move ? clearAway(services, catalog, deadline) : begin(services, catalog)
    await work.catch((error: unknown) => logFailure(services.log, 'move a catalog', error))
    if (performance.now() >= deadline) return
  }
}

const keyOf = ({ scope: root, name }: StoredCatalog) => ({ root, name })

async function hasEnded(services: Services, { owner }: StoredCatalog, task: string) {
  const found = await tasksOf(services, owner).get(task)
  return !found || isFinished(found.source)
}

/** Removes the unused products, once no request that opened the catalog before can use them. */
async function clearAway(services: Services, catalog: StoredCatalog, deadline: number) {
  const move = catalog.move!
  const now = services.clock.now()
  if (!needsOnlyCleanup(move)) {
    if (!(await hasEnded(services, catalog, move.task))) return
    // From now on, the last holder of the move cannot complete it.
    await changeCatalog(services, keyOf(catalog), (document) =>
      document.move?.task === move.task && !needsOnlyCleanup(document.move)
        ? { ...document, move: { ...move, fence: -1, phase: 'undone', at: now.toISOString() } }
        : document,
    )
    return
  }
  if (Date.parse(move.at) + limits.catalogRemovalMs > now.getTime()) return
  const left = move.phase === 'flipped' ? move.from : move.to
  // Another instance may have done it, and the catalog may have moved again since.
  const isDue = async () => {
    const found = (await catalogsOf(services, catalog.scope).get(catalog.name))?.source
    if (!found || found.ownIndex?.kind === left?.kind) return false
    return found.move?.task === move.task && found.move.phase === move.phase
  }
  if (left && (await isDue())) await deleteOwnIndex(services.elastic, left)
  const removal = { catalog, root: catalog.scope, isDue, deadline }
  if (!left && !(await removeShared(services, removal))) return
  await changeCatalog(services, keyOf(catalog), (document) => {
    if (document.move?.task !== move.task) return document
    return { ...document, move: null, wanted: otherRequestedMove(document, move.task) }
  })
}

/** Queues the task of a requested move, once. Drops a request that is fulfilled or has failed. */
async function begin(services: Services, catalog: StoredCatalog): Promise<void> {
  const { owner, name, scope: root, ownIndex, wanted } = catalog
  if (!wanted) return
  const isFulfilled = (ownIndex?.shards ?? 0) === wanted.shards
  const queued = await tasksOf(services, owner).get(wanted.id)
  if (isFulfilled || (queued && isFinished(queued.source))) {
    await changeCatalog(services, keyOf(catalog), (document) =>
      document.wanted?.id === wanted.id ? { ...document, wanted: null } : document,
    )
    return
  }
  const family = queued ? undefined : await familyOf(services, owner, {})
  if (!family) return
  const ctx = backgroundContext(services, family, { username: OPERATOR, role: 'administrator' })
  const input: MoveJob = { root, name, shards: wanted.shards }
  await queueTask(ctx, {
    id: wanted.id,
    kind: MOVE_KIND,
    source: name,
    sourceType: 'move',
    target: moveTarget(owner, name),
    input,
  }).catch(ignoring(Conflict))
}

const LOOKED_AT = 100
/** Milliseconds until an automatic move that failed, or was cancelled, is tried again. */
const AGAIN_MS = 24 * 60 * 60 * 1_000

/**
 * Whether a move ended recently. Copying a large catalog takes hours, and a failed move would
 * likely fail again.
 */
async function wasTriedLately(services: Services, owner: string, name: string): Promise<boolean> {
  const since = new Date(services.clock.now().getTime() - AGAIN_MS).toISOString()
  const ended = { range: { finished: { gte: since } } }
  const query = all([term('target', moveTarget(owner, name)), ended])
  return (await tasksOf(services, owner).count(query)) > 0
}

/**
 * Requests an own index for each catalog that has outgrown the shared one, unless an operator chose
 * the shared one, in which case `ownIndex` is null and not absent.
 */
export async function moveOutgrown(
  services: Services,
  most: number = limits.sharedCatalogProducts,
): Promise<void> {
  const answer = await search(
    services.elastic,
    { kind: PRODUCTS, scope: null },
    {
      size: 0,
      track_total_hits: false,
      aggs: { catalogs: { terms: { field: 'scope', size: LOOKED_AT, min_doc_count: most + 1 } } },
    },
  )
  for (const { key, doc_count: products } of bucketsIn(answer, 'catalogs')) {
    const [owner, name] = key.split('/') as [string, string]
    const shards = Math.min(limits.catalogShards, Math.ceil(products / most))
    const family = await familyOf(services, owner, {})
    if (!family || (await wasTriedLately(services, owner, name))) continue
    const root = rootOf(family.organization)
    await changeCatalog(services, { root, name }, (document) =>
      document.ownIndex !== undefined ||
      document.move ||
      document.wanted ||
      document.owner !== owner
        ? document
        : { ...document, wanted: { id: crypto.randomUUID(), shards } },
    ).catch((error: unknown) => logFailure(services.log, 'move a catalog', error))
  }
}
