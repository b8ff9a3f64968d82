import { collection } from '../elastic/collection.ts'
import { deleteOwnIndex, emptyOwnKinds, ownIndexOf } from '../elastic/own-index.ts'
import { scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'
import type { CatalogDocument } from './store.ts'

/** Milliseconds in which a catalog that is created names its index: far more than a request has. */
const NAMED_MS = 60 * 60 * 1000

type NamingIndices = Pick<CatalogDocument, 'ownIndex' | 'move' | 'wanted'>

/** Deletes the indices that were made for catalogs whose creation then failed. */
export async function removeOrphanedIndices({
  elastic,
  clock,
}: Pick<Services, 'elastic' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - NAMED_MS)
  // Before the catalogs are read: what one of them names since then is younger.
  const empty = new Set(await emptyOwnKinds(elastic, before))
  if (empty.size === 0) return
  await collection(elastic, { kind: 'catalogs', scope: [] }).refresh()
  const batches = scanAllScopes<NamingIndices>(elastic, 'catalogs', {
    _source: ['ownIndex', 'move', 'wanted'],
    sort: ['owner', 'name'],
  })
  for await (const batch of batches) {
    for (const kind of batch.flatMap(namedBy)) empty.delete(kind)
  }
  for (const kind of empty) await deleteOwnIndex(elastic, { kind })
}

/** A move that is wanted makes its index under the id of its task. */
const namedBy = ({ ownIndex, move, wanted }: NamingIndices): string[] =>
  [ownIndex, move?.from, move?.to, wanted && ownIndexOf(wanted.id, wanted.shards)].flatMap(
    (own) => own?.kind ?? [],
  )
