import { type Collection, collection } from '../elastic/collection.ts'
import { Conflict, Stale } from '../errors.ts'
import type { Context } from '../operation.ts'
import { createBatches } from '../platform/batches.ts'
import { whileStale } from '../platform/retry.ts'

/** What a user keeps in an organization: a list of each kind, in one document. */
export interface Preferences {
  readonly searches: {
    readonly name: string
    readonly catalog: string
    readonly search: Readonly<Record<string, unknown>>
  }
  readonly columns: { readonly page: string; readonly names: readonly string[] }
}

type Kind = keyof Preferences

interface List<K extends Kind> {
  readonly items: readonly Preferences[K][]
}

const listOf = <K extends Kind>({ elastic, organization, caller }: Context): Collection<List<K>> =>
  collection<List<K>>(elastic, { kind: 'preferences', scope: [organization.id, caller.username] })

/** The caller's list of a kind. */
export async function readPreferences<K extends Kind>(
  ctx: Context,
  kind: K,
): Promise<readonly Preferences[K][]> {
  const found = await listOf<K>(ctx).get(kind, { signal: ctx.signal })
  return found?.source.items ?? []
}

/** A user's requests take turns, so that many at once do not make each other start anew. */
const turns = createBatches<() => Promise<void>>()

/** Changes the caller's list of a kind; `change` may throw, and answers the same list for no change. */
export function changePreferences<K extends Kind>(
  ctx: Context,
  kind: K,
  change: (items: readonly Preferences[K][]) => readonly Preferences[K][],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const turn = () => write(ctx, kind, change).then(resolve, reject)
  turns.add(listOf(ctx).documentId(kind), turn, async (batch) => {
    for (const next of batch) await next()
  })
  return promise
}

async function write<K extends Kind>(
  ctx: Context,
  kind: K,
  change: (items: readonly Preferences[K][]) => readonly Preferences[K][],
): Promise<void> {
  const { signal } = ctx
  signal.throwIfAborted()
  const list = listOf<K>(ctx)
  await whileStale(signal, async () => {
    const found = await list.get(kind, { signal })
    const before = found?.source.items ?? []
    const items = change(before)
    if (items === before) return
    if (found) await list.replace(kind, { items }, found, { signal })
    else await list.create(kind, { items }, { signal }).catch(asStale)
  })
}

/** Another request made the list in between. */
function asStale(error: unknown): never {
  throw error instanceof Conflict ? new Stale() : error
}
