import { expect, test } from 'vitest'
import { ofSample, sampled, shareFor } from '../../../src/elastic/sampled.ts'

test.each([
  [0, 1],
  [100, 1],
  [101, 0.5],
  [400, 0.25],
])('of %i values, about 100 are counted', (values, share) => {
  expect(shareFor(values, 100)).toBe(share)
})

test('aggregations over a share are in a sample, and are read as if they were not', () => {
  const aggs = { names: { terms: { field: 'name' } } }
  expect(sampled(1, aggs)).toBe(aggs)
  expect(sampled(0.25, aggs)).toEqual({
    sample: { random_sampler: { probability: 0.25, seed: 1 }, aggs },
  })
  const names = { buckets: [] }
  const sample = { doc_count: 8, names }
  expect(ofSample({ aggregations: { sample } as never }).aggregations).toBe(sample)
  const whole = { aggregations: { names } }
  expect(ofSample(whole)).toBe(whole)
})
