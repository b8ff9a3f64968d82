import { expect, test } from 'vitest'
import {
  batchAnswer,
  batchAnswers,
  offersAnswer,
  offersAnswers,
} from '../../../src/bulk/merge-attempts.ts'

test('results of a repeated batch complete those of the first attempt', () => {
  const result = (status: number, message: string) => ({
    ...{ status, success: status === 200, id: 'p', message },
  })
  const none = { created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0 }
  const [made, wrong] = [result(200, 'made'), result(400, 'wrong')]
  const late = result(503, 'no time')
  const first = batchAnswer({
    ...{ ...none, created: 1, failed: 3, results: [made, wrong, late, late] },
  })
  expect(batchAnswers.openIn(first)).toEqual([2, 3])
  const skipped = result(200, 'Nothing to change.')
  const second = batchAnswer({
    ...{ ...none, unchanged: 2, updated: 1, failed: 1, results: [skipped, skipped, made, wrong] },
  })
  const both = batchAnswers.together(first, second)
  const results = [made, wrong, made, wrong]
  expect(both).toEqual(batchAnswer({ ...none, created: 1, updated: 1, failed: 2, results }))
  expect(batchAnswers.openIn(both)).toEqual([])
})

test('results of repeated offers complete those of the first attempt', () => {
  const reject = (index: number, status: number) => ({ index, status, message: 'why' })
  const first = offersAnswer({
    offers: 6,
    updated: 2,
    rejects: [reject(1, 503), reject(4, 404), reject(5, 503)],
  })
  expect(offersAnswers.openIn(first)).toEqual([1, 5])
  const second = offersAnswer({ offers: 6, updated: 1, rejects: [reject(1, 400)] })
  expect(offersAnswers.together(first, second)).toEqual(
    offersAnswer({ offers: 6, updated: 3, rejects: [reject(1, 400), reject(4, 404)] }),
  )
})
