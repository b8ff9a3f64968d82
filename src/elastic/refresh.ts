import { call, type Elastic } from './client.ts'

const REFRESH_MS = 30_000

/** Makes every acknowledged write to an index searchable. */
export async function refreshIndex(elastic: Elastic, kind: string): Promise<void> {
  const index = elastic.indexName(kind)
  await call(() => elastic.client.indices.refresh({ index }, { requestTimeout: REFRESH_MS }))
}
