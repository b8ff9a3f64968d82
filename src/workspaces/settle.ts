import { type BulkItem, bulk } from '../elastic/bulk.ts'
import { all, term } from '../elastic/clauses.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { countingLine } from './batches.ts'
import { itemOf } from './lines.ts'
import { itemsOf } from './places.ts'
import { type BatchPlace, readVerdict, verdictKey, verdictsOf } from './verdicts.ts'

/** Written, gone, or changed by somebody else, who settled it. */
const SETTLED = [200, 201, 404, 409]

/**
 * Takes the marks of a decided batch from its items, then its verdict. A search finds all of them,
 * since the verdict is stored after the items; one that comes late finds no verdict and is dropped.
 */
export async function settleBatch(services: Services, place: BatchPlace): Promise<void> {
  const { elastic } = services
  const verdict = await readVerdict(services, place)
  if (verdict === undefined) return
  const items = itemsOf(services, place.organization)
  const _index = elastic.indexName(items.place.kind)
  await refreshIndex(elastic, items.place.kind)
  const answer = await items.search({
    query: all([term('kind', 'item'), term('batch', place.batch)])!,
    size: limits.workspaceItems,
    seq_no_primary_term: true,
  })
  const changes = answer.hits.hits.map((hit): BulkItem => {
    const found = { if_seq_no: hit._seq_no, if_primary_term: hit._primary_term }
    const target = { _index, _id: hit._id, routing: items.place.routing, ...found }
    const line = countingLine(hit._source!, verdict)
    if (!line) return { action: JSON.stringify({ delete: target }) }
    const document = { scope: items.place.scope, ...itemOf(line) }
    return { action: JSON.stringify({ index: target }), document: JSON.stringify(document) }
  })
  const results = await bulk(elastic, changes)
  if (results.every(({ status }) => SETTLED.includes(status))) {
    await verdictsOf(services, place.organization).remove(verdictKey(place.batch))
  }
}
