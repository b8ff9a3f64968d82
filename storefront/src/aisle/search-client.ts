import type { SearchClient } from 'instantsearch.js'
import type { Call } from './api.ts'
import { facetName, unescapeValue } from './attributes.ts'
import { type InstantSearchParams, narrowing, readIndex, searchRequest } from './request.ts'
import { searchResult } from './response.ts'
import type { SearchAnswer } from './types.ts'

interface IndexRequest {
  readonly indexName: string
  readonly params?: InstantSearchParams
}

interface ValuesRequest extends IndexRequest {
  readonly params: InstantSearchParams & {
    readonly facetName: string
    readonly facetQuery?: string
    readonly maxFacetHits?: number
  }
}

const KEPT_ANSWERS = 50

/**
 * Lets InstantSearch search a catalog of Aisle. Its index is the catalog, or the catalog and an order
 * as in `demo/price`. Besides the query for hits InstantSearch sends one for each facet in which
 * something is chosen; Aisle counts these without being asked, so all are one search.
 */
export function aisleSearchClient(call: Call): SearchClient {
  const answers = new Map<string, Promise<SearchAnswer>>()

  const search = (indexName: string, params: InstantSearchParams): Promise<SearchAnswer> => {
    const body = searchRequest(indexName, params)
    const id = JSON.stringify([indexName, body])
    const known = answers.get(id)
    if (known) return known
    const asked = call<SearchAnswer>('POST', pathOf(indexName), { body })
    answers.set(id, asked)
    if (answers.size > KEPT_ANSWERS) answers.delete(answers.keys().next().value!)
    asked.catch(() => answers.delete(id))
    return asked
  }

  const client = {
    async search(requests: readonly IndexRequest[]) {
      const first = new Map<
        string,
        { params: InstantSearchParams; answer: Promise<SearchAnswer> }
      >()
      const results = requests.map(async ({ indexName, params = {} }) => {
        const main = first.get(indexName) ?? { params, answer: search(indexName, params) }
        first.set(indexName, main)
        return searchResult(indexName, params, await main.answer)
      })
      return { results: await Promise.all(results) }
    },
    async searchForFacetValues(requests: readonly ValuesRequest[]) {
      return Promise.all(requests.map((request) => facetValues(call, request)))
    },
    clearCache() {
      answers.clear()
    },
  }
  // InstantSearch has the types of Algolia's own client, of which it reads no more than this.
  return client as unknown as SearchClient
}

const pathOf = (indexName: string): string =>
  `api/search?catalog=${encodeURIComponent(readIndex(indexName).catalog)}`

async function facetValues(call: Call, { indexName, params }: ValuesRequest) {
  const { facetName: attribute, facetQuery = '', maxFacetHits = 20 } = params
  const name = facetName(attribute)
  const answer = await call<SearchAnswer>('POST', pathOf(indexName), {
    body: {
      keywords: params.query ?? '',
      ...narrowing(params),
      pageSize: 1,
      analytics: false,
      facetSearch: {
        text: unescapeValue(facetQuery),
        ...(name === undefined ? { type: attribute } : { name, type: 'facet' }),
      },
    },
  })
  const found = Object.entries(answer.metadata?.facetSearch ?? {}).sort((a, b) => b[1] - a[1])
  return {
    facetHits: found
      .slice(0, maxFacetHits)
      .map(([value, count]) => ({ value, highlighted: value, count })),
    exhaustiveFacetsCount: true,
    processingTimeMS: answer.took,
  }
}
