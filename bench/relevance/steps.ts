import type { Elastic } from '../../src/elastic/client.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { criteriaOf } from '../../src/search/criteria.ts'
import { learnTypes } from '../../src/search/learning/learn-types.ts'
import { SearchRequest } from '../../src/search/request-schemas.ts'
import { runSearch } from '../../src/search/run.ts'
import type { StepName } from '../../src/search/understanding/understanding.ts'
import { CATALOG } from '../organization.ts'
import { FIRST } from './metrics.ts'
import type { Searcher } from './searchers.ts'

/**
 * Runs searches of an organization's own catalog in this process, as the service does, since the
 * API does not allow steps to be left out.
 */
export function stepSearcher(
  elastic: Elastic,
  organization: string,
  without: ReadonlySet<StepName>,
): Searcher {
  const scope = { owner: organization, name: CATALOG, index: null, language: 'en' as const }
  const learning = learnTypes(elastic, scope)
  return async (keywords, { typing = false, size = FIRST } = {}) => {
    const request = SearchRequest.parse({
      keywords,
      typing,
      pageSize: size,
      includeMetadata: false,
      // Many searches at once that return whole products would be refused.
      fields: ['id'],
    })
    const target = {
      products: productsOf({ elastic }, scope),
      viewer: { organization, username: 'bench', keyType: 'full' as const },
      language: scope.language,
      learned: await learning,
      signal: AbortSignal.timeout(60_000),
      without,
    }
    const { products, total } = await runSearch(target, criteriaOf(request))
    return { ids: products.map(({ id }) => id), total }
  }
}

/** Results of a run with one step left out. */
export interface StepRow {
  /** Absent in the run with all steps. */
  readonly step?: StepName
  /** nDCG@10 of the rated queries; absent if there are none. */
  readonly ndcg?: number
  /** Share of expected hits among the first ten, for the shopper queries. */
  readonly shoppers: Readonly<Record<'tune' | 'held', number>>
}
