import type { SearchAnswer } from '../elastic/search.ts'
import type { Criteria } from './criteria.ts'
import { type Metadata, shownMetadata } from './metadata-response.ts'
import { facetValuesBody } from './queries.ts'
import { type AggregationNode, type Facets, readFacets, readFacetValues } from './read-facets.ts'
import { type SearchTarget, searchContextOf } from './target.ts'
import type { Reading } from './understanding/reading.ts'

interface Counted {
  readonly answer: SearchAnswer<unknown>
  readonly reading: Reading
}

/** The metadata of an answer; what it shows too little of is asked for by one further request. */
export async function metadataOf(
  target: SearchTarget,
  criteria: Criteria,
  counted: Counted,
): Promise<Metadata> {
  const facets = await facetsOf(target, criteria, counted)
  return shownMetadata(facets, criteria, target.tuning?.facets)
}

async function facetsOf(
  target: SearchTarget,
  criteria: Criteria,
  { answer, reading }: Counted,
): Promise<Facets> {
  const { products, signal, walk } = target
  const facets = readFacets((answer.aggregations ?? {}) as AggregationNode, criteria)
  const names = facets.incomplete
  if (names.length === 0) return facets
  const body = facetValuesBody(criteria, searchContextOf(target), { reading, names })
  const again = await products.search(body, { signal, pointInTime: walk?.pointInTime })
  const values = readFacetValues((again.aggregations ?? {}) as AggregationNode, names)
  return { ...facets, facets: new Map([...facets.facets, ...values]) }
}
