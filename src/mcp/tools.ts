import { z } from 'zod'
import { limits } from '../limits.ts'
import { OmittableText } from '../shapes.ts'

/** The request that a tool sends to its operation, in revision 6.0. */
export interface ToolRequest {
  readonly param?: object
  readonly query?: object
  readonly body?: object
}

/** One tool: an operation of the table in terms that a model understands. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodType
  /** The name of the operation that answers it. */
  readonly operation: string
  request(input: never): ToolRequest
  /** The part of the operation's answer that is returned to the model. */
  answer(answer: never): object
}

interface ToolDeclaration<S extends z.ZodType> extends Omit<Tool, 'input' | 'request' | 'answer'> {
  readonly input: S
  request(input: z.output<S>): ToolRequest
  // biome-ignore lint/suspicious/noExplicitAny: what operations answer is typed where they are declared
  answer(answer: any): object
}

const tool = <S extends z.ZodType>(declared: ToolDeclaration<S>): Tool => declared as Tool

const PAGE = 10
const LONGEST_PAGE = 50
const SHOWN = [
  ...['name', 'manufacturer', 'manufacturerPartNumber', 'catalog', 'segment', 'category'],
  ...['subCategory', 'facets', 'price', 'inStock', 'msrp'],
]

const text = z.string().max(limits.nameLength)
const texts = z.array(text).max(limits.criteria)

const Catalog = OmittableText.describe(
  "Name of a catalog. Defaults to the organization's default catalog.",
)

const Narrowing = {
  catalog: Catalog,
  keywords: OmittableText.describe(
    'Words, part numbers, or numbers with units. Omit it to find all products.',
  ),
  facets: z
    .array(z.strictObject({ name: text, value: z.string().max(limits.valueLength) }))
    .max(limits.criteria)
    .optional()
    .describe('Facet values that products must have, as named by list_facets.'),
  manufacturers: texts.optional().describe('Products must be from one of these manufacturers.'),
  vendors: texts
    .optional()
    .describe(
      'Products must have an offer from one of these vendors. Price and stock filters apply to the same offer.',
    ),
  category: text.optional().describe('Exact name of a category.'),
  inStock: z
    .boolean()
    .optional()
    .describe('Whether to include only products that at least one vendor has in stock.'),
  minPrice: z.number().optional().describe('Minimum price.'),
  maxPrice: z.number().optional().describe('Maximum price.'),
}

const Search = z.strictObject({
  ...Narrowing,
  sort: z
    .enum(['relevance', 'price', '-price', 'name', '-name', 'updated', 'popularity'])
    .optional()
    .describe('Sort order. `-price` sorts by price, highest first.'),
  page: z.int().min(0).optional().describe('Page number, starting at 0.'),
  pageSize: z.int().min(1).max(LONGEST_PAGE).default(PAGE).describe('Number of products per page.'),
})

const Facets = z.strictObject(Narrowing)

function narrowed({ facets, manufacturers, minPrice, maxPrice, ...rest }: z.output<typeof Facets>) {
  const { catalog, keywords, vendors, category, inStock } = rest
  return {
    query: { catalog },
    body: {
      ...{ keywords, vendors, category, inStock },
      manufacturer: manufacturers,
      lowPrice: minPrice,
      highPrice: maxPrice,
      must: facets?.map((facet) => ({ type: 'facet', ...facet })),
    },
  }
}

/** Every tool; none changes anything. */
export const TOOLS: readonly Tool[] = [
  tool({
    name: 'search_products',
    title: 'Search products',
    description:
      'Searches a product catalog by words, part numbers and filters. Returns the id, name, manufacturer, price and stock of each product.',
    input: Search,
    operation: 'Search',
    request({ sort, page, pageSize, ...narrowing }) {
      const { query, body } = narrowed(narrowing)
      const shown = { fields: SHOWN, compact: true, includeMetadata: false }
      return { query, body: { ...body, ...shown, sort, page, pageSize } }
    },
    answer: ({ products, total, correctedTo, droppedWords, priceList }) => ({
      total,
      priceList,
      products,
      correctedTo,
      droppedWords,
    }),
  }),
  tool({
    name: 'list_facets',
    title: 'List facets',
    description:
      'Lists the facets, categories, manufacturers, vendors and prices that narrow a search of a product catalog, with the number of products for each value.',
    input: Facets,
    operation: 'Search',
    request(narrowing) {
      const { query, body } = narrowed(narrowing)
      const least = { pageSize: 1, fields: ['id'], counts: true, analytics: false }
      return { query, body: { ...body, ...least } }
    },
    answer: ({ total, priceList, metadata }) => ({ total, priceList, ...metadata?.counts }),
  }),
  tool({
    name: 'get_product',
    title: 'Get a product',
    description: 'Returns a product by its id, with its description, attributes and vendor offers.',
    input: z.strictObject({
      catalog: z.string().describe("Name of the product's catalog."),
      id: z.string().describe('Id of the product, as returned by search_products.'),
    }),
    operation: 'Get Product',
    request: ({ catalog, id }) => ({ param: { catalog, id }, query: {} }),
    answer: (product) => product,
  }),
  tool({
    name: 'match_list',
    title: 'Match a list of parts',
    description:
      'Finds the products that the lines of a list refer to, such as "2x DS18-040" or "10 pcs hex bolt M8x40", with quantities. Separates certain matches from possible ones.',
    input: z.strictObject({
      catalog: z.string().describe('Name of the catalog.'),
      text: z.string().describe('The list, with one product per line.'),
    }),
    operation: 'Run Recommendation Extension',
    request: ({ catalog, text }) => ({
      param: { extension: 'bom' },
      body: { additionalFields: { catalog, text } },
    }),
    answer: ({ matchedProducts, possibleProducts }) => ({ matchedProducts, possibleProducts }),
  }),
]
