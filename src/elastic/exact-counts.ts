import type { estypes } from '@elastic/elasticsearch'

// Each shard answers its own commonest terms: what is common in one and rare in another is counted
// too low where a shard has more terms than it answers.

type Counted = Record<string, unknown>
interface CountedTerms {
  readonly doc_count_error_upper_bound?: number
  readonly buckets?: readonly { readonly key: string }[]
}

/** Terms that a shard answers, by those that are asked for: some more, since shards differ. */
const shardSize = (size: number): number => 4 * size + 100

/** Terms of a list that nothing says the length of. */
const DEFAULT_SIZE = 10

type Container = estypes.AggregationsAggregationContainer
type Containers = Record<string, Container>
type CountingBody = Pick<estypes.SearchRequest, 'query' | 'aggs'>

/** The aggregations with others in place of some; undefined for the same. */
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

/** A search of several shards: each answers more of its terms than are asked for. */
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

/** The same aggregations for just the terms that were found, where some were counted too low. */
export function recountBody(
  { query, aggs }: CountingBody,
  { aggregations }: Pick<estypes.SearchResponse<unknown>, 'aggregations'>,
): estypes.SearchRequest | undefined {
  const exact = aggs && aggregations && exactly(aggs, aggregations as unknown as Counted)
  if (!exact) return undefined
  return { size: 0, track_total_hits: false, ...(query ? { query } : {}), aggs: exact }
}

const exactly = (aggs: Containers, counted: Counted): Containers | undefined =>
  changed(aggs, (container, name) => {
    const found = counted[name] as (CountedTerms & Counted) | undefined
    if (!container.terms) {
      const inner = container.aggs && found && exactly(container.aggs, found)
      return inner ? ({ ...container, aggs: inner } as Container) : undefined
    }
    const { buckets = [], doc_count_error_upper_bound: error = 0 } = found ?? {}
    if (error <= 0 || buckets.length === 0) return undefined
    const include = buckets.map(({ key }) => key)
    const size = include.length
    // As many as a shard may answer count as cut off.
    const all = { include, size, shard_size: size + 1 }
    return {
      ...container,
      terms: { ...container.terms, ...all },
    } as Container
  })
