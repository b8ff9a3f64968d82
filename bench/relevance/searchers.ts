import type { Elastic } from '../../src/elastic/client.ts'
import { CATALOG, type Organization } from '../organization.ts'
import { FIRST } from './metrics.ts'
import { plainQuery } from './plain.ts'

/** The first hits of a search, with its total. */
export interface Found {
  readonly ids: readonly string[]
  readonly total: number
  /** Hits by category and sub-category, if requested by `counts`. */
  readonly categories?: ReadonlyMap<string, number>
}

interface SearchOptions {
  /** Whether the last word is incomplete. */
  readonly typing?: boolean
  readonly counts?: boolean
  /** Number of hits to return; ten if absent. */
  readonly size?: number
}

/** Searches a catalog in one way. */
export type Searcher = (keywords: string, options?: SearchOptions) => Promise<Found>

export type Side = 'aisle' | 'plain'
export type Searchers = Readonly<Record<Side, Searcher>>

type Tree = Readonly<Record<string, Readonly<Record<string, number>>>>

interface Answer {
  readonly products: readonly { readonly id: string }[]
  readonly total: number
  readonly metadata?: {
    readonly counts: { readonly categories: Tree; readonly subCategories: Tree }
  }
}

const pathOf = (operation: string): string => `/api/${operation}?catalog=${CATALOG}`

/** Whether the service accepts `typing`, as it rejects unknown fields. */
export async function acceptsTyping({ target, wire }: Organization): Promise<boolean> {
  const body = { keywords: 'a', typing: true }
  const { status } = await target.send(wire('POST', pathOf('search/simple'), body))
  if (status === 200 || status === 400) return status === 200
  throw new Error(`void: a search with typing answers ${status}`)
}

/** Searches the service through its public API; leaves out `typing` if it is not accepted. */
export const aisleSearcher =
  (organization: Organization, accepts: { readonly typing: boolean }): Searcher =>
  async (keywords, { typing = false, counts = false, size = FIRST } = {}) => {
    const request = {
      keywords,
      pageSize: size,
      ...(typing && accepts.typing ? { typing } : {}),
      ...(counts ? { counts } : {}),
    }
    const path = pathOf(counts ? 'search' : 'search/simple')
    const answer = await organization.call<Answer>('POST', path, request)
    const { categories, subCategories } = answer.metadata?.counts ?? {}
    return {
      ids: answer.products.map(({ id }) => id),
      total: answer.total,
      ...(counts ? { categories: namesIn([categories ?? {}, subCategories ?? {}]) } : {}),
    }
  }

/** Counts hits by category name; one name in several places of the tree gets their sum. */
function namesIn(trees: readonly Tree[]): Map<string, number> {
  const names = new Map<string, number>()
  for (const inner of trees.flatMap((tree) => Object.values(tree))) {
    for (const [name, count] of Object.entries(inner)) {
      names.set(name, (names.get(name) ?? 0) + count)
    }
  }
  return names
}

/** The baseline: `multi_match` over the plain index. */
export const plainSearcher =
  ({ client }: Elastic, index: string): Searcher =>
  async (keywords, { typing = false, size = FIRST } = {}) => {
    const { hits } = await client.search({
      index,
      size,
      _source: false,
      track_total_hits: true,
      query: plainQuery(keywords, typing),
    })
    const { value } = hits.total as { value: number }
    return { ids: hits.hits.map(({ _id }) => _id!), total: value }
  }

const AT_ONCE = 4

/** Calls `work` for each item, a few concurrently; returns the results in the order of the list. */
export async function forEach<T, U>(
  list: readonly T[],
  work: (item: T) => Promise<U>,
): Promise<U[]> {
  const done: U[] = Array.from({ length: list.length })
  let next = 0
  const worker = async () => {
    while (next < list.length) {
      const at = next++
      done[at] = await work(list[at]!)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return done
}
