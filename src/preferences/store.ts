import type { Elastic } from '../elastic/client.ts'
import {
  type CoalescingWriter,
  createCoalescingWriter,
  documentInTurn,
} from '../elastic/coalescing-writer.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'

/** What a user saves in an organization: one list for each kind, each in its own document. */
export interface Preferences {
  readonly searches: {
    readonly name: string
    readonly catalog: string
    readonly search: Readonly<Record<string, unknown>>
  }
  readonly columns: { readonly page: string; readonly names: readonly string[] }
}

type PreferenceKind = keyof Preferences

interface PreferenceList<K extends PreferenceKind> {
  readonly items: readonly Preferences[K][]
}

const listOf = <K extends PreferenceKind>({
  elastic,
  organization,
  caller,
}: Context): Collection<PreferenceList<K>> =>
  collection<PreferenceList<K>>(elastic, {
    kind: 'preferences',
    scope: [organization.id, caller.username],
  })

/** The caller's list of a kind. */
export async function readPreferences<K extends PreferenceKind>(
  ctx: Context,
  kind: K,
): Promise<readonly Preferences[K][]> {
  const found = await listOf<K>(ctx).get(kind, { signal: ctx.signal })
  return found?.source.items ?? []
}

const writerOf = memoizeWeak<Elastic, CoalescingWriter<PreferenceList<PreferenceKind>>>(() =>
  createCoalescingWriter(),
)

/** Characters of a list from which its writes take turns. */
const HEAVY = limits.preferenceBytes / 4

/** Changes the caller's list of a kind. `change` may throw; it returns the same list to skip. */
export async function changePreferences<K extends PreferenceKind>(
  ctx: Context,
  kind: K,
  change: (items: readonly Preferences[K][]) => readonly Preferences[K][],
): Promise<void> {
  await writerOf(ctx.elastic).change(
    documentInTurn(ctx.elastic, listOf<PreferenceKind>(ctx), kind, HEAVY),
    (list) => {
      const items = (list?.items ?? []) as readonly Preferences[K][]
      const next = change(items)
      return next === items ? list : { items: next }
    },
    ctx.signal,
  )
}
