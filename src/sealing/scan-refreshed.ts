import type { Elastic } from '../elastic/client.ts'
import { currentIndex } from '../elastic/indices.ts'
import { refreshIndex } from '../elastic/refresh.ts'
import { type ScanOptions, type Scoped, scanAllScopes } from '../elastic/scan.ts'

/**
 * Documents of all organizations, including all acknowledged writes; none if the index does not
 * exist.
 */
export async function* scanRefreshed<T extends object>(
  elastic: Elastic,
  kind: string,
  { sort = ['scope', 'id'], ...options }: Partial<ScanOptions>,
): AsyncGenerator<readonly Scoped<T>[]> {
  if ((await currentIndex(elastic, elastic.indexName(kind))) === undefined) return
  await refreshIndex(elastic, kind)
  yield* scanAllScopes<T>(elastic, kind, { sort, ...options })
}
