import { productPlaceOf } from '../catalogs/store.ts'
import { boundedReader } from '../elastic/bounded-reads.ts'
import { type BulkItem, bulk } from '../elastic/bulk.ts'
import { createBulkPortions } from '../elastic/bulk-portions.ts'
import { type Collection, collection } from '../elastic/collection.ts'
import type { OwnIndex } from '../elastic/own-index.ts'
import type { Place } from '../elastic/place.ts'
import { searchPages } from '../elastic/scan.ts'
import { search } from '../elastic/search.ts'
import {
  completedWrites,
  hasAllCopies,
  refreshCopies,
  type ShardProgress,
} from '../elastic/shard-progress.ts'
import { Invalid, Unavailable } from '../errors.ts'
import { DEFAULT_LANGUAGE } from '../languages/language.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { createPacing } from '../platform/pacing.ts'
import { type StoredProduct, withSearch } from '../products/product-documents.ts'

/** Products that are read at once, and their bytes together, at most: one may have a few MiB. */
const PAGE = 100
const PAGE_BYTES = 16 * 1024 * 1024
/** Ids that are compared at once. */
const COMPARED = 1_000
/** With the check before it (limits.elasticMs), a write ends within limits.catalogRemovalMs. */
const CALL_MS = 8_000
const CONFLICT = 409
const REFUSED = 400

/** A catalog, with the source index and the target index of its products. */
export interface CopiedCatalog {
  readonly owner: string
  readonly name: string
  readonly from: OwnIndex | null
  readonly to: OwnIndex | null
}

/** The products of a catalog in one index, whether it is the current one or not. */
const productsIn = (
  { elastic }: Pick<Services, 'elastic'>,
  { owner, name }: Pick<CopiedCatalog, 'owner' | 'name'>,
  index: OwnIndex | null,
): Collection<StoredProduct> => collection(elastic, productPlaceOf({ owner, name, index }))

/** How far the source is copied; null: not at all. */
export type CopiedUpTo = ShardProgress | null

interface CopyOptions {
  /** Called before each write: throws to end the copy. */
  readonly hold: () => Promise<void>
  /** Waits for a place, and returns a function that releases it. When absent, there is no wait. */
  readonly enter?: () => Promise<() => void>
  /** Called after each page. */
  readonly note: (upTo: CopiedUpTo, copied: number) => void
  /** Maximum products of a pass that has to be short. */
  readonly most?: number
}

/** Copies what was written since, and returns how far it got and how many products that were. */
export async function copyChanged(
  services: Services,
  catalog: CopiedCatalog,
  since: CopiedUpTo,
  options: CopyOptions,
): Promise<{ readonly upTo: CopiedUpTo; readonly copied: number }> {
  const { hold, enter, note, most = Infinity } = options
  const source = productsIn(services, catalog, catalog.from)
  const target = productsIn(services, catalog, catalog.to)
  // Later writes may become visible before earlier ones, so the next pass reads them again.
  const ended = await completedWrites(services.elastic, source.place)
  await refreshCopies(services.elastic, source.place)
  const begin = since?.index === ended.index ? since.shards : ended.shards.map(() => -1)
  let upTo = { ...ended, shards: begin }
  let copied = 0
  const reached = (shard: number, number: number) => {
    upTo = { ...upTo, shards: upTo.shards.with(shard, number) }
  }
  for (const [shard, number] of begin.entries()) {
    const place = { ...source.place, ...(catalog.from ? { shard } : {}) }
    for (let after = number; copied < most; ) {
      const hits = await readBehind(services, place, { after, upTo: ended.shards[shard]! })
      if (hits.length === 0) break
      const documents = hits.map(({ _source }) => _source!)
      const leave = await enter?.()
      await store(services, target, documents, { catalog, hold }).finally(leave)
      after = hits.at(-1)!._seq_no!
      reached(shard, Math.min(after, ended.shards[shard]!))
      copied += hits.length
      note(upTo, hits.length)
    }
    if (copied < most) reached(shard, Math.max(number, ended.shards[shard]!))
  }
  return { upTo, copied }
}

async function readBehind(
  { elastic }: Services,
  place: Place,
  { after, upTo }: { readonly after: number; readonly upTo: number },
) {
  // Of the last products read; the first page, whose products may all be long, is shorter.
  const length = boundedReader({ elastic, place, source: undefined }).size() ?? limits.readBytes
  const body = {
    size: Math.max(1, Math.min(PAGE, Math.floor(PAGE_BYTES / length))),
    track_total_hits: false,
    seq_no_primary_term: true,
    query: { range: { _seq_no: { gt: after, lte: upTo } } },
    sort: [{ _seq_no: 'asc' as const }],
  }
  const options = { most: Infinity, timeoutMs: CALL_MS }
  return (await search<StoredProduct>(elastic, place, body, options)).hits.hits
}

/** Writes products unchanged, over any earlier copies. */
async function store(
  services: Services,
  target: Collection<StoredProduct>,
  documents: readonly StoredProduct[],
  { catalog: { owner, name }, hold }: { catalog: CopiedCatalog; hold: CopyOptions['hold'] },
): Promise<void> {
  const pace = createPacing()
  let open = documents
  let known: Awaited<ReturnType<typeof target.getMany>> = []
  while (open.length > 0) {
    const refused: StoredProduct[] = []
    const portions = createBulkPortions<{ item: BulkItem; document: StoredProduct }>(
      async (sent) => {
        await hold()
        const items = sent.map(({ item }) => item)
        const results = await bulk(services.elastic, items, { timeoutMs: CALL_MS })
        for (const [at, { error, status, reason }] of results.entries()) {
          if (status === CONFLICT) refused.push(sent[at]!.document)
          else if (status === REFUSED) throw refusalOf(services, sent[at]!.document, reason)
          else if (error) throw new Unavailable(`A product was not copied: ${reason ?? ''}`)
        }
      },
    )
    for (const [at, document] of open.entries()) {
      const { language = DEFAULT_LANGUAGE } = document
      const next = withSearch({ owner, name, language }, document)
      const item = target.bulkItem(document.product.id, next, known[at])
      await portions.add({ item, document })
      await pace()
    }
    await portions.flush()
    open = refused
    const ids = open.map(({ product: { id } }) => id)
    known = await target.getMany(ids, { source: ['product.id'], timeoutMs: CALL_MS })
  }
}

/** The error for a product that the new index refuses, however often it is sent. */
function refusalOf(
  { log }: Services,
  { product: { id } }: StoredProduct,
  reason?: string,
): Invalid {
  log.warn({ product: id, reason }, 'a product was not copied')
  return new Invalid(`The new index rejects the product ${id}.`)
}

/** Removes products from the target that the source no longer has. */
export async function removeGone(
  services: Services,
  catalog: CopiedCatalog,
  hold: CopyOptions['hold'],
): Promise<void> {
  const source = productsIn(services, catalog, catalog.from)
  const target = productsIn(services, catalog, catalog.to)
  await refreshCopies(services.elastic, target.place)
  const body = {
    size: COMPARED,
    _source: ['product.id'],
    seq_no_primary_term: true,
    sort: [{ 'search.id': 'asc' as const }],
  }
  const options = { timeoutMs: CALL_MS }
  for await (const hits of searchPages((asked) => target.search(asked, options), body)) {
    const ids = hits.map(({ _source }) => _source!.product.id)
    const found = await source.getMany(ids, { source: ['product.id'], ...options })
    const gone = hits.filter((_, at) => !found[at])
    if (gone.length === 0) continue
    await hold()
    const { routing } = target.place
    const items = gone.map(({ _index, _id, _seq_no, _primary_term }) => {
      const at = { if_seq_no: _seq_no, if_primary_term: _primary_term }
      const where = { _index, _id, ...(routing ? { routing } : {}), ...at }
      return { action: JSON.stringify({ delete: where }) }
    })
    await bulk(services.elastic, items, { timeoutMs: CALL_MS })
  }
}

/** Whether each shard of the target has all its copies, unless the source lacks some as well. */
export async function isReplicatedLikeSource(
  services: Services,
  catalog: CopiedCatalog,
): Promise<boolean> {
  const hasAll = (index: OwnIndex | null) =>
    hasAllCopies(services.elastic, productsIn(services, catalog, index).place)
  return (await hasAll(catalog.to)) || !(await hasAll(catalog.from))
}

export const countProducts = (services: Services, catalog: CopiedCatalog): Promise<number> =>
  productsIn(services, catalog, catalog.from).count(undefined, { timeoutMs: CALL_MS })

/**
 * How many more products the source has than the target. After a pass, 0 means that both have the
 * same.
 */
export async function countLacking(services: Services, catalog: CopiedCatalog): Promise<number> {
  const both = [catalog.from, catalog.to].map((index) => productsIn(services, catalog, index))
  const counts = await Promise.all(
    both.map(async (products) => {
      await refreshCopies(services.elastic, products.place)
      return products.count(undefined, { timeoutMs: CALL_MS })
    }),
  )
  return counts[0]! - counts[1]!
}
