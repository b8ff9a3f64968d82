import type { BulkBody } from '../../elastic/bulk-body.ts'
import type { Elastic } from '../../elastic/client.ts'
import type { Collection, Stored } from '../../elastic/collection.ts'
import type { ProductDocument } from '../../products/product.ts'
import type { ProductRows } from './product-rows.ts'

/** The stored version that a write replaces. */
type ReplacedVersion = Pick<Stored<unknown>, 'seqNo' | 'primaryTerm'>

/** A product that is to be stored; its line is in the body of the batch. */
export interface ProductDraft {
  readonly group: ProductRows
  /** Only where it has log entries to move: most documents need not be kept for that. */
  readonly logged: ProductDocument | undefined
  /** Places of its points in the batch: the first one, and behind the last. */
  readonly pointsFrom: number
  readonly pointsTo: number
}

/** The drafts of a batch in the order of their lines; undefined where one was dropped. */
export interface DraftBatch {
  readonly drafts: (ProductDraft | undefined)[]
  readonly body: BulkBody
  /** Points of Insights about their offers, which are sent first. */
  readonly points: BulkBody
}

/** Places of the drafts that are to be sent. */
export const placesOf = ({ drafts }: DraftBatch): number[] => {
  const places: number[] = []
  for (let place = 0; place < drafts.length; place++) if (drafts[place]) places.push(place)
  return places
}

/** Places of the points that belong to these drafts. */
export function pointPlacesOf({ drafts }: DraftBatch): number[] {
  const places: number[] = []
  for (const draft of drafts) {
    const to = draft?.pointsTo ?? 0
    for (let place = draft?.pointsFrom ?? 0; place < to; place++) places.push(place)
  }
  return places
}

/** A stored draft with log entries, and as which version it was stored. */
export interface LoggedWrite extends ReplacedVersion {
  readonly id: string
  readonly document: ProductDocument
}

/** Action lines of `_bulk` for the products of one catalog, refused when a product was changed. */
export function createActions(
  elastic: Elastic,
  { place, documentId }: Pick<Collection<object>, 'place' | 'documentId'>,
) {
  const index = JSON.stringify(elastic.indexName(place.kind))
  const where = `"_index":${index},"routing":${JSON.stringify(place.routing)}`
  return {
    creating: (id: string) => `{"create":{${where},"_id":"${documentId(id)}"}}`,
    replacing: (id: string, { seqNo, primaryTerm }: ReplacedVersion) =>
      `{"index":{${where},"_id":"${documentId(id)}","if_seq_no":${seqNo},"if_primary_term":${primaryTerm}}}`,
  }
}
