import { z } from 'zod'
import { limits } from '../limits.ts'

/** What a tool sends to its operation, as a request of revision 6.0 has it. */
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
  /** What of the operation's answer a model is shown. */
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

const Catalog = z
  .string()
  .optional()
  .describe("Name of a catalog; the organization's default catalog when absent.")

const Narrowing = {
  catalog: Catalog,
  keywords: z
    .string()
    .optional()
    .describe('Words, part numbers, or numbers with units; everything when absent.'),
  facets: z
    .array(z.strictObject({ name: text, value: text }))
    .max(limits.criteria)
    .optional()
    .describe('Values of facets that products must have, as list_facets names them.'),
  manufacturers: texts.optional().describe('Alternatives.'),
  vendors: texts.optional().describe('Alternatives; price and stock hold on the same offer.'),
  category: text.optional().describe('The exact name of a category.'),
  inStock: z.boolean().optional().describe('true: only what somebody has in stock.'),
  minPrice: z.number().optional().describe('Least price.'),
  maxPrice: z.number().optional().describe('Highest price.'),
}

const Search = z.strictObject({
  ...Narrowing,
  sort: z
    .enum(['relevance', 'price', '-price', 'name', '-name', 'updated', 'popularity'])
    .optional()
    .describe('-price: the highest first.'),
  page: z.int().min(0).optional().describe('Counts from 0.'),
  pageSize: z.int().min(1).max(LONGEST_PAGE).default(PAGE).describe('Products of a page.'),
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
      'Searches a product catalog by words, part numbers and filters. Says of each product its id, name, manufacturer, price and stock.',
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
      'Lists what narrows a search of a product catalog, with the number of products for each value: facets, categories, manufacturers, vendors and prices.',
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
    description:
      'Reads a product by its id: its description, attributes, and the offers of vendors.',
    input: z.strictObject({
      catalog: z.string().describe('Name of the catalog that it is in.'),
      id: z.string().describe('The id, as search_products says it.'),
    }),
    operation: 'Get Product',
    request: ({ catalog, id }) => ({ param: { catalog, id }, query: {} }),
    answer: (product) => product,
  }),
  tool({
    name: 'match_list',
    title: 'Match a list of parts',
    description:
      'Finds the products that the lines of a list mean, as "2x DS18-040" or "10 pcs hex bolt M8x40", with quantities. Products that are sure come apart from those that are possible.',
    input: z.strictObject({
      catalog: z.string().describe('Name of the catalog.'),
      text: z.string().describe('The list, a product on each line.'),
    }),
    operation: 'Run Recommendation Extension',
    request: ({ catalog, text }) => ({
      param: { extension: 'bom' },
      body: { additionalFields: { catalog, text } },
    }),
    answer: ({ matchedProducts, possibleProducts }) => ({ matchedProducts, possibleProducts }),
  }),
]
