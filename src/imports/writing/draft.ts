import { type BulkBody, createBulkBody } from '../../elastic/bulk-body.ts'
import type { Elastic } from '../../elastic/client.ts'
import type { Collection, Stored } from '../../elastic/collection.ts'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { PendingEntries } from '../../products/change-log.ts'
import { valueProblem } from '../../products/distinct-value-limit.ts'
import { checkSize } from '../../products/patch.ts'
import type { ProductDocument } from '../../products/product.ts'

/** The stored version that a write replaces. */
type ReplacedVersion = Pick<Stored<unknown>, 'seqNo' | 'primaryTerm'>

/** A product to write, and the number of changes requested for it. */
export interface WrittenProduct {
  readonly id: string
  readonly size: number
}

/** The result of applying changes to a product. */
export interface Applied<Outcome> {
  /** What to store; undefined when nothing changes. */
  readonly document: ProductDocument | undefined
  /**
   * Whether the product is removed. Then `document` is its last state, whose entries are logged
   * first.
   */
  readonly removes?: boolean
  /** Whether the stored product must be read. A draft that was made without it does not count. */
  readonly isUnseen?: boolean
  /** One for each requested change, in order. */
  readonly outcomes: readonly Outcome[]
}

/** A product to store or remove; its lines are in the body of the batch. */
export interface ProductDraft<Group extends WrittenProduct> {
  readonly group: Group
  readonly removes: boolean
  /** Range of its log entries in the batch; `loggedTo` is exclusive. */
  readonly loggedFrom: number
  readonly loggedTo: number
  /** Range of its points in the batch; `pointsTo` is exclusive. */
  readonly pointsFrom: number
  readonly pointsTo: number
}

/** The drafts of a batch in the order of their lines; undefined for dropped ones. */
export interface DraftBatch<Group extends WrittenProduct> {
  /** Actions for the index to which the lines belong. */
  actions: ProductActions
  readonly drafts: (ProductDraft<Group> | undefined)[]
  readonly body: BulkBody
  /** Log entries of products to remove, which are stored first. */
  readonly leaving: PendingEntries[]
  /** Insights points about their offers, which are sent first. */
  readonly points: BulkBody
  /** Log entries with their points, sent once the products are stored. */
  readonly log: BulkBody
}

/** Batches of drafts whose buffers are used again. */
export function createDraftBatches<Group extends WrittenProduct>() {
  const idle: DraftBatch<Group>[] = []
  const newBatch = (actions: ProductActions): DraftBatch<Group> => {
    const [body, points, log] = [createBulkBody(), createBulkBody(), createBulkBody()]
    return { actions, drafts: [], leaving: [], body, points, log }
  }
  return {
    /** An empty batch. */
    take: (actions: ProductActions): DraftBatch<Group> =>
      Object.assign(idle.pop() ?? newBatch(actions), { actions }),
    giveBack(batch: DraftBatch<Group>): void {
      batch.drafts.length = 0
      batch.leaving.length = 0
      batch.body.clear()
      batch.points.clear()
      batch.log.clear()
      idle.push(batch)
    },
  }
}

/** Positions of the drafts to send. */
export const placesOf = ({ drafts }: DraftBatch<WrittenProduct>): number[] => {
  const places: number[] = []
  for (let place = 0; place < drafts.length; place++) if (drafts[place]) places.push(place)
  return places
}

/** Positions of the points that belong to the drafts. */
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

/** A stored draft with log entries: its position, and the version that was stored. */
export interface LoggedWrite extends ReplacedVersion {
  readonly place: number
}

export type ProductActions = ReturnType<typeof createActions>

/**
 * Action lines of `_bulk` for the products of one catalog. They fail if a product was changed
 * meanwhile.
 */
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

/** The groups without a complete draft. Drafts that lack requested changes are dropped. */
export function groupsWithoutDraft<Group extends WrittenProduct>(
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

interface WrittenDraft {
  readonly owner: string
  readonly before: ProductDocument | undefined
  readonly after: ProductDocument
  /** Characters of what is sent. */
  readonly length: number
}

/** The reason why a product cannot be stored; undefined if it can. */
export function storageProblem(
  elastic: Elastic,
  { kind }: ProductActions,
  { owner, before, after, length }: WrittenDraft,
): string | undefined {
  try {
    if (length > limits.productBytes / 3) checkSize(after.product)
  } catch (error) {
    if (error instanceof Invalid) return error.message.replace(/^body: /, '')
    throw error
  }
  const write = { before: before?.product, after: after.product }
  return valueProblem(elastic, { owner, kind }, write)
}
