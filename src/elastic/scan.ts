import type { Elastic } from './client.ts'
import { collection } from './collection.ts'
import type { CallOptions } from './place.ts'
import type { SearchBody } from './search.ts'

const BATCH = 200

/** A document with the organization, or another scope, that it belongs to. */
export type Scoped<T> = T & { readonly scope: string }

export interface ScanOptions extends Pick<SearchBody, 'query' | '_source'>, CallOptions {
  /** Documents of a batch. */
  readonly size?: number
  /** Fields that no two documents share all of: the order. */
  readonly sort: readonly string[]
}

/** Documents of every organization, in batches: for upkeep, or with a query that names an owner. */
export async function* scanAllScopes<T extends object>(
  elastic: Elastic,
  kind: string,
  { sort, size = BATCH, signal, ...parts }: ScanOptions,
): AsyncGenerator<readonly Scoped<T>[]> {
  const all = collection<Scoped<T>>(elastic, { kind, scope: [] })
  for (let after: unknown[] | undefined; ; ) {
    const body = {
      size,
      track_total_hits: false,
      sort: sort.map((field) => ({ [field]: 'asc' as const })),
      ...parts,
      ...(after ? { search_after: after as string[] } : {}),
    }
    const { hits } = (await all.search(body, { signal })).hits
    if (hits.length > 0) yield hits.map((hit) => hit._source!)
    after = hits.at(-1)?.sort
    if (hits.length < size) return
  }
}
