import type { estypes } from '@elastic/elasticsearch'
import type { Elastic } from '../../src/elastic/client.ts'
import type { CatalogProduct } from './products.ts'

/** The baseline that needs no tuning: text fields with the analyzer for English. */
const FIELDS = ['title', 'description', 'manufacturer', 'partNumbers', 'attributes'] as const
type PlainDocument = Readonly<Record<(typeof FIELDS)[number], unknown>>

/** While the user is typing, the last word is a prefix. */
export const plainQuery = (keywords: string, typing: boolean) => ({
  multi_match: {
    query: keywords,
    fields: [...FIELDS],
    ...(typing ? { type: 'bool_prefix' as const } : {}),
  },
})

const plainDocument = (product: CatalogProduct): PlainDocument => ({
  title: product.name,
  description: product.description,
  manufacturer: product.manufacturer,
  partNumbers: [
    product.id,
    product.manufacturerPartNumber,
    ...product.upcs,
    ...product.vendors.map(({ vendorPartNumber }) => vendorPartNumber),
  ],
  attributes: Object.entries({ ...product.attributes, ...product.facets, ...product.filters }).map(
    ([name, value]) => `${name} ${value}`,
  ),
})

/** The analyzer `english` spelled out, since the embedded engine has only its parts. */
const ANALYSIS: estypes.IndicesIndexSettingsAnalysis = {
  filter: {
    possessive: { type: 'stemmer', language: 'possessive_english' },
    stop: { type: 'stop', stopwords: '_english_' },
    stemmer: { type: 'stemmer', language: 'english' },
  },
  analyzer: {
    plain: {
      type: 'custom',
      tokenizer: 'standard',
      filter: ['possessive', 'lowercase', 'stop', 'stemmer'],
    },
  },
}

const BATCH = 1_000
const REQUEST = { requestTimeout: 60_000 }

/** Indexes the products with default means, into a separate index. */
export async function indexPlainly(
  { client }: Elastic,
  index: string,
  products: readonly CatalogProduct[],
): Promise<void> {
  const text = { type: 'text', analyzer: 'plain' } as const
  await client.indices.create(
    {
      index,
      settings: { number_of_shards: 1, number_of_replicas: 0, analysis: ANALYSIS },
      mappings: { properties: Object.fromEntries(FIELDS.map((name) => [name, text])) },
    },
    REQUEST,
  )
  for (let first = 0; first < products.length; first += BATCH) {
    const batch = products.slice(first, first + BATCH)
    const operations = batch.flatMap((product) => [
      { index: { _id: product.id } },
      plainDocument(product),
    ])
    const { errors } = await client.bulk({ index, operations }, REQUEST)
    if (errors) throw new Error(`void: the plain index ${index} refused products`)
  }
  await client.indices.refresh({ index }, REQUEST)
}
