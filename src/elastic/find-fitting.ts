import type { estypes } from '@elastic/elasticsearch'
import type { Collection } from './collection.ts'
import type { CallOptions } from './place.ts'
import type { SearchBody } from './search.ts'

/** Documents that are read first, when nobody knows yet how long they are, and at once at most. */
const [FIRST_PAGE, PAGE] = [20, 2_000]

interface FittingOptions extends CallOptions {
  /** Bytes of them together. */
  readonly most: number
}

/** The first `size` documents in an order that tells all apart; fewer where they are long. */
export async function findFitting<T extends object>(
  { search }: Pick<Collection<T>, 'search'>,
  { size: wanted, ...body }: SearchBody & Required<Pick<SearchBody, 'size' | 'sort'>>,
  { most, ...options }: FittingOptions,
): Promise<T[]> {
  const found: T[] = []
  let bytes = 0
  let size = Math.min(FIRST_PAGE, wanted)
  for (let after: estypes.SortResults | undefined; ; ) {
    const next = after ? { search_after: after } : {}
    const { hits } = await search({ ...body, ...next, size, track_total_hits: false }, options)
    for (const { _source } of hits.hits) {
      bytes += Buffer.byteLength(JSON.stringify(_source))
      if (bytes > most) return found
      found.push(_source!)
    }
    if (hits.hits.length < size || found.length >= wanted) return found
    const left = Math.ceil(((most - bytes) * found.length) / bytes)
    size = Math.max(1, Math.min(PAGE, left, wanted - found.length))
    after = hits.hits.at(-1)!.sort
  }
}
