import type { SearchAnswer, SearchBody } from '../elastic/search.ts'
import type { Criteria } from './criteria.ts'
import { type Metadata, shownMetadata } from './metadata-response.ts'
import { baseQuery, facetValuesBody } from './queries.ts'
import { type RangeFacets, rangeAggregations, readRanges } from './range-facets.ts'
import { type AggregationNode, type Facets, readFacets, readFacetValues } from './read-facets.ts'
import { shownFacets } from './restricted-criteria.ts'
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
  const metadata = shownMetadata(facets, criteria, target.tuning?.facets)
  if (!criteria.facets?.ranges) return metadata
  return {
    ...metadata,
    ranges: await rangesOf(target, criteria, { facets, reading: counted.reading }),
  }
}

/** Where ranges begin and end follows from what was found, so that they are counted afterwards. */
async function rangesOf(
  target: SearchTarget,
  criteria: Criteria,
  { facets, reading }: { facets: Facets; reading: Reading },
): Promise<RangeFacets> {
  const { products, signal, walk } = target
  const context = searchContextOf(target)
  const body: SearchBody = {
    size: 0,
    track_total_hits: false,
    query: baseQuery(criteria, context, { reading }),
    aggs: rangeAggregations(criteria, context, facets),
  }
  const { aggregations } = await products.search(body, { signal, pointInTime: walk?.pointInTime })
  return readRanges((aggregations ?? {}) as AggregationNode, facets)
}

async function facetsOf(
  target: SearchTarget,
  criteria: Criteria,
  { answer, reading }: Counted,
): Promise<Facets> {
  const { products, signal, walk, viewer } = target
  const found = readFacets((answer.aggregations ?? {}) as AggregationNode, criteria)
  const facets = shownFacets(found, viewer)
  const names = facets.incomplete
  if (names.length === 0) return facets
  const body = facetValuesBody(criteria, searchContextOf(target), { reading, names })
  const again = await products.search(body, { signal, pointInTime: walk?.pointInTime })
  const values = readFacetValues((again.aggregations ?? {}) as AggregationNode, names)
  return { ...facets, facets: new Map([...facets.facets, ...values]) }
}
