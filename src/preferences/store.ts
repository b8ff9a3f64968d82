import { type Collection, collection } from '../elastic/collection.ts'
import type { Context } from '../operation.ts'
import { conflictAsStale, whileStale } from '../platform/retry.ts'
import { createTurns } from '../platform/turns.ts'

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
const turns = createTurns()

/** Changes the caller's list of a kind; `change` may throw, and answers the same list for no change. */
export function changePreferences<K extends Kind>(
  ctx: Context,
  kind: K,
  change: (items: readonly Preferences[K][]) => readonly Preferences[K][],
): Promise<void> {
  return turns.take(listOf(ctx).documentId(kind), () => write(ctx, kind, change))
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
    else await list.create(kind, { items }, { signal }).catch(conflictAsStale)
  })
}
