import { searchWithinBytes } from '../elastic/byte-limited-search.ts'
import { all, anyOf, type Clause, none, range, term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { Query } from '../elastic/search.ts'
import { Conflict, ignoring, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerContext, Services } from '../operation.ts'
import { retryWhileStale } from '../platform/retry.ts'
import { slicesOf } from '../platform/slices.ts'
import type { Key, KeyFacts } from './key.ts'

const keys = ({ elastic }: Services): Collection<Key> =>
  collection<Key>(elastic, { kind: 'keys', scope: [] })

/** The key with this hash as it was at most two seconds ago. */
export async function findKey(
  services: Services,
  hash: string,
  signal: AbortSignal,
): Promise<Key | undefined> {
  return services.cache.get('key', hash, () => currentKey(services, hash), { signal })
}

/** The key with this hash as it is now. */
export const currentKey = async (
  services: Services,
  hash: string,
  signal?: AbortSignal,
): Promise<Key | undefined> => (await keys(services).get(hash, { signal }))?.source

/** The hash of the key with this id, which never changes. */
export const hashById = (
  services: Services,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> =>
  services.cache.get(
    'key id',
    id,
    async () => {
      const query = { query: term('id', id), size: 1, _source: ['hash'] }
      return (await keys(services).find(query))[0]?.hash
    },
    { signal },
  )

/** Stores a key, which is listed at once. Throws Conflict when the very same key exists. */
export async function createKey(services: Services, key: Key, signal?: AbortSignal): Promise<void> {
  await keys(services).create(key.hash, key, { refresh: true, signal })
}

/** Matches keys of punchout sessions, which are created and removed automatically. */
const ofSession: Query = { exists: { field: 'session.id' } }

/** Whose keys: all of an organization, those of one user in it, or the operators'. */
export interface KeyOwner {
  readonly organization: string | null
  readonly username?: string
}

const ownedBy = ({ organization, username }: KeyOwner): Clause[] => [
  organization === null ? term('reach', 'operator') : term('organization', organization),
  username === undefined ? undefined : term('username', username),
]

const newestFirst = [{ created: 'desc' as const }, { id: 'asc' as const }]

/** The newest keys first, disabled and expired ones included: as many as one answer holds. */
export const listKeys = (ctx: CallerContext, owner: KeyOwner): Promise<Key[]> =>
  searchWithinBytes(
    keys(ctx),
    { query: all(ownedBy(owner))!, size: limits.listedKeys, sort: newestFirst },
    { signal: ctx.signal, most: limits.answerBytes },
  )

/** The names and reach of keys by id. Ids of no key are left out. */
export async function keysById(
  ctx: CallerContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeyFacts>> {
  const query = anyOf('id', ids)
  if (!query) return new Map()
  const found = await keys(ctx).find(
    { query, size: limits.listedKeys, _source: ['id', 'name', 'reach', 'organization'] },
    { signal: ctx.signal },
  )
  return new Map(found.map((key) => [key.id, key]))
}

const MEMBERSHIP = 'membership.exact'

/**
 * How many keys of a membership are neither disabled nor expired. Below `limits.keysPerUser`, those
 * of earlier memberships of the user are counted as well. Keys may be large, so only those that were
 * stored before their memberships were indexed are read.
 */
export async function countActiveKeys(
  ctx: CallerContext,
  { membership, ...owner }: KeyOwner & Pick<Key, 'membership'>,
): Promise<number> {
  const expired = none([range('expires', null, ctx.clock.now().getTime())])
  const active = [...ownedBy(owner), term('enabled', true), expired, none([ofSession])]
  const count = (more: readonly Clause[] = []) =>
    keys(ctx).count(all([...active, ...more])!, { signal: ctx.signal })
  const ofAll = await count()
  if (ofAll < limits.keysPerUser || membership === null) return ofAll
  const indexed = await count([term(MEMBERSHIP, membership)])
  const older = await keys(ctx).find(
    {
      query: all([...active, none([{ exists: { field: MEMBERSHIP } }])])!,
      size: limits.keysPerUser,
      sort: newestFirst,
      _source: ['membership'],
    },
    { signal: ctx.signal },
  )
  return indexed + older.filter((key) => key.membership === membership).length
}

/**
 * Disables a key of the owner. Disabling twice changes nothing: only one caller gets `ended`, and
 * that answer must not be lost.
 */
export async function endKey(
  ctx: CallerContext,
  id: string,
  owner: KeyOwner,
): Promise<'unknown' | 'ended' | 'ended before'> {
  const { signal } = ctx
  const [key] = await keys(ctx).find(
    { query: all([...ownedBy(owner), term('id', id)])!, size: 1 },
    { signal },
  )
  if (!key) return 'unknown'
  const { hash } = key
  try {
    return await retryWhileStale(signal, async () => {
      const found = await keys(ctx).get(hash, { signal })
      if (!found?.source.enabled) return 'ended before'
      const disabled = { ...found.source, enabled: false }
      ctx.noteChange?.({ before: found.source, after: disabled })
      try {
        await keys(ctx).replace(hash, disabled, found, { signal, refresh: true })
      } catch (error) {
        const isUnclear = error instanceof Unavailable
        if (!isUnclear || (await currentKey(ctx, hash, signal))?.enabled !== false) throw error
      }
      return 'ended'
    })
  } finally {
    // Needed also when the answer was lost, since the write may be stored.
    ctx.cache.drop('key', hash)
  }
}

/** Keys that are removed at once, which share refreshes. */
const REMOVED_AT_ONCE = 16

/** Removes the keys of sessions that are over. */
export async function removeSessionKeys(services: Services): Promise<void> {
  const over = await keys(services).find({
    query: all([ofSession, range('expires', null, services.clock.now().getTime())])!,
    size: limits.listedKeys,
    _source: ['hash'],
  })
  for (const some of slicesOf(over, REMOVED_AT_ONCE)) {
    await Promise.all(some.map(({ hash }) => removeKey(services, hash)))
  }
}

/** Removes a key that nobody received. */
export async function removeKey(services: Services, hash: string): Promise<void> {
  await keys(services).remove(hash, { refresh: true })
}

const MARK = 'first-operator'

/** The mark that names the first operator key, so that no start creates another. */
const marks = ({ elastic }: Services) =>
  collection<{ id: string; created: string }>(elastic, { kind: 'keys', scope: [] })

export const hasOperator = async (services: Services): Promise<boolean> =>
  (await marks(services).get(MARK)) !== undefined

/** Whether the key with this id is the first; false when another instance was faster. */
export async function markOperator(services: Services, id: string): Promise<boolean> {
  const mark = { id, created: services.clock.now().toISOString() }
  if (await marks(services).create(MARK, mark).catch(ignoring(Conflict))) return true
  return (await marks(services).get(MARK))?.source.id === id
}
