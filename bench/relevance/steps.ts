import type { Elastic } from '../../src/elastic/client.ts'
import { productsOf } from '../../src/products/product-documents.ts'
import { criteriaOf } from '../../src/search/criteria.ts'
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
export const stepSearcher =
  (elastic: Elastic, organization: string, without: ReadonlySet<StepName>): Searcher =>
  async (keywords, { typing = false, size = FIRST } = {}) => {
    const request = SearchRequest.parse({
      keywords,
      typing,
      pageSize: size,
      includeMetadata: false,
    })
    const target = {
      products: productsOf({ elastic }, { owner: organization, name: CATALOG }),
      viewer: { organization, username: 'bench', keyType: 'full' as const },
      language: 'en' as const,
      signal: AbortSignal.timeout(60_000),
      without,
    }
    const { products, total } = await runSearch(target, criteriaOf(request))
    return { ids: products.map(({ id }) => id), total }
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
