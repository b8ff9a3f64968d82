import type { BulkBody } from '../../elastic/bulk-body.ts'
import type { Elastic } from '../../elastic/client.ts'
import type { Collection, Stored } from '../../elastic/collection.ts'
import { Invalid } from '../../errors.ts'
import { checkSize } from '../../products/patch.ts'
import type { ProductDocument } from '../../products/product.ts'

/** The stored version that a write replaces. */
type ReplacedVersion = Pick<Stored<unknown>, 'seqNo' | 'primaryTerm'>

/** One product that is written, and how many wishes there are about it. */
export interface WrittenProduct {
  readonly id: string
  readonly size: number
}

/** What becomes of a product. */
export interface Applied<Outcome> {
  /** What to store; undefined when nothing changes. */
  readonly document: ProductDocument | undefined
  /** The product goes: `document` is what it was at last, whose entries the log must hold first. */
  readonly removes?: boolean
  /** Whether it must be known what is stored: a draft that was made without looking does not count. */
  readonly isUnseen?: boolean
  /** One for each wish, in order. */
  readonly outcomes: readonly Outcome[]
}

/** A product that is to be stored or removed; its line is in the body of the batch. */
export interface ProductDraft<Group extends WrittenProduct> {
  readonly group: Group
  readonly removes: boolean
  /** Places of its log entries in the batch: the first one, and behind the last. */
  readonly loggedFrom: number
  readonly loggedTo: number
  /** Places of its points in the batch: the first one, and behind the last. */
  readonly pointsFrom: number
  readonly pointsTo: number
}

/** The drafts of a batch in the order of their lines; undefined where one was dropped. */
export interface DraftBatch<Group extends WrittenProduct> {
  /** Of the index that its lines are for. */
  actions: ProductActions
  readonly drafts: (ProductDraft<Group> | undefined)[]
  readonly body: BulkBody
  /** Products that go: their log entries are stored first. */
  readonly leaving: ProductDocument[]
  /** Points of Insights about their offers, which are sent first. */
  readonly points: BulkBody
  /** Log entries, and the points in them, which are sent once their products are stored. */
  readonly log: BulkBody
}

/** Places of the drafts that are to be sent. */
export const placesOf = ({ drafts }: DraftBatch<WrittenProduct>): number[] => {
  const places: number[] = []
  for (let place = 0; place < drafts.length; place++) if (drafts[place]) places.push(place)
  return places
}

/** Places of the points that belong to these drafts. */
export function pointPlacesOf({ drafts }: DraftBatch<WrittenProduct>): number[] {
  const places: number[] = []
  for (const draft of drafts) {
    const to = draft?.pointsTo ?? 0
    for (let place = draft?.pointsFrom ?? 0; place < to; place++) places.push(place)
  }
  return places
}

export const isLogged = ({ loggedFrom, loggedTo }: ProductDraft<WrittenProduct>): boolean =>
  loggedTo > loggedFrom

/** A stored draft with log entries, by its place, and as which version it was stored. */
export interface LoggedWrite extends ReplacedVersion {
  readonly place: number
}

export type ProductActions = ReturnType<typeof createActions>

/** Action lines of `_bulk` for the products of one catalog, refused when a product was changed. */
export function createActions(
  elastic: Elastic,
  { place, documentId }: Pick<Collection<object>, 'place' | 'documentId'>,
) {
  const { routing, shards } = place
  const parts = { _index: elastic.indexName(place.kind), ...(routing ? { routing } : {}) }
  const where = JSON.stringify(parts).slice(1, -1)
  const existing = shards === undefined ? where : `${where},"require_alias":true`
  return {
    kind: place.kind,
    creating: (id: string) => `{"create":{${existing},"_id":"${documentId(id)}"}}`,
    replacing: (id: string, { seqNo, primaryTerm }: ReplacedVersion) =>
      `{"index":{${existing},"_id":"${documentId(id)}","if_seq_no":${seqNo},"if_primary_term":${primaryTerm}}}`,
    removing: (id: string, { seqNo, primaryTerm }: ReplacedVersion) =>
      `{"delete":{${where},"_id":"${documentId(id)}","if_seq_no":${seqNo},"if_primary_term":${primaryTerm}}}`,
  }
}

/** The groups without a complete draft; drafts that lack wishes are dropped. */
export function withoutReady<Group extends WrittenProduct>(
  groups: readonly Group[],
  { drafts }: DraftBatch<Group>,
  outcomes: ReadonlyMap<Group, readonly unknown[]>,
) {
  const isReady = (group: Group) => outcomes.get(group)?.length === group.size
  for (const [place, draft] of drafts.entries()) {
    if (draft && !isReady(draft.group)) drafts[place] = undefined
  }
  return groups.filter((group) => !isReady(group))
}

/** Why a product cannot be stored; undefined where it can. */
export function tooLarge({ product }: ProductDocument): string | undefined {
  try {
    checkSize(product)
    return undefined
  } catch (error) {
    if (error instanceof Invalid) return error.message.replace(/^body: /, '')
    throw error
  }
}
