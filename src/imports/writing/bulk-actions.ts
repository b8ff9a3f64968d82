import type { Elastic } from '../../elastic/client.ts'
import type { Collection } from '../../elastic/collection.ts'
import type { ReplacedVersion } from './draft.ts'

/** Action lines of `_bulk` for the products of one catalog. */
export interface Actions {
  /** Refused when the product exists. */
  creating(id: string): string
  /** Refused when the product is no longer the version that was read. */
  replacing(id: string, version: ReplacedVersion): string
}

export function createActions(
  elastic: Elastic,
  { place, documentId }: Pick<Collection<object>, 'place' | 'documentId'>,
): Actions {
  const index = JSON.stringify(elastic.indexName(place.kind))
  const where = `"_index":${index},"routing":${JSON.stringify(place.routing)}`
  return {
    creating: (id) => `{"create":{${where},"_id":"${documentId(id)}"}}`,
    replacing: (id, { seqNo, primaryTerm }) =>
      `{"index":{${where},"_id":"${documentId(id)}","if_seq_no":${seqNo},"if_primary_term":${primaryTerm}}}`,
  }
}
