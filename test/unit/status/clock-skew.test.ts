import { expect, test } from 'vitest'
import { clockWarning, secondsAhead } from '../../../src/status/clock-skew.ts'

test.each([
  ['within the second that Elasticsearch names', { asked: 10_000, answered: 10_010, epoch: 10 }, 0],
  ['at its end', { asked: 11_000, answered: 11_020, epoch: 10 }, 0],
  ['slow to be answered', { asked: 8_000, answered: 12_500, epoch: 10 }, 0],
  ['ahead', { asked: 21_000, answered: 21_010, epoch: 10 }, 10],
  ['behind', { asked: 3_000, answered: 3_010, epoch: 10 }, -7],
])('a clock that is %s', (_what, reading, ahead) => {
  expect(secondsAhead(reading)).toBe(ahead)
})

test.each([
  [0, undefined],
  [5, undefined],
  [-5, undefined],
  [6, '6 s ahead of that of Elasticsearch'],
  [-86_400, '86400 s behind that of Elasticsearch'],
])('%d s apart', (ahead, warning) => {
  expect(clockWarning(ahead)).toBe(warning)
})
