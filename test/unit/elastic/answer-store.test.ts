import { expect, test } from 'vitest'
import { createAnswerStore } from '../../../src/elastic/answer-store.ts'
import { SizeTrackingSerializer } from '../../../src/elastic/response-size.ts'
import type { SearchAnswer } from '../../../src/elastic/search.ts'

const KEYS = { whole: 'w', counts: 'c' }

/** An answer with a page of about 10,000 characters, and counts of about 1,000. */
function answerOf(): SearchAnswer<unknown> {
  const hits = [{ _id: 'A', _source: { name: 'x'.repeat(10_000) } }]
  const buckets = [{ key: 'y'.repeat(1_000), doc_count: 1 }]
  const json = { hits: { hits }, aggregations: { makers: { buckets } } }
  return new SizeTrackingSerializer().deserialize(JSON.stringify(json))
}

test('the parts of an answer take the room that each has', () => {
  const sizeOf = (part: 'all' | 'counts') => {
    const store = createAnswerStore({ most: 1e6, freeze: false })
    store.keep({ keys: KEYS, generation: '1', answer: answerOf(), part })
    return store.size()
  }
  expect(sizeOf('counts')).toBeGreaterThan(1_000)
  expect(sizeOf('counts')).toBeLessThan(1_200)
  expect(sizeOf('all')).toBeGreaterThan(11_000)
  expect(sizeOf('all')).toBeLessThan(11_300)
})
