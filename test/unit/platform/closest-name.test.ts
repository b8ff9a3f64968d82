import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editsBetween } from '../../../src/platform/closest-name.ts'

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['toner', 'toner', 0],
  ['tonner', 'toner', 1],
  ['tonre', 'toner', 1],
  ['toner', 'tuner', 1],
  ['ca', 'abc', 3],
  ['flourescent', 'florescent', 1],
  ['bohrer', 'schrauber', 5],
])('%s and %s are %d edits apart', (a, b, edits) => {
  expect(editsBetween(a, b)).toBe(edits)
  expect(editsBetween(b, a)).toBe(edits)
})

test('a bound changes no result up to it', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })
  fc.assert(
    fc.property(text, text, fc.nat(4), (a, b, most) => {
      const edits = editsBetween(a, b)
      expect(editsBetween(a, b, most)).toBe(edits <= most ? edits : Number.POSITIVE_INFINITY)
    }),
    { numRuns: 2_000 },
  )
})
