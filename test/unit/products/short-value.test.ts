import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { valueTerm } from '../../../src/products/search-fields.ts'
import { firstBytes, foldedValue, shortValue } from '../../../src/products/short-value.ts'
import { SEPARATOR, token } from '../../../src/text.ts'

const MOST = limits.termBytes
const bytes = (text: string) => Buffer.byteLength(text)

const letter = fc.constantFrom('a', 'B', ' ', '…', 'ß', '製', 'ﷺ', '💡', '\u0301')
const text = fc
  .tuple(fc.array(letter, { maxLength: 9 }), fc.integer({ min: 1, max: 300 }))
  .map(([letters, times]) => letters.join('').repeat(times))

describe('a value', () => {
  test.each([
    ['a'.repeat(MOST), null],
    [`${'a'.repeat(MOST)}b`, 'a'.repeat(200)],
    ['💡'.repeat(MOST / 4), null],
    [`a${'💡'.repeat(MOST / 4)}`, `a${'💡'.repeat(49)}`],
    ['製'.repeat(MOST), '製'.repeat(66)],
  ])('is whole up to so many bytes, else shortened between characters (%#)', (value, kept) => {
    const short = shortValue(value)
    expect(short.replace(/…[A-P]{16}$/, '')).toBe(kept ?? value)
    expect(short === value).toBe(kept === null)
  })

  test('has at most so many bytes, and a shortened one stays as it is', () => {
    fc.assert(
      fc.property(text, (value) => {
        const short = shortValue(value)
        expect(bytes(short)).toBeLessThanOrEqual(MOST)
        expect(short.isWellFormed()).toBe(true)
        expect(shortValue(short)).toBe(short)
        expect(valueTerm('n', short)).toBe(valueTerm('n', value))
        if (bytes(value) <= MOST) expect(short).toBe(value)
      }),
    )
  })

  test('is told from others with the same beginning', () => {
    const one = shortValue(`${'製'.repeat(300)}1`)
    const other = shortValue(`${'製'.repeat(300)}2`)
    expect(one.slice(0, 67)).toBe(other.slice(0, 67))
    expect(one).not.toBe(other)
  })

  test('is folded without its hash, of which a facet search thus finds nothing', () => {
    const short = shortValue(`Weiß ${'x'.repeat(300)}`)
    expect(foldedValue(short)).toBe(`weiss ${'x'.repeat(194)}`)
    expect(valueTerm('n', short)).toBe(token('n', short, foldedValue(short)))
    expect(short.slice(-16)).toMatch(/^[A-P]+$/)
  })

  test('has a bounded folded text, too', () => {
    fc.assert(
      fc.property(text, (value) => {
        for (const part of valueTerm('n', value).split(SEPARATOR)) {
          expect(bytes(part)).toBeLessThanOrEqual(MOST)
        }
      }),
    )
    expect(bytes(valueTerm('ﷺ'.repeat(limits.nameLength)).split(SEPARATOR)[1]!)).toBeLessThan(257)
  })
})

test('the first bytes of a text end between characters', () => {
  expect(firstBytes('a💡b', 4)).toBe('a')
  expect(firstBytes('a💡b', 5)).toBe('a💡')
  expect(firstBytes('a💡b', 6)).toBe('a💡b')
})
