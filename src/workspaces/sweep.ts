import { bulk } from '../elastic/bulk.ts'
import { all, anyOf, some, term } from '../elastic/clauses.ts'
import type { Stored } from '../elastic/collection.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { type Query, search } from '../elastic/search.ts'
import { Stale, Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { BATCH_MS } from './batches.ts'
import { settleBatch } from './settle.ts'
import { documentsOf, nameKey, workspacesOf } from './store.ts'
import { decide } from './verdicts.ts'
import type { ItemDocument, VerdictDocument, WorkspaceDocument } from './workspace.ts'

const PAGE = 1_000
const GONE = [200, 404, 409]

type Scoped<T> = T & { readonly scope: string }

/** Of every organization: what instances that went away left. */
export async function sweepWorkspaces(services: Services): Promise<void> {
  await sweepBatches(services)
  await sweepDeleted(services)
}

const find = async <T>({ elastic }: Services, query: Query): Promise<Scoped<T>[]> => {
  const place = { kind: 'workspaces', scope: null }
  const answer = await search<Scoped<T>>(elastic, place, { query, size: PAGE })
  return answer.hits.hits.map((hit) => hit._source!)
}

const past = ({ clock }: Services, field: string, ms: number): Query => ({
  range: { [field]: { lte: new Date(clock.now().getTime() - ms).toISOString() } },
})

/** Decides batches that were broken off, and settles those that were decided. */
async function sweepBatches(services: Services): Promise<void> {
  const left = await find<ItemDocument | VerdictDocument>(
    services,
    past(services, 'since', 2 * BATCH_MS),
  )
  const places = new Map(
    left.map((one) => {
      const batch = one.kind === 'item' ? one.batch! : one.id
      return [batch, { organization: one.scope, workspace: one.workspace, batch }]
    }),
  )
  for (const place of places.values()) {
    await decide(services, place, 'dropped')
    await settleBatch(services, place)
  }
}

/** Removes the documents of deleted workspaces, once nobody writes to them any more. */
async function sweepDeleted(services: Services): Promise<void> {
  const left = await find<WorkspaceDocument>(
    services,
    all([
      term('kind', 'workspace'),
      past(services, 'changed', limits.catalogRemovalMs),
      some([{ exists: { field: 'deleted' } }, { exists: { field: 'gone' } }]),
    ])!,
  )
  if (left.length > 0) await refreshIndex(services.elastic, 'workspaces')
  for (const { scope, name, changed } of left) {
    const at = await workspacesOf(services, scope).get(nameKey(name))
    if (at?.source.changed === changed) await removeLeft(services, scope, at)
  }
}

async function removeLeft(
  services: Services,
  scope: string,
  at: Stored<WorkspaceDocument>,
): Promise<void> {
  const { name, id, deleted, gone } = at.source
  await removeContents(services, scope, deleted === null ? gone : [...gone, id])
  const workspaces = workspacesOf(services, scope)
  try {
    if (deleted !== null) await workspaces.remove(nameKey(name), { at })
    else await workspaces.replace(nameKey(name), { ...at.source, gone: [] }, at)
  } catch (error) {
    // Changed meanwhile: it is found again.
    if (!(error instanceof Stale)) throw error
  }
}

async function removeContents(services: Services, scope: string, ids: readonly string[]) {
  const { elastic } = services
  const documents = documentsOf<ItemDocument>(services, scope)
  const { place } = documents
  const query = anyOf('workspace', ids)
  if (!query) return
  for (;;) {
    const answer = await documents.search({ query, size: PAGE, _source: false, sort: ['_doc'] })
    const { hits } = answer.hits
    if (hits.length === 0) return
    const _index = elastic.indexName(place.kind)
    const results = await bulk(
      elastic,
      hits.map(({ _id }) => ({
        action: JSON.stringify({ delete: { _index, _id, routing: place.routing } }),
      })),
      { refresh: true },
    )
    const failed = results.find(({ status }) => !GONE.includes(status))
    if (failed) throw new Unavailable(`A workspace item was not removed: ${failed.reason ?? ''}`)
  }
}
