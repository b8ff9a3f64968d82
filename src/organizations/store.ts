import { searchWithinBytes } from '../elastic/byte-limited-search.ts'
import { all, anyOf, none, some, term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { SearchBody } from '../elastic/search.ts'
import { Conflict } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerContext, Services } from '../operation.ts'
import { slicesOf } from '../platform/slices.ts'
import { type Family, isOrganizationId, type Member, type Organization } from './organization.ts'

export const organizationsOf = ({ elastic }: Pick<Services, 'elastic'>): Collection<Organization> =>
  collection<Organization>(elastic, { kind: 'organizations', scope: [] })

/** The organization as it was at most two seconds ago; undefined for an unknown or malformed id. */
export async function readOrganization(
  services: Services,
  id: string,
  signal?: AbortSignal,
): Promise<Organization | undefined> {
  if (!isOrganizationId(id)) return undefined
  return services.cache.get('organization', id, () => currentOrganization(services, id), { signal })
}

/** The organization as it is now. */
export async function currentOrganization(
  services: Pick<Services, 'elastic'>,
  id: string,
  signal?: AbortSignal,
): Promise<Organization | undefined> {
  if (!isOrganizationId(id)) return undefined
  return (await organizationsOf(services).get(id, { signal }))?.source
}

/** An organization with its parent, read by `read`. */
export async function familyOf(
  services: Services,
  id: string,
  { read = readOrganization, signal }: { read?: typeof readOrganization; signal?: AbortSignal },
): Promise<Family | undefined> {
  const organization = await read(services, id, signal)
  if (!organization) return undefined
  const parent =
    organization.parent === null ? undefined : await read(services, organization.parent, signal)
  return { organization, parent: parent ?? null }
}

/**
 * Drops an organization and its parent from the cache, so that the next read sees their current
 * state.
 */
export async function forgetFamily(services: Services, id: string): Promise<void> {
  const known = await readOrganization(services, id)
  for (const one of [id, known?.parent]) if (one) services.cache.drop('organization', one)
}

/** Throws Conflict when the id is taken. */
export async function createOrganization(
  ctx: CallerContext,
  organization: Organization,
): Promise<void> {
  const { id } = organization
  await organizationsOf(ctx)
    .create(id, organization, { signal: ctx.signal, refresh: true })
    .catch((error: unknown) => {
      if (!(error instanceof Conflict)) throw error
      throw new Conflict(`id: an organization with the id ${id} already exists`)
    })
  forgetOrganization(ctx, organization)
}

/**
 * Drops an organization from this instance's cache after a change. Other instances see the change
 * after two seconds.
 */
export function forgetOrganization(
  { cache }: Services,
  after: Organization,
  before?: Organization,
): void {
  cache.drop('organization', after.id)
  const names = (organization?: Organization) =>
    new Set(organization?.users.map(({ username }) => username))
  const [now, then] = [names(after), names(before)]
  const moved = [...now, ...then].filter((name) => now.has(name) !== then.has(name))
  for (const name of moved) cache.drop('memberships', name)
}

/** Ids of the organizations that have the user as a member of their own; the first thousand. */
export async function membershipsOf(
  services: Services,
  username: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const load = async () => {
    const ids = await idsOf(services, { query: term('users.username', username) })
    return ids.length > 0 ? ids : undefined
  }
  const found = await services.cache.get('memberships', username, load, { signal })
  return found ?? []
}

/** What gives access to an organization: itself, its parent, or a user that is its member. */
export interface AccessPaths {
  readonly homes: readonly string[]
  readonly username?: string | undefined
}

/**
 * Ids of the first ten organizations with that id or name to which one of `ways` leads, in order of
 * id. Others are not read at all, so that they take no longer than missing ones.
 */
export async function reachable(
  services: Services,
  { id, name }: { readonly id?: string; readonly name?: string },
  { ways, signal }: { ways: AccessPaths; signal?: AbortSignal },
): Promise<string[]> {
  const meant = some([id ? term('id', id) : undefined, name ? term('name', name) : undefined])
  const { homes, username } = ways
  const led = some([
    anyOf('id', homes),
    anyOf('parent', homes),
    username === undefined ? undefined : term('users.username', username),
  ])
  const query = all([meant, led ?? none([{ match_all: {} }])])!
  return idsOf(services, { query, size: 10 }, signal)
}

/** The only organization of the service; undefined when there is none or there are several. */
export async function soleOrganization(
  services: Services,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const [first, second] = await idsOf(services, { size: 2 }, signal)
  return second === undefined ? first : undefined
}

async function idsOf(services: Services, body: SearchBody, signal?: AbortSignal) {
  const found = await organizationsOf(services).find(
    { size: limits.resultWindow / 10, sort: BY_ID, _source: ['id'], ...body },
    { signal },
  )
  return found.map(({ id }) => id)
}

const BY_ID = [{ id: 'asc' as const }]

const under = (id: string) => ({ query: term('parent', id), size: limits.childOrganizations })

/** Ids of the sub-organizations of an organization. */
export async function childrenOf(ctx: CallerContext, id: string): Promise<string[]> {
  return idsOf(ctx, under(id), ctx.signal)
}

export type WithMembers = Pick<Organization, 'id' | 'userLimit'> & {
  readonly users: readonly Pick<Member, 'username'>[]
}

/** The sub-organizations of an organization, with only the names of their users. */
export async function membersUnder(
  services: Services,
  id: string,
  signal: AbortSignal,
): Promise<WithMembers[]> {
  const found = await searchWithinBytes(
    organizationsOf(services),
    { ...under(id), sort: BY_ID, _source: ['id', 'userLimit', 'users.username'] },
    { signal, most: Number.POSITIVE_INFINITY },
  )
  // An organization without users has no list.
  return found.map((one) => ({ ...one, users: one.users ?? [] }))
}

/**
 * The sub-organizations with such a user of their own, with only the names and identities of their
 * users.
 */
export const childrenNaming = (
  services: Services,
  id: string,
  { username, signal }: { readonly username: string; readonly signal: AbortSignal },
): Promise<Pick<Organization, 'users'>[]> =>
  searchWithinBytes(
    organizationsOf(services),
    {
      query: all([term('parent', id), term('users.username', username)])!,
      size: limits.childOrganizations,
      sort: BY_ID,
      _source: ['users.username', 'users.identity.hash'],
    },
    { signal, most: Number.POSITIVE_INFINITY },
  )

export const countChildren = (ctx: CallerContext, id: string): Promise<number> =>
  organizationsOf(ctx).count(term('parent', id), { signal: ctx.signal })

/** Organizations that are read at once: one with many users has several megabytes. */
const READ_AT_ONCE = 10

/** Organizations in or below `ids`, by id, with up to limits.listedUsers users; null: all. */
export async function listOrganizations(
  ctx: CallerContext,
  ids: readonly string[] | null,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ organizations: Organization[]; total: number }> {
  const query = ids === null ? undefined : some([anyOf('id', ids), anyOf('parent', ids)])
  if (ids !== null && query === undefined) return { organizations: [], total: 0 }
  const answer = await organizationsOf(ctx).search(
    {
      ...(query ? { query } : {}),
      from: page * pageSize,
      size: pageSize,
      sort: BY_ID,
      _source: ['id'],
      track_total_hits: true,
    },
    { signal: ctx.signal },
  )
  const { total } = answer.hits
  return {
    organizations: await readShortened(
      ctx,
      answer.hits.hits.map((hit) => hit._source!.id),
    ),
    total: typeof total === 'number' ? total : (total?.value ?? 0),
  }
}

async function readShortened(ctx: CallerContext, ids: readonly string[]): Promise<Organization[]> {
  const organizations: Organization[] = []
  for (const slice of slicesOf(ids, READ_AT_ONCE)) {
    const found = await organizationsOf(ctx).getMany(slice, { signal: ctx.signal })
    for (const one of found) {
      if (!one) continue
      const { users, ...rest } = one.source
      organizations.push({ ...rest, users: users.slice(0, limits.listedUsers) })
    }
  }
  return organizations
}
