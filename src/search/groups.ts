import { every } from '../elastic/clauses.ts'
import type { Aggregations, Query, SearchAnswer, SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { shortValue } from '../products/short-value.ts'
import type { ViewableDocument } from '../products/view.ts'
import { SEPARATOR } from '../text.ts'
import type { Criteria } from './criteria.ts'
import type { FoundParts } from './found-product-schemas.ts'

/** The group of a hit. A product that is not a variant is its own group. */
export type ProductGroup = NonNullable<FoundParts['group']>

// Aggregations here use `map` and `segment_ordinals`: global ordinals would be rebuilt after each
// write, for the groups and options of all organizations.

const IS_VARIANT: Query = { exists: { field: 'search.groupId' } }

/** One hit for each group: the first in the order of the search. */
export const collapsed: Pick<SearchBody, 'collapse'> = { collapse: { field: 'search.group' } }

/** Omits the list of groups from the answer, since they are only counted. */
export const omitGroupBuckets: Pick<SearchBody, 'filter_path'> = {
  filter_path: ['-aggregations.groupTotal.variants.groups.buckets'],
}

/**
 * Counts products that are not variants, and groups: exactly up to `limits.countedGroups`, above by
 * an estimate. Each shard returns at most that many, and `sum_other_doc_count` shows a cut.
 */
export const groupTotalAggregation = (selections: readonly Query[]): Aggregations => ({
  groupTotal: {
    filter: every(selections),
    aggs: {
      variants: {
        filter: IS_VARIANT,
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
          estimated: estimate(40_000),
        },
      },
    },
  },
})

// Below the threshold, distinct terms are counted by their hashes. Near a thousand terms, the
// probability of an error of one is about 1 in 100.
const estimate = (threshold: number): Aggregations[string] => ({
  cardinality: {
    field: 'search.groupId',
    precision_threshold: threshold,
    execution_hint: 'segment_ordinals',
  },
})

interface GroupCount {
  readonly doc_count: number
}
interface GroupTotal extends GroupCount {
  readonly variants: GroupCount & {
    readonly groups: { readonly sum_other_doc_count: number }
    readonly counted: { readonly count: number }
    readonly estimated: { readonly value: number }
  }
}

/** The number of groups that match. */
export function groupTotalOf({ aggregations }: SearchAnswer<unknown>): number {
  const { doc_count, variants } = aggregations!.groupTotal as unknown as GroupTotal
  const { groups, counted, estimated } = variants
  const isExact = groups.sum_other_doc_count === 0
  return doc_count - variants.doc_count + (isExact ? counted.count : estimated.value)
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
  const groups = estimate(buckets > MANY_BUCKETS ? COUNTED : COUNTED_CLOSELY)
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

/** Requests the number of variants and the options of groups among the matches of `query`. */
export const variantsBody = (ids: readonly string[], query: Query): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query,
  aggs: {
    groups: {
      terms: { field: 'search.groupId', size: ids.length, execution_hint: 'map' },
      aggs: {
        options: {
          terms: {
            field: 'search.options',
            size: Math.min(limits.optionValues, Math.floor(limits.countedGroups / ids.length)),
            execution_hint: 'map',
          },
        },
      },
    },
  },
})

interface VariantsAnswer {
  readonly buckets: readonly (GroupCount & {
    readonly key: string
    readonly options: { readonly buckets: readonly { readonly key: string }[] }
  })[]
}

/** Reads the answer to `variantsBody` into groups by their ids. */
export function readVariants({ aggregations }: SearchAnswer<unknown>): Map<string, ProductGroup> {
  const { buckets } = aggregations!.groups as unknown as VariantsAnswer
  return new Map(
    buckets.map(({ key: id, doc_count: variants, options }) => [
      id,
      { id, variants, options: optionsOf(options.buckets.map(({ key }) => key)) },
    ]),
  )
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
