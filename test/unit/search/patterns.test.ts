import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { insidePattern, literal, prefixPattern } from '../../../src/search/patterns.ts'

describe('patterns of terms', () => {
  test('every mark is escaped, letters and digits never', () => {
    expect(literal('a.b*(c)[d]{2}|"e"\\#@&<f>~^$?+-1é ')).toBe(
      'a\\.b\\*\\(c\\)\\[d\\]\\{2\\}\\|\\"e\\"\\\\\\#\\@\\&\\<f\\>\\~\\^\\$\\?\\+\\-1é ',
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(literal(text).replace(/\\(.)/gsu, '$1')).toBe(text)
      }),
    )
  })

  test('a beginning', () => {
    expect(prefixPattern('size\u001f')).toBe('size\u001f.*')
  })

  test('text inside, whatever its case and accents', () => {
    const pattern = insidePattern('', 'É1')
    expect(pattern).toMatch(/^\.\*\[[A-Za-zÀ-ɏ]+\]1\.\*$/)
    for (const letter of 'eEéÉèÈêÊëË') expect(pattern).toContain(letter)
  })

  test('text inside in other scripts, and whatever its spaces are', () => {
    expect(insidePattern('', 'Όχι')).toMatch(
      /^\.\*\[[^\]]*Ό[^\]]*\]\[[^\]]*Χ[^\]]*\]\[[^\]]*Ι[^\]]*\]\.\*$/,
    )
    expect(insidePattern('', 'Ж')).toContain('Жж')
    expect(insidePattern('', '製 品')).toBe('.*製[ \t\n\r\u00a0]品.*')
  })

  test('no text makes a pattern longer than Elasticsearch takes', () => {
    expect(insidePattern('\\'.repeat(200), 'ﷺo'.repeat(50)).length).toBeLessThan(10_000)
  })
})
