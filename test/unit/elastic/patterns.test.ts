import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { containsPattern, literal, prefixPattern } from '../../../src/elastic/patterns.ts'
import { valueTerm } from '../../../src/products/search-fields.ts'
import { fold } from '../../../src/text.ts'

/** Matches a pattern as Elasticsearch does. JavaScript does not allow some of its escapes. */
const found = (text: string, value: string): boolean => {
  const pattern = containsPattern('n\u001f', fold(text)).replace(/\\([!"#%&',:;<=>@_`~])/g, '$1')
  const regExp = new RegExp(`^${pattern.replaceAll('\\-', '\\x2d')}$`, 'su')
  return regExp.test(valueTerm('n', value))
}

describe('patterns for terms', () => {
  test('escape every special character, but no letters and digits', () => {
    expect(literal('a.b*(c)[d]{2}|"e"\\#@&<f>~^$?+-1é ')).toBe(
      'a\\.b\\*\\(c\\)\\[d\\]\\{2\\}\\|\\"e\\"\\\\\\#\\@\\&\\<f\\>\\~\\^\\$\\?\\+\\-1é ',
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(literal(text).replace(/\\(.)/gsu, '$1')).toBe(text)
      }),
    )
  })

  test('a prefix', () => {
    expect(prefixPattern('size\u001f')).toBe('size\u001f.*')
    expect(containsPattern('a.b\u001f', '')).toBe('a\\.b\u001f.*.*')
    expect(containsPattern('', '品.')).toBe('.*品\\..*')
  })
})

describe('a substring', () => {
  test.each([
    ['É1', 'CAFE 1', false],
    ['É1', 'cafe1', true],
    ['weiss', 'Weiß', true],
    ['WEISS', 'reinweiß', true],
    ['Weiß', 'WEISS', true],
    ['wei', 'Weiß', true],
    ['weis', 'Weiß', true],
    ['sse', 'Straße', true],
    ['masssta', 'Maßstab', true],
    ['mm2', '1,5 mm²', true],
    ['mm²', '1,5 MM2', true],
    ['mm²', '1,5 mm', false],
    ['m3', '5 m³/h', true],
    ['sqmm', '1,5 mm²', false],
    ['1/2', '½ Zoll', true],
    ['½', '1⁄2 Zoll', true],
    ['½', '1/2 Zoll', true],
    ['½', '1/3 Zoll', false],
    ['3/4″', '3/4″', true],
    ['office', 'Oﬃce', true],
    ['office', 'Oﬀice', true],
    ['ﬁlter', 'FILTER', true],
    ['oeuvre', 'Œuvre', true],
    ['AETHER', 'Æther', true],
    ['ether', 'Æther', true],
    ['iii', 'Typ Ⅲ', true],
    ['°C', '100 ℃', true],
    ['Viet', 'VIỆT', true],
    ['οδοσ', 'ΟΔΟΣ', true],
    ['οδος', 'ΟΔΟΣ', true],
    ['Όχι', 'ΟΧΙ', true],
    ['ж', 'Ж', true],
    ['ա', 'Ա', true],
    ['한', '한국', true],
    ['हिन्दी', 'हिन्दी', true],
    ['cafe', 'Cafe\u0301', true],
    ['1 000', '1\u00a0000', true],
    ['製 品', '製　品', true],
    ['a  b', 'a b', true],
    ['.', 'x', false],
  ])('%s in %s: %s', (text, value, expected) => {
    expect(found(text, value)).toBe(expected)
  })

  const REAL = [
    'Weiß',
    'Straßenkehrmaschine',
    'Maßstab 1:50',
    'Größe XL – extra groß',
    'Ölfilter für Öfen',
    'GROẞE BUCHSTABEN',
    'Crème brûlée',
    'Œillet à visser',
    'Cœur d´acier',
    'Æther',
    'Français (naïve façade)',
    'Việt Nam',
    'Đồng hồ điện tử',
    'Nước mắm Phú Quốc',
    'ΟΔΟΣ ΑΘΗΝΩΝ',
    'Μέγεθος: μικρός',
    'Żółć gęślą jaźń',
    'Dvořák',
    'Smørrebrød',
    'İstanbul ılık',
    'Жёлтый',
    '1,5 mm²',
    '230 V~ / 50 Hz',
    '≤ 45 dB(A)',
    '5 m³/h',
    '100 ℃ (212 ℉)',
    '25 ㎡, 4 ㎜',
    '10 kΩ ±5 %',
    '4,7 µF',
    'Å',
    '½ Zoll',
    '3/4″',
    '1 ¼"',
    'M8×20',
    'Ⅲ. Qualität',
    'ﬁlter, ﬂach, Oﬃce',
    'Markisen™ No№ 5®',
    '6′ 2″',
    'ＡＢＣ１２３',
    'カタカナ ガ',
    'Cafe\u0301',
    '1\u00a0000 St\u00fcck',
    'a.b*(c)[d]{2}|"e"\\#@&<f>~^$?+-1',
  ]

  const expectFound = (texts: readonly string[], value: string) => {
    for (const text of texts) expect([text, found(text, value)]).toEqual([text, true])
  }

  const partsOf = (value: string) => {
    const letters = [...value]
    return letters.flatMap((_, from) =>
      letters
        .slice(from, from + 12)
        .map((_, more) => letters.slice(from, from + more + 1).join('')),
    )
  }

  test.each(REAL)('%s is found by itself, in any case, folded, and by any part of it', (value) => {
    expectFound([value, value.toLowerCase(), value.toUpperCase(), fold(value)], value)
    expectFound(partsOf(value), value)
  })

  test.each(['한국어', 'हिन्दी', 'ภาษาไทย', 'اللُّغَة'])(
    '%s is found by itself and by any part of it',
    (value) => {
      expectFound([value, ...partsOf(value)], value)
    },
  )

  const letter = fc.constantFrom(...new Set(`${REAL.join('')}ßſﬀﬃ½⅓Ⅷ…‴ŉǆ`))
  const text = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''))

  test('does not find texts without it', () => {
    fc.assert(
      fc.property(text, text, (wanted, value) => {
        if (found(wanted.trim(), value)) expect(fold(value)).toContain(fold(wanted))
      }),
      { numRuns: 2_000 },
    )
  })
})
