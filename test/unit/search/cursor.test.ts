import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readCursor, writeCursor } from '../../../src/search/cursor.ts'
import { fingerprint } from '../../../src/search/fingerprint.ts'

const print = fingerprint({ some: 'request' })
const kinds = ['number', 'text'] as const
const written = (value: unknown) => JSON.stringify(value)
const notOurs = 'cursor: not valid; start with "*"'

describe('a cursor', () => {
  test('continues where it was created', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
      fc.constantFrom('Infinity', '-Infinity'),
    )
    fc.assert(
      fc.property(
        number,
        fc.option(fc.string({ unit: 'grapheme' })),
        fc.constantFrom('strict' as const, 'relaxed' as const),
        fc.option(fc.string(), { nil: undefined }),
        (first, second, mode, walk) => {
          const position = { mode, after: [first, second], walk }
          expect(readCursor(writeCursor(print, position), { print, kinds })).toEqual(position)
        },
      ),
    )
  })

  test('of another request is refused', () => {
    const cursor = writeCursor(fingerprint({ other: 1 }), { mode: 'strict', after: [1, 'a'] })
    expect(() => readCursor(cursor, { print, kinds })).toThrow(
      'cursor: belongs to another search; start again with "*"',
    )
  })

  test.each([
    ['no JSON', 'x'],
    ['an earlier version', written([1, print, 'strict', [1, 'a']])],
    ['an unknown mode', written([2, print, 'fuzzy', [1, 'a']])],
    ['too few values', written([2, print, 'strict', [1]])],
    ['nothing for a number', written([2, print, 'strict', [null, 'a']])],
    ['a text for a number', written([2, print, 'strict', ['1', 'a']])],
    ['a number for a text', written([2, print, 'strict', [1, 2]])],
    ['an object for a text', written([2, print, 'strict', [1, {}]])],
    ['a number for a walk', written([2, print, 'strict', [1, 'a'], 5])],
    ['more than there is', written([2, print, 'strict', [1, 'a'], 'walk', 'more'])],
  ])('%s is refused', (_, cursor) => {
    expect(() => readCursor(cursor, { print, kinds })).toThrow(notOurs)
  })

  test('a time is a whole number', () => {
    const at = (value: number) => written([2, print, 'strict', [value, 'a']])
    const times = { print, kinds: ['whole', 'text'] as const }
    expect(() => readCursor(at(1.5), times)).toThrow(notOurs)
    expect(readCursor(at(1_767_225_600_000), times).after).toEqual([1_767_225_600_000, 'a'])
  })
})
