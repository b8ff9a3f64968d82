import { none, term } from '../elastic/clauses.ts'
import type { Elastic } from '../elastic/client.ts'
import {
  type CoalescingWriter,
  createCoalescingWriter,
  type DocumentChange,
  documentInTurn,
} from '../elastic/coalescing-writer.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { Conflict, ignoring, NotFound } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context, Services } from '../operation.ts'
import { checkLimit } from '../platform/limited-creation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import { token } from '../text.ts'
import { emptyWorkspace } from './changes.ts'
import { isWorkspaceId, type WorkspaceDocument } from './workspace.ts'

/**
 * The workspaces of an organization, all in one shard, so that a search sees a consistent state.
 */
export const workspacesOf = (
  { elastic }: Pick<Services, 'elastic'>,
  organization: string,
): Collection<WorkspaceDocument> =>
  collection(elastic, { kind: 'workspaces', scope: [organization], routed: true })

const documentIdOf = (name: string): string => token('name', name)

export const missingWorkspace = () => new NotFound('Workspace')

/** Matches the workspaces that are listed and counted, without those of punchout sessions. */
export const ordinaryWorkspaces = none([{ exists: { field: 'session' } }])!

/** The fields that identify a workspace, which is all that changes need. */
type WorkspaceIdentity = Pick<WorkspaceDocument, 'id' | 'name'>

const IDENTITY = ['id', 'name']

/** The workspace with this id or name; undefined when there is none. Sees every write. */
async function findWorkspace(
  ctx: Context,
  text: string,
  source?: readonly string[],
): Promise<WorkspaceDocument | undefined> {
  const { organization, signal } = ctx
  const name = isWorkspaceId(text) ? await nameOf(ctx, text) : text
  if (name === undefined) return undefined
  const open = workspacesOf(ctx, organization.id)
  const found = await open.get(documentIdOf(name), { signal, source })
  return name === text || found?.source.id === text ? found?.source : undefined
}

/**
 * The name of a workspace. It never changes, but the workspace may be gone since, so it is then
 * read by its name.
 */
const nameOf = (ctx: Context, id: string): Promise<string | undefined> =>
  ctx.cache.get(
    'workspace',
    token(ctx.organization.id, id),
    async () => {
      const named = { query: term('id', id), size: 1, _source: ['name'] }
      return (await workspacesOf(ctx, ctx.organization.id).find(named))[0]?.name
    },
    { signal: ctx.signal },
  )

/** Sees acknowledged writes. A punchout session's key reaches its own only. Throws NotFound. */
export const openWorkspace = async (ctx: Context, text: string): Promise<WorkspaceDocument> =>
  reachable(ctx, await findWorkspace(ctx, text))

/** Like openWorkspace, without reading its items. */
export const identifyWorkspace = async (ctx: Context, text: string): Promise<WorkspaceIdentity> =>
  reachable(ctx, await findWorkspace(ctx, text, IDENTITY))

function reachable<T extends WorkspaceIdentity>({ caller }: Context, found: T | undefined): T {
  const isForeign = caller.session && caller.session.workspace !== found?.id
  if (!found || isForeign) throw missingWorkspace()
  return found
}

/** Finds the workspace of this name, or creates it. Throws NotFound for an unknown id. */
export async function ensureWorkspace(ctx: Context, text: string): Promise<WorkspaceIdentity> {
  const found = await findWorkspace(ctx, text, IDENTITY)
  if (found || isWorkspaceId(text) || ctx.caller.session) return reachable(ctx, found)
  const made = await createWorkspace(ctx, text).catch(ignoring(Conflict))
  return made ?? identifyWorkspace(ctx, text)
}

/**
 * Creates an empty workspace. Throws Conflict for a taken name, Invalid when there are too many.
 */
export async function createWorkspace(ctx: Context, name: string): Promise<WorkspaceDocument> {
  const { organization, caller, signal } = ctx
  checkLimit(
    await workspacesOf(ctx, organization.id).count(ordinaryWorkspaces, { signal }),
    limits.workspaces,
    `An organization has at most ${limits.workspaces} workspaces.`,
  )
  const workspace = emptyWorkspace({
    id: crypto.randomUUID(),
    name,
    session: null,
    username: caller.username,
  })
  await storeWorkspace(ctx, organization.id, workspace, signal)
  return workspace
}

const writerOf = memoizeWeak<Elastic, CoalescingWriter<WorkspaceDocument>>(() =>
  createCoalescingWriter({ repeatsLost: true }),
)

const change = (
  services: Services,
  { organization, name }: { organization: string; name: string },
  by: DocumentChange<WorkspaceDocument>,
  signal: AbortSignal,
) => {
  const { elastic } = services
  const open = workspacesOf(services, organization)
  const id = documentIdOf(name)
  return writerOf(elastic).change(documentInTurn(elastic, open, id), by, signal)
}

/** Stores a new workspace, unless it is stored already. Throws Conflict for a taken name. */
export async function storeWorkspace(
  services: Services,
  organization: string,
  workspace: WorkspaceDocument,
  signal: AbortSignal,
): Promise<void> {
  const { id, name } = workspace
  await change(
    services,
    { organization, name },
    (found) => {
      if (!found || found.id === id) return found ?? workspace
      throw new Conflict(`name: a workspace with the name ${name} already exists`)
    },
    signal,
  )
}

/** Changes a workspace that was opened. Throws NotFound when it is gone, and what `by` throws. */
export async function changeWorkspace(
  ctx: Context,
  { id, name }: WorkspaceIdentity,
  by: (workspace: WorkspaceDocument, isRepeated: boolean) => WorkspaceDocument,
): Promise<void> {
  const { organization, signal } = ctx
  await change(
    ctx,
    { organization: organization.id, name },
    (found, isRepeated) => {
      if (found?.id !== id) throw missingWorkspace()
      return by(found, isRepeated)
    },
    signal,
  )
}

/** Like changeWorkspace, by id or name, without reading the workspace first. */
export async function changeWorkspaceCalled(
  ctx: Context,
  text: string,
  by: (workspace: WorkspaceDocument, isRepeated: boolean) => WorkspaceDocument,
): Promise<void> {
  const { organization, signal } = ctx
  const name = isWorkspaceId(text) ? await nameOf(ctx, text) : text
  if (name === undefined) throw missingWorkspace()
  await change(
    ctx,
    { organization: organization.id, name },
    (found, isRepeated) => {
      const isMeant = name === text || found?.id === text
      return by(reachable(ctx, isMeant ? found : undefined), isRepeated)
    },
    signal,
  )
}

/** Removes a workspace with its items. Returns false when it was gone already. */
export async function deleteWorkspace(
  services: Services,
  organization: string,
  { id, name }: WorkspaceIdentity,
  signal: AbortSignal,
): Promise<boolean> {
  let isDeleted = false
  await change(
    services,
    { organization, name },
    (found, isRepeated) => {
      const exists = found?.id === id
      isDeleted = exists || isRepeated
      return exists ? undefined : found
    },
    signal,
  )
  return isDeleted
}
