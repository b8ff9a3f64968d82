import { call, type Elastic } from './client.ts'
import type { CallOptions } from './search.ts'

/** Makes everything that was written to a kind's index searchable. */
export async function refresh(
  { client, indexName }: Elastic,
  kind: string,
  options: CallOptions = {},
): Promise<void> {
  await call(() =>
    client.indices.refresh({ index: indexName(kind) }, { requestTimeout: 30_000, ...options }),
  )
}
