import type { estypes } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import type { Collection } from './collection.ts'
import type { CallOptions } from './place.ts'
import { isTooLong, type SearchBody } from './search.ts'

/** Documents in the first page, when their size is unknown, and the most in a later one. */
const [FIRST_PAGE, PAGE] = [20, 2_000]

/** The size of a page that was too long is divided by this. */
const SHARE = 4

interface FittingOptions extends CallOptions {
  /** Maximum bytes of all documents together. */
  readonly most: number
}

/** The first `size` documents in a total order; fewer when they are long. */
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
    const page = await search(
      { ...body, ...next, size, track_total_hits: false },
      // Short responses, so that other requests get a turn in between.
      { ...options, longest: size === 1 ? most : Math.min(most, limits.readBytes) },
    ).catch((error: Error) => {
      if (!isTooLong(error)) throw error
    })
    // The next documents may be far longer.
    if (!page && size === 1) return found
    if (!page) {
      size = Math.ceil(size / SHARE)
      continue
    }
    const { hits } = page
    for (const { _source } of hits.hits) {
      bytes += Buffer.byteLength(JSON.stringify(_source))
      if (bytes > most) return found
      found.push(_source!)
    }
    if (hits.hits.length < size || found.length >= wanted) return found
    const left = Math.ceil((Math.min(most - bytes, limits.readBytes / 2) * found.length) / bytes)
    size = Math.max(1, Math.min(PAGE, left, wanted - found.length))
    after = hits.hits.at(-1)!.sort
  }
}
