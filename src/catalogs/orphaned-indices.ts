import { deleteOwnIndex, emptyOwnKinds, ownIndexOf } from '../elastic/own-index.ts'
import { inAllScopes, scanAllScopes } from '../elastic/scan.ts'
import type { Services } from '../operation.ts'
import type { CatalogDocument } from './store.ts'

/** Milliseconds after which an index that no catalog names is orphaned. */
const NAMED_MS = 60 * 60 * 1000

type NamingIndices = Pick<CatalogDocument, 'ownIndex' | 'move' | 'wanted'>

/** Deletes the indices of catalogs whose creation failed. */
export async function removeOrphanedIndices({
  elastic,
  clock,
}: Pick<Services, 'elastic' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - NAMED_MS)
  // Read before the catalogs: an index that a catalog names from now on is younger.
  const empty = new Set(await emptyOwnKinds(elastic, before))
  if (empty.size === 0) return
  await inAllScopes(elastic, 'catalogs').refresh()
  const batches = scanAllScopes<NamingIndices>(elastic, 'catalogs', {
    _source: ['ownIndex', 'move', 'wanted'],
    sort: ['owner', 'name'],
  })
  for await (const batch of batches) {
    for (const kind of batch.flatMap(namedBy)) empty.delete(kind)
  }
  for (const kind of empty) await deleteOwnIndex(elastic, { kind })
}

/** A requested move creates its index under the id of its task. */
const namedBy = ({ ownIndex, move, wanted }: NamingIndices): string[] =>
  [ownIndex, move?.from, move?.to, wanted && ownIndexOf(wanted.id, wanted.shards)].flatMap(
    (own) => own?.kind ?? [],
  )
