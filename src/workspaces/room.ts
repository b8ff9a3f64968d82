import { all, term } from '../elastic/clauses.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { readLines, refreshWorkspaces } from './reading.ts'
import { documentsOf } from './store.ts'

interface Room {
  readonly kind: 'item' | 'field'
  readonly workspace: string
  readonly added: number
}

/** Writes of the last moment that a count may not see yet. */
const UNSEEN = 100

const MOST = { item: limits.workspaceItems, field: limits.workspaceFields }

/** Throws Invalid. Requests at the same time may pass it together: it bounds growth. */
export async function checkRoom(ctx: Context, { kind, workspace, added }: Room): Promise<void> {
  const { signal, organization } = ctx
  const documents = documentsOf(ctx, organization.id)
  const query = all([term('kind', kind), term('workspace', workspace)])
  const most = MOST[kind] - added
  if ((await documents.count(query, { signal })) <= most - UNSEEN) return
  // What was added or deleted a moment ago, or by a batch that was dropped, is counted right here.
  await refreshWorkspaces(ctx)
  const counted =
    kind === 'item'
      ? (await readLines(ctx, [workspace])).length
      : await documents.count(query, { signal })
  if (counted <= most) return
  throw full(kind)
}

export const full = (kind: Room['kind']): Invalid =>
  new Invalid(`A workspace has at most ${MOST[kind]} ${kind}s.`)
