import type { estypes } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import type { Collection } from './collection.ts'
import type { CallOptions } from './place.ts'
import { isTooLong, type SearchBody } from './search.ts'

/** Documents in the first page, when their size is unknown, and the most in a later one. */
const FIRST_PAGE = 20
const LARGEST_PAGE = 2_000

/** The size of a page that was too long is divided by this. */
const SHARE = 4

interface ByteLimits extends CallOptions {
  /** Maximum bytes of all documents together. */
  readonly most: number
  /** Documents in the first page. */
  readonly first?: number
  /** The most documents in a page; Elasticsearch collects them even if they are too long. */
  readonly largest?: number
}

type LimitedBody = SearchBody & Required<Pick<SearchBody, 'size' | 'sort'>>

/** The first `size` documents in a total order; fewer when they are long. */
export async function searchWithinBytes<T extends object>(
  collection: Pick<Collection<T>, 'search'>,
  body: LimitedBody,
  options: ByteLimits,
): Promise<T[]> {
  const found: T[] = []
  for await (const page of pagesWithinBytes(collection, body, options)) found.push(...page)
  return found
}

/**
 * The documents of `searchWithinBytes` in pages. Only a document that is longer than
 * limits.readBytes makes a response longer than that, so that other requests get a turn in between.
 */
export async function* pagesWithinBytes<T extends object>(
  { search }: Pick<Collection<T>, 'search'>,
  { size: wanted, ...body }: LimitedBody,
  { most, first = FIRST_PAGE, largest = LARGEST_PAGE, ...options }: ByteLimits,
): AsyncGenerator<T[]> {
  let count = 0
  let bytes = 0
  let size = Math.min(first, wanted)
  for (let after: estypes.SortResults | undefined; ; ) {
    const next = after ? { search_after: after } : {}
    const page = await search(
      { ...body, ...next, size, track_total_hits: false },
      { ...options, longest: size === 1 ? most : Math.min(most, limits.readBytes) },
    ).catch((error: Error) => {
      if (!isTooLong(error)) throw error
    })
    // The next documents may be far longer.
    if (!page && size === 1) return
    if (!page) {
      size = Math.ceil(size / SHARE)
      continue
    }
    const { hits } = page.hits
    const documents: T[] = []
    const before = bytes
    for (const { _source } of hits) {
      bytes += Buffer.byteLength(JSON.stringify(_source))
      if (bytes > most) break
      documents.push(_source!)
    }
    yield documents
    count += documents.length
    if (bytes > most || hits.length < size || count >= wanted) return
    // By the last page alone, since documents may have become longer.
    const each = (bytes - before) / documents.length
    const left = Math.ceil(Math.min(most - bytes, limits.readBytes / 2) / each)
    size = Math.max(1, Math.min(largest, left, wanted - count))
    after = hits.at(-1)!.sort
  }
}
