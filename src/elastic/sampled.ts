import type { Aggregated } from './answer-parts.ts'
import type { Aggregations } from './search.ts'

// An aggregation by `map` keeps each of its terms in the heap of Elasticsearch, which all
// organizations share. So of many values only those of a random sample of documents are counted.

/** The share of documents by which about `most` of `values` values are counted; 1: all. */
export const shareFor = (values: number, most: number): number =>
  // Elasticsearch takes no share between a half and one.
  values <= most ? 1 : Math.min(most / values, 0.5)

/** Aggregations over a share of the documents. Their counts are estimates for all. */
export const sampled = (share: number, aggs: Aggregations): Aggregations =>
  share === 1 ? aggs : { sample: { random_sampler: { probability: share, seed: 1 }, aggs } }

/** The answer to `sampled` aggregations, as if they had no sample. */
export const ofSample = (answer: Aggregated): Aggregated =>
  answer.aggregations?.sample ? { aggregations: answer.aggregations.sample as never } : answer
