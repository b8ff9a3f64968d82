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
 * Searches as the service does, in this process, since no caller may leave steps out. Of an
 * organization's own catalog.
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
      // Whole products of many searches at once would be refused.
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

/** What a run with some steps left out finds. */
export interface StepRow {
  /** Absent of the run with all steps. */
  readonly step?: StepName
  /** nDCG@10 of the rated queries; absent without any. */
  readonly ndcg?: number
  /** Right of the first ten, of the shopper queries. */
  readonly shoppers: Readonly<Record<'tune' | 'held', number>>
}
