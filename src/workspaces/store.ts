import { all, none, term } from '../elastic/clauses.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { CallOptions } from '../elastic/place.ts'
import { Conflict, Invalid, NotFound, Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { whileStale } from '../platform/retry.ts'
import { token } from '../text.ts'
import { isWorkspaceId, type WorkspaceDocument } from './workspace.ts'

/** One organization's documents of a kind; all in one shard, so that a search sees one moment. */
export const documentsOf = <T extends object>(
  { elastic }: Pick<Services, 'elastic'>,
  organization: string,
): Collection<T> =>
  collection<T>(elastic, { kind: 'workspaces', scope: [organization], routed: true })

export const workspacesOf = (services: Pick<Services, 'elastic'>, organization: string) =>
  documentsOf<WorkspaceDocument>(services, organization)

export const nameKey = (name: string): string => token('name', name)

export const missingWorkspace = () => new NotFound('Workspace')

const living = [term('kind', 'workspace'), none([{ exists: { field: 'deleted' } }])]

/** The workspace with this id or name; undefined when there is none. Sees every write. */
async function findWorkspace(ctx: Context, text: string): Promise<WorkspaceDocument | undefined> {
  const { organization, signal } = ctx
  const workspaces = workspacesOf(ctx, organization.id)
  const name = isWorkspaceId(text) ? await nameOf(ctx, organization.id, text, { signal }) : text
  const found = name && (await workspaces.get(nameKey(name), { signal }))?.source
  if (!found || found.deleted !== null) return undefined
  return name === text || found.id === text ? found : undefined
}

/** The name never changes, but the workspace may be gone since: ask for it by name. */
const nameOf = (services: Services, organization: string, id: string, options: CallOptions = {}) =>
  services.cache.get('workspace', token(organization, id), async () => {
    const answer = await workspacesOf(services, organization).search(
      { query: all([...living, term('id', id)])!, size: 1, track_total_hits: false },
      options,
    )
    return answer.hits.hits[0]?._source?.name
  })

/** As findWorkspace. The key of a session reaches its own only. Throws NotFound. */
export const openWorkspace = async (ctx: Context, text: string): Promise<WorkspaceDocument> =>
  reached(ctx, await findWorkspace(ctx, text))

function reached({ caller }: Context, found: WorkspaceDocument | undefined): WorkspaceDocument {
  const isForeign = caller.session && caller.session.workspace !== found?.id
  if (!found || isForeign) throw missingWorkspace()
  return found
}

/** Opens the workspace of this name, or makes it. Throws NotFound for an id that there is not. */
export async function ensureWorkspace(ctx: Context, text: string): Promise<WorkspaceDocument> {
  const found = await findWorkspace(ctx, text)
  if (found || isWorkspaceId(text) || ctx.caller.session) return reached(ctx, found)
  try {
    return await createWorkspace(ctx, newWorkspace(ctx, text))
  } catch (error) {
    if (error instanceof Conflict) return openWorkspace(ctx, text)
    throw error
  }
}

export const newWorkspace = (
  { clock, caller }: Pick<Context, 'clock' | 'caller'>,
  name: string,
): WorkspaceDocument => ({
  kind: 'workspace',
  id: crypto.randomUUID(),
  name,
  active: true,
  session: null,
  username: caller.username,
  deleted: null,
  gone: [],
  changed: clock.now().toISOString(),
})

/** Found by id and listed at once. Throws Conflict for a taken name, Invalid when there are too many. */
export async function createWorkspace(
  ctx: Context,
  workspace: WorkspaceDocument,
): Promise<WorkspaceDocument> {
  // Requests at the same time may pass it together: it bounds growth, nobody is billed by it.
  if ((await countWorkspaces(ctx)) >= limits.workspaces) {
    throw new Invalid(`An organization has at most ${limits.workspaces} workspaces.`)
  }
  await storeWorkspace(ctx, ctx.organization.id, workspace, ctx.signal)
  return workspace
}

const countWorkspaces = (ctx: Context): Promise<number> =>
  workspacesOf(ctx, ctx.organization.id).count(
    all([...living, none([{ exists: { field: 'session' } }])]),
    { signal: ctx.signal },
  )

/** Stores a new workspace. Throws Conflict for a taken name. */
export function storeWorkspace(
  services: Services,
  organization: string,
  workspace: WorkspaceDocument,
  signal: AbortSignal,
): Promise<void> {
  const workspaces = workspacesOf(services, organization)
  const key = nameKey(workspace.name)
  const options = { signal, refresh: true } as const
  return whileStale(signal, async () => {
    const at = await workspaces.get(key, { signal })
    // Found after an answer was lost: it is the very one.
    if (at?.source.id === workspace.id) return
    if (at && at.source.deleted === null) {
      throw new Conflict(`name: a workspace is called ${workspace.name} already.`)
    }
    const gone = at ? [...at.source.gone, at.source.id] : []
    try {
      if (at) await workspaces.replace(key, { ...workspace, gone }, at, options)
      else await workspaces.create(key, workspace, options)
    } catch (error) {
      if (error instanceof Conflict) throw new Stale()
      if (!(error instanceof Unavailable)) throw error
      const stored = await workspaces.get(key, { signal })
      if (stored?.source.id !== workspace.id) throw error
    }
  })
}

/** Gone at once; its items are removed later. Answers false when it is gone already. */
export function deleteWorkspace(
  services: Services,
  organization: string,
  { id, name }: Pick<WorkspaceDocument, 'id' | 'name'>,
  signal: AbortSignal,
): Promise<boolean> {
  const workspaces = workspacesOf(services, organization)
  return whileStale(signal, async () => {
    const at = await workspaces.get(nameKey(name), { signal })
    if (at?.source.id !== id || at.source.deleted !== null) return false
    const now = services.clock.now().toISOString()
    const deleted = { ...at.source, active: false, deleted: now, changed: now }
    try {
      await workspaces.replace(nameKey(name), deleted, at, { signal, refresh: true })
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      const stored = await workspaces.get(nameKey(name), { signal })
      if (stored?.source.id === id && stored.source.deleted === null) throw error
    }
    return true
  })
}

/** The organization's workspaces by name, without those of punchout sessions. */
export async function listWorkspaces(ctx: Context): Promise<WorkspaceDocument[]> {
  const answer = await workspacesOf(ctx, ctx.organization.id).search(
    {
      query: all([...living, none([{ exists: { field: 'session' } }])])!,
      size: limits.workspaces,
      sort: [{ name: 'asc' }],
      track_total_hits: false,
    },
    { signal: ctx.signal },
  )
  return answer.hits.hits.map((hit) => hit._source!)
}
