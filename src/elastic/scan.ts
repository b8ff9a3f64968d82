import type { estypes } from '@elastic/elasticsearch'
import type { Elastic } from './client.ts'
import { collection } from './collection.ts'
import type { CallOptions } from './place.ts'
import { isTooLong, type SearchAnswer, type SearchBody } from './search.ts'

const BATCH = 200

/** A document with the organization, or other scope, it belongs to. */
export type Scoped<T> = T & { readonly scope: string }

/** The documents of all organizations, for upkeep, which opens each one in its own scope. */
export const inAllScopes = <T extends object>(elastic: Elastic, kind: string) =>
  collection<Scoped<T>>(elastic, { kind, scope: [] })

export interface ScanOptions extends Pick<SearchBody, 'query' | '_source'>, CallOptions {
  /** Documents per batch. */
  readonly size?: number
  /** The sort order: fields that together identify a document. */
  readonly sort: readonly string[]
}

/** The size of a page whose response was too long is divided by this. */
const SHARE = 4
/** The factor by which half of a size that was too long grows with each page, up to the wanted one. */
const REGROWTH = 1.05

/** Yields the hits of a search in pages of at most `size`. The order must be total. */
export async function* searchPages<T>(
  search: (body: SearchBody) => Promise<SearchAnswer<T>>,
  body: SearchBody & { readonly size: number },
): AsyncGenerator<estypes.SearchHit<T>[]> {
  let { size } = body
  let largest: number = size
  for (let after: estypes.SortResults | undefined; ; ) {
    const more = after ? { search_after: after } : {}
    const asked = { track_total_hits: false, ...body, ...more, size }
    const page = await search(asked).catch((error: Error) => {
      if (size === 1 || !isTooLong(error)) throw error
    })
    if (!page) {
      largest = size / 2
      size = Math.ceil(size / SHARE)
      continue
    }
    const { hits } = page.hits
    yield hits
    if (hits.length < size) return
    // Others may be as long, and each attempt that fails reads as much as an answer may have.
    largest = Math.min(REGROWTH * largest, body.size)
    size = Math.max(1, Math.min(2 * size, Math.floor(largest)))
    after = hits.at(-1)!.sort
  }
}

/** Documents of all organizations in batches: for upkeep, or with a query that names the owner. */
export async function* scanAllScopes<T extends object>(
  elastic: Elastic,
  kind: string,
  { sort, size = BATCH, signal, ...parts }: ScanOptions,
): AsyncGenerator<readonly Scoped<T>[]> {
  const all = inAllScopes<T>(elastic, kind)
  const order = sort.map((field) => ({ [field]: 'asc' as const }))
  const search = (body: SearchBody) => all.search(body, { signal })
  for await (const hits of searchPages(search, { ...parts, size, sort: order })) {
    if (hits.length > 0) yield hits.map((hit) => hit._source!)
  }
}
