import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { CatalogScope } from '../catalogs/store.ts'
import type { Elastic } from '../elastic/client.ts'
import { PRODUCTS } from '../elastic/own-index.ts'
import { type Aggregations, search } from '../elastic/search.ts'
import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { DistinctEstimate } from '../platform/distinct-estimate.ts'
import { fnv1a } from '../platform/fnv1a.ts'
import { memoizeWeak } from '../platform/memoize-weak.ts'
import type { Product } from './product.ts'
import { facetsOf } from './text-fields.ts'

interface CountedField {
  readonly name: string
  /** Field of the index. */
  readonly field: string
  readonly nested?: string
  /** A hash of each value that a product has. */
  hashesOf(product: Product): number[]
}

const hashOf = (...parts: readonly (string | null)[]): number =>
  parts.reduce<number | undefined>((hash, part) => fnv1a(`${part}\0`, hash), undefined)!

/** What searches count the values of. */
const COUNTED: readonly CountedField[] = [
  {
    name: 'facet values',
    field: 'search.facets',
    hashesOf: (product) => facetsOf(product).map(([name, value]) => hashOf(name, value)),
  },
  {
    name: 'filters',
    field: 'search.numbers.name',
    nested: 'search.numbers',
    hashesOf: ({ filters }) => Object.keys(filters).map((name) => hashOf(name)),
  },
  {
    name: 'vendors',
    field: 'search.vendors',
    hashesOf: ({ vendors }) => vendors.map(({ vendorName }) => hashOf(vendorName)),
  },
  {
    name: 'manufacturers',
    field: 'search.manufacturer',
    hashesOf: ({ manufacturer }) => (manufacturer === null ? [] : [hashOf(manufacturer)]),
  },
  {
    name: 'categories',
    field: 'search.path',
    hashesOf: ({ segment, category, subCategory }) =>
      (segment ?? category ?? subCategory) === null ? [] : [hashOf(segment, category, subCategory)],
  },
]

/** How many distinct values an organization has in each field, in the order of COUNTED. */
type DistinctCounts = readonly number[]
/** The same of values that were written. */
type DistinctEstimates = readonly DistinctEstimate[]

const newEstimates = (): DistinctEstimates => COUNTED.map(() => new DistinctEstimate())

const mostOf = (written: DistinctEstimates): number =>
  Math.max(...written.map((one) => one.count()))

interface OrganizationValues {
  /** As last counted. */
  counts: DistinctCounts
  /** What was written since. */
  written: DistinctEstimates
  /** What was written since the count that is under way began. */
  meanwhile: DistinctEstimates | undefined
  /** How many distinct values of a field may be written before they are counted again. */
  room: number
  /** The time of the last count in milliseconds; Infinity while one is under way. */
  countedAt: number
}

/** Organizations whose values an instance knows, with 16 KiB for each field, or twice as much. */
const ORGANIZATIONS = 250
/** Milliseconds until values are counted again for products that are refused. */
const AGAIN_MS = 5_000
/**
 * Values that may be written while they cannot be counted, as a multiple of the limit: a million,
 * which an estimate can still tell from more.
 */
const UNCOUNTED = 2
/** Milliseconds for the count, which no request waits for. Ten million values take two seconds. */
const COUNT_MS = 30_000
/** Milliseconds until searches find what was written, generously. */
const REFRESH_MS = 1_000
/** Distinct values up to which the count is nearly exact. Beyond, it is off by a percent or two. */
const PRECISION = 10_000
/** Values that are always written before they are counted, as a share of the limit. */
const LEAST_ROOM = 0.02

interface Counting {
  /**
   * Counts the values of an organization in the index that catalogs share, with all that was
   * written before.
   */
  count(owner: string): Promise<DistinctCounts>
  now(): number
}

/**
 * Limits the distinct values that searches count, by organization, since Elasticsearch rebuilds the
 * global ordinals of all organizations in a shard after each write. They are counted while writes
 * continue, so a fast import may exceed the limit by what it writes in a few seconds.
 */
export function createCountedValues({ count, now }: Counting) {
  const known = new LRUCache<string, OrganizationValues>({ max: ORGANIZATIONS })
  const leastRoom = () => limits.countedValues * LEAST_ROOM

  function valuesOf(owner: string): OrganizationValues {
    const found = known.get(owner)
    if (found) return found
    const values: OrganizationValues = {
      counts: [],
      written: newEstimates(),
      meanwhile: undefined,
      room: leastRoom(),
      countedAt: -Infinity,
    }
    known.set(owner, values)
    return values
  }

  async function recount(owner: string, values: OrganizationValues): Promise<void> {
    if (values.countedAt === Infinity) return
    values.countedAt = Infinity
    values.meanwhile = newEstimates()
    try {
      values.counts = await count(owner)
      values.written = values.meanwhile
      values.room = Math.max(limits.countedValues - Math.max(...values.counts), leastRoom())
    } catch {
      // They are counted again after the next values.
      values.room = mostOf(values.written) + leastRoom()
    }
    values.meanwhile = undefined
    values.countedAt = now()
  }

  /** Whether there are too many, as far as is known. A written value may have been there before. */
  function isFull({ counts, written }: OrganizationValues, at: number): boolean {
    const counted = counts[at] ?? 0
    const most = limits.countedValues
    return counted >= most || counted + written[at]!.count() >= UNCOUNTED * most
  }

  /** The reason why a product must not be written in the shared index; undefined if it may. */
  function problemOf(owner: string, { before, after }: ProductWrite): string | undefined {
    const values = valuesOf(owner)
    for (const [at, { name, hashesOf }] of COUNTED.entries()) {
      const hashes = hashesOf(after)
      if (isFull(values, at)) {
        const had = new Set(before && hashesOf(before))
        if (hashes.some((hash) => !had.has(hash))) {
          if (values.countedAt + AGAIN_MS <= now()) void recount(owner, values)
          return tooMany(name)
        }
      }
      for (const hash of hashes) {
        values.written[at]!.add(hash)
        values.meanwhile?.[at]?.add(hash)
      }
    }
    if (mostOf(values.written) > values.room) void recount(owner, values)
    return undefined
  }

  return { problemOf }
}

/** A product before a write, if there was one, and after it. */
interface ProductWrite {
  readonly before: Product | undefined
  readonly after: Product
}

const tooMany = (what: string): string =>
  `the organization has ${limits.countedValues.toLocaleString('en')} different ${what} in the index that catalogs share, which is the limit`

const countedValuesOf = memoizeWeak((elastic: Elastic) =>
  createCountedValues({
    async count(owner) {
      await sleep(REFRESH_MS, undefined, { ref: false })
      return countIn(elastic, owner)
    },
    now: () => performance.now(),
  }),
)

interface WrittenIndex {
  readonly owner: string
  /** The kind of the index. */
  readonly kind: string
}

/**
 * The reason why a product must not be written, since its organization has too many values that
 * searches count; undefined if it may.
 */
export const valueProblem = (
  elastic: Elastic,
  { owner, kind }: WrittenIndex,
  write: ProductWrite,
): string | undefined =>
  kind === PRODUCTS ? countedValuesOf(elastic).problemOf(owner, write) : undefined

/** Throws Invalid for such a product of a catalog. */
export function checkValues(
  elastic: Elastic,
  { owner, index }: Pick<CatalogScope, 'owner' | 'index'>,
  write: ProductWrite,
): void {
  const problem = valueProblem(elastic, { owner, kind: index?.kind ?? PRODUCTS }, write)
  if (problem) throw new Invalid(`body: ${problem}`)
}

async function countIn(elastic: Elastic, owner: string): Promise<DistinctCounts> {
  const query = { prefix: { scope: `${owner}/` } }
  const body = { size: 0, track_total_hits: false, query, aggs: COUNTS }
  const place = { kind: PRODUCTS, scope: null }
  const { aggregations = {} } = await search(elastic, place, body, { timeoutMs: COUNT_MS })
  return COUNTED.map(({ name }) => {
    const found = aggregations[name] as Partial<Distinct> & { readonly distinct?: Distinct }
    return (found.distinct ?? found).value ?? 0
  })
}

interface Distinct {
  readonly value: number
}

const distinct = (field: string): Aggregations[string] => ({
  cardinality: { field, precision_threshold: PRECISION, execution_hint: 'direct' },
})

const COUNTS: Aggregations = Object.fromEntries(
  COUNTED.map(({ name, field, nested }) => [
    name,
    nested ? { nested: { path: nested }, aggs: { distinct: distinct(field) } } : distinct(field),
  ]),
)
