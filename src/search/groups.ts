import { all } from '../elastic/clauses.ts'
import type { Aggregations, Query, SearchAnswer, SearchBody } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { ViewableDocument } from '../products/view.ts'
import { SEPARATOR } from '../text.ts'
import type { Criteria } from './criteria.ts'

/** What a hit says of its group; of what is no variant it stands for itself. */
export interface ProductGroup {
  /** The groupId; null of what is no variant. */
  readonly id: string | null
  /** Variants that match, the shown one among them. */
  readonly variants: number
  /** The values of each option that variants which match have. */
  readonly options: Readonly<Record<string, readonly string[]>>
}

const IS_VARIANT: Query = { exists: { field: 'search.groupId' } }

/** One hit for each group: the first by the order of the search. */
export const collapsed: Pick<SearchBody, 'collapse'> = { collapse: { field: 'search.group' } }

/** What of the answer is not sent: groups are counted, not listed. */
export const unsent: Pick<SearchBody, 'filter_path'> = {
  filter_path: ['-aggregations.groupTotal.variants.groups.buckets'],
}

/**
 * Counts groups exactly: what is no variant by itself, and groups by their terms. With more than
 * `limits.countedGroups` of them an estimate stands in. Of several shards each answers so many at
 * most: where one has more, what is cut off shows as `sum_other_doc_count`.
 */
export const groupTotalAggregation = (selections: readonly Query[]): Aggregations => ({
  groupTotal: {
    filter: all(selections) ?? { match_all: {} },
    aggs: {
      variants: {
        filter: IS_VARIANT,
        aggs: {
          groups: {
            terms: {
              field: 'search.groupId',
              size: limits.countedGroups,
              shard_size: limits.countedGroups,
            },
          },
          counted: { stats_bucket: { buckets_path: 'groups>_count' } },
          estimated: estimate(40_000),
        },
      },
    },
  },
})

// Below the threshold distinct terms are told apart by their hashes: near a thousand an error of one
// is a matter of one in a hundred.
const estimate = (threshold: number): Aggregations[string] => ({
  cardinality: { field: 'search.groupId', precision_threshold: threshold },
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

/** Each bucket takes 8 KiB for this, of a list with many 4: of these a search has thousands. */
const [COUNTED_CLOSELY, COUNTED] = [1_500, 750]
const MANY_BUCKETS = 1_000

/**
 * Beside each of `buckets` buckets of products: how many groups they are. Nothing where no counts are
 * shown.
 */
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

/** Groups of a bucket where they were asked for, else its products. */
export function countOf(bucket: CountedBucket): number {
  const { doc_count, variants } = bucket.products ?? bucket
  return variants ? doc_count - variants.doc_count + variants.groups.value : doc_count
}

/** The groups of a page, each once. */
export const groupIdsOf = (documents: readonly ViewableDocument[]): string[] => [
  ...new Set(documents.flatMap(({ product: { groupId } }) => groupId ?? [])),
]

/** Asks for the variants of some groups, and their options, among what `query` finds. */
export const variantsBody = (ids: readonly string[], query: Query): SearchBody => ({
  size: 0,
  track_total_hits: false,
  query,
  aggs: {
    groups: {
      terms: { field: 'search.groupId', size: ids.length },
      aggs: {
        options: {
          terms: {
            field: 'search.options',
            size: Math.min(limits.optionValues, Math.floor(limits.countedGroups / ids.length)),
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

/** The answer to `variantsBody`: groups by their id. */
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
  const options = new Map<string, string[]>()
  for (const term of terms) {
    const [name, value] = term.split(SEPARATOR) as [string, string]
    const values = options.get(name)
    if (values) values.push(value)
    else options.set(name, [value])
  }
  return Object.fromEntries(
    [...options].map(([name, values]) => [name, values.toSorted(bySize)] as const),
  )
}

/** XS before S before M … before XXL; 2XL is the same as XXL. */
function clothing(value: string): number | undefined {
  const [, xs = '', digits, size] = /^(?:(x{0,5})|(\d)x)([sml])$/i.exec(value.trim()) ?? []
  if (size === undefined) return undefined
  const steps = digits === undefined ? xs.length : Number(digits)
  return { s: -1 - steps, m: 0, l: 1 + steps }[size.toLowerCase()]
}

/** Sizes by size, numbers by value, other texts by the alphabet. */
export function bySize(a: string, b: string): number {
  const [left, right] = [clothing(a), clothing(b)]
  if (left !== undefined && right !== undefined && left !== right) return left - right
  return a.localeCompare(b, 'en', { numeric: true })
}

/** What a hit shows of its group. */
export const groupOfHit = (
  { product: { groupId, options = {} } }: ViewableDocument,
  groups: ReadonlyMap<string, ProductGroup>,
): ProductGroup =>
  (groupId ? groups.get(groupId) : undefined) ?? {
    id: groupId ?? null,
    variants: 1,
    // Of a group that went between two requests, and of what is no variant.
    options: Object.fromEntries(Object.entries(options).map(([name, value]) => [name, [value]])),
  }
