import { openCatalog } from '../catalogs/store.ts'
import { bucketsIn } from '../elastic/answer-parts.ts'
import { searchWithinBytes } from '../elastic/byte-limited-search.ts'
import { ofSample, sampled, shareFor } from '../elastic/sampled.ts'
import type { Aggregations } from '../elastic/search.ts'
import type { ProductNames } from '../formats/file-writer.ts'
import { limits } from '../limits.ts'
import type { Context } from '../operation.ts'
import { inSteps } from '../platform/in-steps.ts'
import type { Steps } from '../platform/steps.ts'
import type { Product } from '../products/product.ts'
import { foundProductsOf } from '../products/product-documents.ts'
import { SEPARATOR } from '../text.ts'
import { commonNames } from './common-names.ts'
import type { ExportSelection } from './job.ts'
import { readPage } from './selected-portions.ts'

const size = limits.exportNames

/** The index does not count attributes, so their names are those of some products. */
const SAMPLE = 100

/** Number of the most common option values from which the names of options are taken. */
const OPTION_VALUES = 1_000

/** Option values that are counted, equal ones too; of more, those of a random sample of products. */
const COUNTED_OPTIONS = 200_000

const OPTIONS = 'search.options'

const ASKED: Aggregations = {
  facets: { terms: { field: 'search.facetNames', size } },
  filters: {
    nested: { path: 'search.numbers' },
    aggs: { names: { terms: { field: 'search.numbers.name', size } } },
  },
  variants: {
    filter: { exists: { field: 'search.groupId' } },
    aggs: { options: { value_count: { field: OPTIONS } } },
  },
}

/** Uses `map`, since global ordinals would be built for the options of all organizations. */
const optionsAsked = (values: number): Aggregations =>
  sampled(shareFor(values, COUNTED_OPTIONS), {
    options: { terms: { field: OPTIONS, size: OPTION_VALUES, execution_hint: 'map' } },
  })

interface NameBuckets {
  readonly buckets: readonly { readonly key: string }[]
}
interface NamesAggregation {
  readonly facets: NameBuckets
  readonly filters: { readonly names: NameBuckets }
  readonly variants: { readonly doc_count: number; readonly options: { readonly value: number } }
}

const keysOf = ({ buckets }: NameBuckets): string[] => buckets.map(({ key }) => key)

/** The most common names of facets and filters in a catalog, and attributes of some products. */
export async function namesInCatalog(ctx: Context, catalog: string): Promise<ProductNames> {
  const found = foundProductsOf(ctx, await openCatalog(ctx, catalog))
  const { signal } = ctx
  const counting = ctx.answers.searchOf(found.place, found.search)
  const count = (aggs: Aggregations) =>
    counting({ size: 0, track_total_hits: false, aggs }, { signal })
  const [{ aggregations }, sample] = await Promise.all([
    count(ASKED),
    searchWithinBytes(
      found,
      { size: SAMPLE, _source: ['product.attributes'], sort: [{ 'search.id': 'asc' }] },
      { most: limits.answerBytes, signal },
    ),
  ])
  const { facets, filters, variants } = aggregations as unknown as NamesAggregation
  const hasVariants = variants.doc_count > 0
  const counted = hasVariants ? await count(optionsAsked(variants.options.value)) : {}
  const terms = bucketsIn(ofSample(counted), 'options')
  const options = new Set(terms.map(({ key }) => key.split(SEPARATOR)[0]!))
  return {
    // Options are also indexed as facets.
    facets: keysOf(facets).filter((name) => !options.has(name)),
    filters: keysOf(filters.names),
    attributes: await inSteps(namesIn(sample.map(({ product }) => product.attributes))),
    ...(hasVariants ? { variants: { options: [...options] } } : {}),
  }
}

/** The names of facets, filters and options of a selection, and attributes in a whole catalog. */
export async function namesFor(ctx: Context, selection: ExportSelection): Promise<ProductNames> {
  const { products: chosen, catalog } = selection
  if (!chosen) return namesInCatalog(ctx, catalog)
  const position = { exported: 0, after: null, mode: 'strict', size: chosen.length } as const
  const { products } = await readPage(ctx, selection, position, (product) => ({
    facets: product.facets,
    filters: product.filters,
    attributes: {},
    groupId: product.groupId ?? null,
    options: product.options ?? {},
  }))
  return inSteps(namesOf(products))
}

type ProductWithNames = Pick<Product, 'attributes' | 'facets' | 'filters' | 'groupId' | 'options'>

const namesIn = (all: readonly object[]): Steps<string[]> => commonNames(all, size)

/** The names of facets, filters, attributes and options that the products have. */
function* namesOf(products: readonly ProductWithNames[]): Steps<ProductNames> {
  const options = yield* namesIn(products.map((one) => one.options ?? {}))
  return {
    ...(products.some(({ groupId }) => groupId) ? { variants: { options } } : {}),
    facets: yield* namesIn(products.map(({ facets }) => facets)),
    filters: yield* namesIn(products.map(({ filters }) => filters)),
    attributes: yield* namesIn(products.map(({ attributes }) => attributes)),
  }
}
