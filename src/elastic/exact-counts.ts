import type { estypes } from '@elastic/elasticsearch'
import { defined } from '../platform/defined.ts'

// Each shard returns its own most frequent terms. A term that is frequent in one shard and rare in
// another is counted too low when a shard has more terms than it returns.

type Counted = Record<string, unknown>
interface CountedTerms {
  readonly doc_count_error_upper_bound?: number
  readonly buckets?: readonly { readonly key: string; readonly doc_count: number }[]
}

/** Terms requested from each shard for `size` results: some more, since shards differ. */
const shardSize = (size: number): number => 4 * size + 100

/** Terms requested from each shard when it is uncertain which ones are the most frequent. */
const WIDE_SHARD_SIZE = 10_000

/** Elasticsearch's default size of a terms aggregation. */
const DEFAULT_SIZE = 10

type Container = estypes.AggregationsAggregationContainer
type Containers = Record<string, Container>
type CountingBody = Pick<estypes.SearchRequest, 'query' | 'aggs' | 'filter_path'>
type CountingAnswer = Pick<estypes.SearchResponse<unknown>, 'aggregations'>

/** Replaces some aggregations; undefined when nothing changes. */
function changed(
  aggs: Containers,
  change: (container: Container, name: string) => Container | undefined,
): Containers | undefined {
  const entries = Object.entries(aggs).map(([name, container]) => {
    const next = change(container, name)
    return [name, next ?? container, next !== undefined] as const
  })
  if (!entries.some(([, , isChanged]) => isChanged)) return undefined
  return Object.fromEntries(entries.map(([name, container]) => [name, container]))
}

/** Has each shard return more terms than a search over several shards asks for. */
export function acrossShards<Body extends CountingBody>(body: Body): Body {
  const wider = (container: Container): Container | undefined => {
    const { terms } = container
    const aggs = container.aggs && changed(container.aggs, wider)
    if (!terms && !aggs) return undefined
    return {
      ...container,
      ...(aggs ? { aggs } : {}),
      ...(terms ? { terms: { shard_size: shardSize(terms.size ?? DEFAULT_SIZE), ...terms } } : {}),
    } as Container
  }
  const aggs = body.aggs && changed(body.aggs, wider)
  return aggs ? { ...body, aggs } : body
}

/** Counts the terms of an answer again, where their counts may be too low. */
export const recountBody = (
  body: CountingBody,
  { aggregations }: CountingAnswer,
): estypes.SearchRequest | undefined =>
  aggregations &&
  corrected(body, (aggs) => changedTerms(aggs, [aggregations as unknown as Counted], exactly))

/**
 * Asks each shard for many more terms, where a more frequent one may be missing from the answer;
 * undefined when it need not. `recounted`: the answer with exact counts.
 */
export const widerBody = (
  body: CountingBody,
  { aggregations }: CountingAnswer,
  { aggregations: recounted }: CountingAnswer,
): estypes.SearchRequest | undefined =>
  aggregations &&
  corrected(body, (aggs) =>
    changedTerms(aggs, [aggregations, recounted] as unknown as Counted[], wider),
  )

/** A search with only the aggregations that `change` replaces. */
function corrected(
  { query, aggs, filter_path }: CountingBody,
  change: (aggs: Containers) => Containers | undefined,
): estypes.SearchRequest | undefined {
  const next = aggs && change(aggs)
  if (!next) return undefined
  const again = Object.entries(next).filter(([name, container]) => container !== aggs[name])
  return {
    size: 0,
    track_total_hits: false,
    ...defined({ query, filter_path }),
    aggs: Object.fromEntries(again),
  }
}

type FoundTerms = (CountedTerms & Counted) | undefined

type Terms = estypes.AggregationsTermsAggregation

/** Applies `change` to the terms aggregations at any depth, with their results. */
const changedTerms = (
  aggs: Containers,
  [counted, recounted]: readonly (Counted | undefined)[],
  change: (terms: Terms, found: FoundTerms, exact: FoundTerms) => Terms | undefined,
): Containers | undefined =>
  changed(aggs, (container, name) => {
    const [found, exact] = [counted?.[name] as FoundTerms, recounted?.[name] as FoundTerms]
    if (!container.terms) {
      const inner = container.aggs && found && changedTerms(container.aggs, [found, exact], change)
      return inner ? ({ ...container, aggs: inner } as Container) : undefined
    }
    const terms = change(container.terms, found, exact)
    return terms ? ({ ...container, terms } as Container) : undefined
  })

function exactly(terms: Terms, found: FoundTerms): Terms | undefined {
  const { buckets = [], doc_count_error_upper_bound: error = 0 } = found ?? {}
  if (error <= 0 || buckets.length === 0) return undefined
  const include = buckets.map(({ key }) => key)
  const size = include.length
  // Elasticsearch treats a list as long as `shard_size` as cut off.
  return { ...terms, include, size, shard_size: size + 1 }
}

function wider(terms: Terms, found: FoundTerms, exact: FoundTerms): Terms | undefined {
  const { doc_count_error_upper_bound: error = 0 } = found ?? {}
  const last = exact?.buckets?.at(-1)
  const { shard_size: before = 0 } = terms
  // A term that no shard returned has up to `error` documents. One that some shards returned has
  // more than twice as many only if it is spread very unevenly, which routing by id makes unlikely.
  if (error <= 0 || !last || last.doc_count >= 2 * error || before >= WIDE_SHARD_SIZE) {
    return undefined
  }
  return { ...terms, shard_size: WIDE_SHARD_SIZE }
}
