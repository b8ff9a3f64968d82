import type { Elastic } from '../elastic/client.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { Context } from '../operation.ts'
import {
  applied,
  type ChangeOf,
  type ChangeQueue,
  createChangeQueue,
} from '../platform/change-queue.ts'
import { perOwner } from '../platform/per-owner.ts'
import { conflictAsStale } from '../platform/retry.ts'

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

type Items = readonly Preferences[Kind][]

const queueOf = perOwner<Elastic, ChangeQueue<Items>>(createChangeQueue)

/** Changes the caller's list of a kind; `change` may throw, and answers the same list for no change. */
export async function changePreferences<K extends Kind>(
  ctx: Context,
  kind: K,
  change: (items: readonly Preferences[K][]) => readonly Preferences[K][],
): Promise<void> {
  const list = listOf<Kind>(ctx)
  const wish = { change: change as unknown as ChangeOf<Items>, signal: ctx.signal }
  await queueOf(ctx.elastic).submit(list.documentId(kind), wish, () => async (open) => {
    const found = await list.get(kind)
    const before = found?.source.items ?? []
    const { value: items, tell } = await applied(before, open)
    if (items !== before) {
      if (found) await list.replace(kind, { items }, found)
      else await list.create(kind, { items }).catch(conflictAsStale)
    }
    tell()
  })
}
