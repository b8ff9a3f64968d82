import { describe, expect, test } from 'vitest'
import { countWords, fold } from '../../src/text.ts'

describe('folding', () => {
  test.each([
    ['  Größe   ½ ', 'grosse 1/2'],
    ['ÉCLAIR ﬁn', 'eclair fin'],
    ['Ｗｉｄｅ ㎜', 'wide mm'],
    ['\ufdfa', 'صلى الله عليه وسلم'],
    ['각', '각'.normalize('NFKD')],
  ])('%s is %s', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  test('treats long texts like short ones, wherever they are split', () => {
    const piece = 'é 𝐀ﬁ½각a\u0301'
    const separate = Array.from({ length: 100 }, (_, at) => 'x'.repeat(at) + piece)
    expect(fold(separate.join(' '))).toBe(separate.map((text) => fold(text)).join(' '))
  })

  test('limits the length of the result', () => {
    const signs = '\ufdfa'.repeat(2_000)
    expect(fold(signs).length).toBeLessThanOrEqual(4 * signs.length + 32)
    expect(fold(signs).startsWith(fold('\ufdfa'.repeat(400)))).toBe(true)
  })
})

test.each([
  ['', 0],
  [' two\twords ', 2],
  ['one\u00a0two\u2003three\u200bfour', 3],
])('%j has this many words: %i', (text, count) => {
  expect(countWords(text)).toBe(count)
})
