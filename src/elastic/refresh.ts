import { call, type Elastic } from './client.ts'
import { type CallOptions, transportOptions } from './search.ts'

const REFRESH_MS = 30_000

/** Makes every acknowledged write to an index searchable. */
export async function refreshIndex(
  elastic: Elastic,
  kind: string,
  { signal }: Pick<CallOptions, 'signal'> = {},
): Promise<void> {
  const index = elastic.indexName(kind)
  const options = transportOptions({ timeoutMs: REFRESH_MS, ...(signal ? { signal } : {}) })
  await call(() => elastic.client.indices.refresh({ index }, options))
}
