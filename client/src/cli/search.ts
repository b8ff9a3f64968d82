import type { FoundProduct, SearchAnswer } from '../generated/api.ts'
import { walk } from '../paging.ts'
import type { Input } from '../types.ts'
import { numberIn } from './arguments.ts'
import { CATALOG, command, type Options, UsageError, type Values } from './command.ts'
import { columns, oneLine } from './output.ts'

const OPTIONS = {
  catalog: CATALOG,
  facet: { value: 'NAME=VALUE', multiple: true, about: 'only products with this value' },
  category: { value: 'NAME', about: 'only products in this category' },
  manufacturer: { value: 'NAME', multiple: true, about: 'only products by this manufacturer' },
  vendor: { value: 'NAME', multiple: true, about: 'only products offered by this vendor' },
  'min-price': { value: 'AMOUNT', about: 'lowest price' },
  'max-price': { value: 'AMOUNT', about: 'highest price' },
  'price-list': { value: 'NAME', about: 'search by and show prices of this list' },
  'in-stock': { about: 'only products in stock' },
  sort: {
    value: 'ORDER',
    choices: ['relevance', 'price', '-price', 'name', '-name', 'updated', 'popularity'],
    about:
      'relevance, price, name, updated or popularity; --sort=-price sorts by highest price first',
  },
  page: { value: 'NUMBER', about: 'page to show, counted from 0' },
  'page-size': { value: 'NUMBER', about: 'products per page' },
  facets: { about: 'also list facets with counts' },
  all: { about: 'all results, page by page; with --json, one line per product' },
} as const satisfies Options

type Order = NonNullable<Input<'search'>['sort']>

/** Builds the search request from a command line. Throws UsageError. */
export function requestOf(
  words: readonly string[],
  catalog: string | undefined,
  values: Values<typeof OPTIONS>,
): Input<'search'> {
  const lowPrice = numberIn(values['min-price'], 'min-price')
  const highPrice = numberIn(values['max-price'], 'max-price')
  const page = numberIn(values.page, 'page')
  const pageSize = numberIn(values['page-size'], 'page-size')
  const must = (values.facet ?? []).map(facetOf)
  return {
    ...(catalog === undefined ? {} : { catalog }),
    keywords: words.join(' '),
    ...(must.length > 0 ? { must } : {}),
    ...(values.category === undefined ? {} : { category: values.category }),
    ...(values.manufacturer ? { manufacturer: values.manufacturer } : {}),
    ...(values.vendor ? { vendors: values.vendor } : {}),
    ...(lowPrice === undefined ? {} : { lowPrice }),
    ...(highPrice === undefined ? {} : { highPrice }),
    ...(values['price-list'] === undefined ? {} : { priceList: values['price-list'] }),
    ...(values['in-stock'] ? { inStock: true } : {}),
    ...(values.sort === undefined ? {} : { sort: values.sort as Order }),
    ...(page === undefined ? {} : { page }),
    ...(pageSize === undefined ? {} : { pageSize }),
    ...(values.facets ? { counts: true } : { includeMetadata: false }),
  }
}

function facetOf(text: string) {
  const at = text.indexOf('=')
  if (at < 1) throw new UsageError(`--facet ${text}: write NAME=VALUE.`)
  return { type: 'facet' as const, name: text.slice(0, at), value: text.slice(at + 1) }
}

/** Fields of the table. The price is the one that the search filters and sorts by. */
const SHOWN = ['manufacturer', 'name', 'price', 'inStock'] as const

const row = ({ id, manufacturer, name, price, inStock }: FoundProduct) => [
  ...[id, manufacturer, name, price],
  inStock ? 'yes' : 'no',
]

const table = ({ products }: SearchAnswer): string[] =>
  products.length === 0
    ? []
    : columns(['id', 'maker', 'name', 'price', 'in stock'], products.map(row))

function counts({ metadata }: SearchAnswer): string[] {
  const { facets = {}, manufacturers = {} } = metadata?.counts ?? {}
  return Object.entries({ manufacturer: manufacturers, ...facets }).map(([name, values]) => {
    const all = Object.entries(values).map(([value, count]) => `${value} (${count})`)
    return oneLine(`${name}: ${all.join(', ')}`)
  })
}

function notes({ correctedTo, droppedWords = [] }: SearchAnswer): string[] {
  return [
    ...(correctedTo ? [oneLine(`Searched for: ${correctedTo}`)] : []),
    ...(droppedWords.length > 0 ? [oneLine(`Without: ${droppedWords.join(' ')}`)] : []),
  ]
}

export const searchCommands = [
  command({
    name: 'search',
    summary: 'Searches a catalog.',
    operands: 'WORDS...',
    count: [0, Infinity],
    options: OPTIONS,
    async run({ operands, values, catalog, client, json, say, answer }) {
      const request = {
        ...requestOf(operands, catalog, values),
        ...(json ? {} : { fields: SHOWN }),
      }
      if (values.all) {
        const { page, ...all } = request
        if (page !== undefined) throw new UsageError('--all cannot be combined with --page.')
        for await (const found of walk(client.search, all)) {
          for (const line of json
            ? found.products.map((one) => JSON.stringify(one))
            : table(found)) {
            say(line)
          }
        }
        return undefined
      }
      const found = await client.search(request)
      answer(found, () => [
        ...notes(found),
        ...table(found),
        ...(values.facets ? ['', ...counts(found)] : []),
        `${found.total} found`,
      ])
      return undefined
    },
  }),
]
