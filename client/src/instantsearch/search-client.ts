import type { Connection } from '../connection.ts'
import type { SearchAnswer } from '../generated/api.ts'
import { search as searchOperation } from '../generated/operations.ts'
import { facetName, unescapeValue } from './attributes.ts'
import { type InstantSearchParams, narrowing, readIndex, searchRequest } from './request.ts'
import { searchResult } from './response.ts'

/** A request of InstantSearch; Autocomplete puts `query` beside `params`. */
interface IndexRequest {
  readonly indexName: string
  readonly query?: string
  readonly params?: object
}

/**
 * A search client for InstantSearch and Autocomplete. It returns results in their shape; their type
 * is `never` so that it fits the types of every version of them.
 */
export interface AisleSearchClient {
  search(requests: readonly IndexRequest[]): Promise<{ results: never[] }>
  searchForFacetValues(requests: unknown): Promise<never>
  /** Clears the cached answers. */
  clearCache(): void
  /** Autocomplete reads an Algolia application from here, and copies it into every hit. */
  readonly transporter: { readonly headers: Readonly<Record<string, string>> }
}

const NO_APPLICATION = { 'x-algolia-application-id': 'aisle', 'x-algolia-api-key': 'none' }

type ValuesParams = InstantSearchParams & {
  readonly facetName: string
  readonly facetQuery?: string
  readonly maxFacetHits?: number
}

const KEPT_ANSWERS = 50

/**
 * Lets InstantSearch search catalogs of Aisle. An index is a catalog, or a catalog and an order as
 * in `demo/price`. Besides the query for hits InstantSearch sends one for each facet with a chosen
 * value; Aisle counts these in any case, so one search answers all of them.
 */
export function aisleSearchClient(connection: Connection): AisleSearchClient {
  const answers = new Map<string, Promise<SearchAnswer>>()

  const search = (indexName: string, params: InstantSearchParams): Promise<SearchAnswer> => {
    const request = searchRequest(indexName, params)
    const id = JSON.stringify(request)
    const known = answers.get(id)
    if (known) return known
    const asked = searchOperation(connection, request)
    answers.set(id, asked)
    if (answers.size > KEPT_ANSWERS) answers.delete(answers.keys().next().value!)
    asked.catch(() => answers.delete(id))
    return asked
  }

  return {
    async search(requests) {
      const mains = new Map<string, Promise<SearchAnswer>>()
      const results = requests.map(async (request) => {
        const { indexName } = request
        const params = paramsOf(request)
        const id = JSON.stringify([indexName, params.query ?? ''])
        // A request without hits asks for facet counts that the search before it already returned.
        const main = params.hitsPerPage === 0 ? mains.get(id) : undefined
        const answer = main ?? search(indexName, params)
        mains.set(id, answer)
        return searchResult(indexName, params, await answer)
      })
      return { results: (await Promise.all(results)) as never[] }
    },
    async searchForFacetValues(requests) {
      const asked = (requests as readonly IndexRequest[]).map((one) => facetValues(connection, one))
      return (await Promise.all(asked)) as never
    },
    clearCache() {
      answers.clear()
    },
    transporter: { headers: NO_APPLICATION },
  }
}

const paramsOf = ({ query, params }: IndexRequest): InstantSearchParams => ({
  ...(query === undefined ? {} : { query }),
  ...params,
})

async function facetValues(connection: Connection, { indexName, params = {} }: IndexRequest) {
  const values = params as ValuesParams
  const { facetName: attribute, facetQuery = '', maxFacetHits = 20 } = values
  const name = facetName(attribute)
  const { metadata, took } = await searchOperation(connection, {
    catalog: readIndex(indexName).catalog,
    keywords: values.query ?? '',
    ...narrowing(values),
    pageSize: 1,
    analytics: false,
    facetSearch: {
      text: unescapeValue(facetQuery),
      ...(name === undefined ? { type: attribute as 'manufacturer' } : { name, type: 'facet' }),
    },
  })
  const found = Object.entries(metadata?.facetSearch ?? {}).sort((a, b) => b[1] - a[1])
  return {
    facetHits: found
      .slice(0, maxFacetHits)
      .map(([value, count]) => ({ value, highlighted: value, count })),
    exhaustiveFacetsCount: true,
    processingTimeMS: took,
  }
}
