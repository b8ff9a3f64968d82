import { all, term } from '../elastic/clauses.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { documentsOf } from './store.ts'

interface Room {
  readonly kind: 'item' | 'field'
  readonly workspace: string
  readonly added: number
}

const MOST = { item: limits.workspaceItems, field: limits.workspaceFields }

/** Throws Invalid. Requests at the same time may pass it together: it bounds growth. */
export async function checkRoom(ctx: Context, { kind, workspace, added }: Room): Promise<void> {
  const { elastic, signal, organization } = ctx
  const documents = documentsOf(ctx, organization.id)
  const query = all([term('kind', kind), term('workspace', workspace)])
  const most = MOST[kind] - added
  if ((await documents.count(query, { signal })) <= most) return
  // What was deleted a moment ago is still counted until then.
  await refreshIndex(elastic, documents.place.kind, { signal })
  if ((await documents.count(query, { signal })) <= most) return
  throw new Invalid(`A workspace has at most ${MOST[kind]} ${kind}s.`)
}
