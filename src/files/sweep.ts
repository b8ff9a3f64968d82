import { collection } from '../elastic/collection.ts'
import type { Services } from '../operation.ts'
import type { FileRecord } from './store.ts'

const BATCH = 200

/** Removes what has expired, of every organization: bytes first, so that none lose their record. */
export async function sweepFiles({ elastic, files, clock }: Services): Promise<number> {
  const all = collection<FileRecord & { scope: string }>(elastic, { kind: 'files', scope: [] })
  let removed = 0
  for (;;) {
    const answer = await all.search({
      size: BATCH,
      track_total_hits: false,
      query: { range: { expires: { lte: clock.now().toISOString() } } },
    })
    const expired = answer.hits.hits.map((hit) => hit._source!)
    for (const { id, scope } of expired) {
      await files.remove(id)
      await collection(elastic, { kind: 'files', scope: [scope] }).remove(id, { refresh: true })
    }
    removed += expired.length
    if (expired.length < BATCH) return removed
  }
}
