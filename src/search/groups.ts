import { bucketsIn } from '../elastic/answer-parts.ts'
import { all, every } from '../elastic/clauses.ts'
import type { Aggregations, Query, SearchAnswer, SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { shortValue } from '../products/short-value.ts'
import type { ViewableDocument } from '../products/view.ts'
import { SEPARATOR } from '../text.ts'
import type { Criteria } from './criteria.ts'
import type { FoundParts } from './found-product-schemas.ts'

/** The group of a hit. A product that is not a variant is its own group. */
export type ProductGroup = NonNullable<FoundParts['group']>

// Aggregations here use no global ordinals, which would be rebuilt after each write for the groups
// and options of all organizations. What `map` counts takes up memory of Elasticsearch that all
// share, so it is asked for only where it is not too much.

const IS_VARIANT: Query = { exists: { field: 'search.groupId' } }

/** One hit for each group: the first in the order of the search. */
export const collapsed: Pick<SearchBody, 'collapse'> = { collapse: { field: 'search.group' } }

/** Counts products that are not variants, and estimates groups: see `exactGroupsBody`. */
export const groupTotalAggregation = (selections: readonly Query[]): Aggregations => ({
  groupTotal: {
    filter: every(selections),
    aggs: {
      variants: { filter: IS_VARIANT, aggs: { groups: estimate(40_000, 'segment_ordinals') } },
    },
  },
})

// Below the threshold, distinct terms are counted by their hashes. Near a thousand terms, the
// probability of an error of one is about 1 in 100.
const estimate = (
  threshold: number,
  hint: 'segment_ordinals' | 'direct',
): Aggregations[string] => ({
  cardinality: {
    field: 'search.groupId',
    precision_threshold: threshold,
    execution_hint: hint,
  },
})

/**
 * Counts groups exactly up to `limits.countedGroups`. Each shard returns at most that many, and
 * `sum_other_doc_count` shows a cut.
 */
export const exactGroupsBody = (query: Query): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query: all([query, IS_VARIANT])!,
  aggs: {
    groups: {
      terms: {
        field: 'search.groupId',
        size: limits.countedGroups,
        shard_size: limits.countedGroups,
        execution_hint: 'map',
      },
    },
    counted: { stats_bucket: { buckets_path: 'groups>_count' } },
  },
  filter_path: ['-aggregations.groups.buckets'],
})

interface GroupCount {
  readonly doc_count: number
}
interface GroupTotal extends GroupCount {
  readonly variants: GroupCount & { readonly groups: { readonly value: number } }
}

/** Number of matching products that are not variants, and about how many groups match. */
export function groupTotalIn({ aggregations }: SearchAnswer<unknown>) {
  const { doc_count, variants } = aggregations!.groupTotal as unknown as GroupTotal
  return { others: doc_count - variants.doc_count, groups: variants.groups.value }
}

/** The estimated number of groups and of products that are not variants. */
export function aboutGroups(answer: SearchAnswer<unknown>): number {
  const { others, groups } = groupTotalIn(answer)
  return others + groups
}

/** The number of groups in the answer to `exactGroupsBody`; undefined if there are too many. */
export function exactGroupsIn({ aggregations }: SearchAnswer<unknown>): number | undefined {
  const { groups, counted } = aggregations as unknown as ExactGroups
  return groups.sum_other_doc_count === 0 ? counted.count : undefined
}

interface ExactGroups {
  readonly groups: { readonly sum_other_doc_count: number }
  readonly counted: { readonly count: number }
}

/** Precision thresholds: 8 KiB per bucket, and 4 KiB in long lists, which have thousands. */
const [COUNTED_CLOSELY, COUNTED] = [1_500, 750]
const MANY_BUCKETS = 1_000

/** A sub-aggregation that counts the groups in each bucket; empty when no counts are shown. */
export const groupsIn = (
  { group, counts, facetSearch, facets }: Criteria,
  { amongOffers = false, buckets = 1 } = {},
): { readonly aggs?: Aggregations } => {
  if (!group || !(counts || facetSearch || facets)) return {}
  const threshold = buckets > MANY_BUCKETS ? COUNTED : COUNTED_CLOSELY
  // By ordinals, each bucket would have a bit for each group of all organizations.
  const groups = estimate(threshold, 'direct')
  const aggs: Aggregations = { variants: { filter: IS_VARIANT, aggs: { groups } } }
  return { aggs: amongOffers ? { products: { reverse_nested: {}, aggs } } : aggs }
}

export interface CountedBucket extends GroupCount {
  readonly variants?: GroupCount & { readonly groups: { readonly value: number } }
  readonly products?: CountedBucket
}

/** The number of groups in a bucket if they were requested, else of products. */
export function countOf(bucket: CountedBucket): number {
  const { doc_count, variants } = bucket.products ?? bucket
  return variants ? doc_count - variants.doc_count + variants.groups.value : doc_count
}

/** The distinct groups of a page. */
export const groupIdsOf = (documents: readonly ViewableDocument[]): string[] => [
  ...new Set(documents.flatMap(({ product: { groupId } }) => groupId ?? [])),
]

/** Variants of all groups of a page whose options the first request looks at. */
const LOOKED_AT = 5_000
const lookedAt = (groups: number): number => Math.floor(LOOKED_AT / groups)

/** Options of variants that a second request looks at, for groups with more variants. */
const MOST_OPTIONS = 100_000

/**
 * Requests the number of variants and the options of groups among the matches of `query`. Unless
 * `whole`, those of large groups are from some of their variants.
 */
export function variantsBody(ids: readonly string[], query: Query, whole = false): SearchBody {
  const size = Math.min(limits.optionValues, Math.floor(limits.countedGroups / ids.length))
  const field = 'search.options'
  const options: Aggregations = { options: { terms: { field, size, execution_hint: 'map' } } }
  const some = { sampler: { shard_size: lookedAt(ids.length) }, aggs: options }
  return {
    size: 0,
    track_total_hits: false,
    query,
    aggs: {
      groups: {
        terms: { field: 'search.groupId', size: ids.length, execution_hint: 'map' },
        aggs: whole ? options : { some, values: { value_count: { field } } },
      },
    },
  }
}

interface ListedOptions {
  readonly options: { readonly buckets: readonly { readonly key: string }[] }
}
type VariantsBucket = GroupCount & { readonly key: string } & (
    | ListedOptions
    | { readonly some: ListedOptions; readonly values: { readonly value: number } }
  )

/** Reads the answer to `variantsBody` into groups by their ids. */
export const readVariants = (answer: SearchAnswer<unknown>): Map<string, ProductGroup> =>
  new Map(
    bucketsIn<VariantsBucket>(answer, 'groups').map((bucket) => {
      const { options } = 'some' in bucket ? bucket.some : bucket
      const terms = options.buckets.map(({ key }) => key)
      const { key: id, doc_count: variants } = bucket
      return [id, { id, variants, options: optionsOf(terms) }]
    }),
  )

/** Groups of an answer with variants that it did not look at, but not too many. */
export function largeGroups(answer: SearchAnswer<unknown>, groups: number): string[] {
  let values = 0
  return bucketsIn<VariantsBucket>(answer, 'groups').flatMap((bucket) => {
    if (!('values' in bucket) || bucket.doc_count <= lookedAt(groups)) return []
    if (values + bucket.values.value > MOST_OPTIONS) return []
    values += bucket.values.value
    return bucket.key
  })
}

function optionsOf(terms: readonly string[]): Record<string, string[]> {
  const options = Map.groupBy(
    terms.map((term) => term.split(SEPARATOR) as [string, string]),
    ([name]) => name,
  )
  return Object.fromEntries(
    [...options].map(([name, all]) => [name, all.map(([, value]) => value).sort(bySize)] as const),
  )
}

/** Rank of a clothing size: XS, S, M … XXL in that order. 2XL equals XXL. */
function clothing(value: string): number | undefined {
  const [, xs = '', digits, size] = /^(?:(x{0,5})|(\d)x)([sml])$/i.exec(value.trim()) ?? []
  if (size === undefined) return undefined
  const steps = digits === undefined ? xs.length : Number(digits)
  return { s: -1 - steps, m: 0, l: 1 + steps }[size.toLowerCase()]
}

/** Number of characters that are compared as a reader would; long numbers take milliseconds. */
const READ = 100
/** One for all, since making one takes far longer than a comparison. */
const COLLATOR = new Intl.Collator('en', { numeric: true })

/** Compares clothing sizes by size, numbers by value and other texts alphabetically. */
export function bySize(a: string, b: string): number {
  const [left, right] = [clothing(a), clothing(b)]
  if (left !== undefined && right !== undefined && left !== right) return left - right
  return COLLATOR.compare(a.slice(0, READ), b.slice(0, READ)) || Number(a > b) - Number(a < b)
}

/** The group that is shown with a hit. */
export const groupOfHit = (
  { product: { groupId, options = {} } }: ViewableDocument,
  groups: ReadonlyMap<string, ProductGroup>,
): ProductGroup =>
  (groupId ? groups.get(groupId) : undefined) ?? {
    id: groupId ?? null,
    variants: 1,
    // For products that are not variants, and groups deleted between the two requests.
    options: Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, [shortValue(value)]]),
    ),
  }
