import type { SearchAnswer, SearchBody } from '../elastic/search.ts'
import type { Criteria } from './criteria.ts'
import { type Metadata, shownMetadata } from './metadata-response.ts'
import { baseQuery, facetValuesBody } from './queries.ts'
import { type RangeFacets, rangeAggregations, readRanges } from './range-facets.ts'
import { type AggregationNode, type Facets, readFacets, readFacetValues } from './read-facets.ts'
import { shownFacets } from './restricted-criteria.ts'
import { type SearchTarget, searchContextOf } from './target.ts'
import type { Reading } from './understanding/reading.ts'

interface CountedAnswer {
  readonly answer: SearchAnswer<unknown>
  readonly reading: Reading
}

interface Made {
  readonly print: string
  readonly metadata: Metadata
}

/** What was made last of what was counted: of a kept answer it is the same for equal requests. */
const madeOf = new WeakMap<object, Made>()

/**
 * The metadata of an answer; what it shows too little of is asked for by one further request. Nobody
 * may change it.
 */
export async function metadataOf(
  target: SearchTarget,
  criteria: Criteria,
  counted: CountedAnswer,
): Promise<Metadata> {
  const { aggregations } = counted.answer
  if (!aggregations) return readMetadata(target, criteria, counted)
  const print = printOf(target, criteria)
  const made = madeOf.get(aggregations)
  if (made?.print === print) return made.metadata
  const metadata = await readMetadata(target, criteria, counted)
  madeOf.set(aggregations, { print, metadata })
  return metadata
}

/** All that decides what is shown of the same counts. */
function printOf({ tuning, viewer }: SearchTarget, criteria: Criteria): string {
  const { from, size, cursor, sort, highlight, selection, whole, ...counted } = criteria
  return JSON.stringify([counted, tuning?.facets, viewer.hide, viewer.prices?.list])
}

async function readMetadata(
  target: SearchTarget,
  criteria: Criteria,
  counted: CountedAnswer,
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
  { answer, reading }: CountedAnswer,
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
