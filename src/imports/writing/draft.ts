import type { BulkBody } from '../../elastic/bulk-body.ts'
import type { Stored } from '../../elastic/collection.ts'
import type { ProductDocument } from '../../products/product.ts'
import type { ProductRows } from './product-rows.ts'

/** Which stored version a write replaces. */
export type ReplacedVersion = Pick<Stored<unknown>, 'seqNo' | 'primaryTerm'>

/** A product that is to be stored; its line is in the body of the batch. */
export interface ProductDraft {
  readonly group: ProductRows
  /** Only where it has log entries to move: most documents need not be kept for that. */
  readonly logged: ProductDocument | undefined
  /** Places of its points in the batch: the first one, and behind the last. */
  readonly pointsFrom: number
  readonly pointsTo: number
}

/** What is sent of a batch: drafts in the order of their lines, undefined where one was dropped. */
export interface DraftBatch {
  readonly drafts: (ProductDraft | undefined)[]
  readonly body: BulkBody
  /** What is told of their offers first. */
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
