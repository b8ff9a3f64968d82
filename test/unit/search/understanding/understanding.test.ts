import { describe, expect, test } from 'vitest'
import { understand } from '../../../../src/search/understanding/understanding.ts'

const texts = (words: Iterable<{ text: string }>) => [...words].map(({ text }) => text)

const others = (text: string, kind: string) =>
  understand(text)
    .alternatives.filter((alternative) => alternative.kind === kind)
    .map(({ first, last, text: other }) => [first, last, other])

describe('what a text asks for', () => {
  test('a number with its unit is one word, found as such', () => {
    expect(understand('bearing 25 mm').words).toEqual([
      { text: 'bearing', form: 'bearing' },
      { text: '25 mm', form: '25mm', measures: ['25mm'] },
    ])
  })

  test('sides together say more than each', () => {
    expect(understand('M8 x 60 mm').words).toEqual([
      { text: 'M8 x 60 mm', form: 'm8x60mm', measures: ['m8x60'] },
    ])
  })

  test.each([
    ['notebook without touchscreen', ['notebook'], ['touchscreen']],
    ['Notebook ohne Touchscreen 14"', ['Notebook', '14"'], ['Touchscreen']],
    ['notebook -touch', ['notebook'], ['touch']],
    ['without', ['without'], []],
    ['-touch', ['-touch'], []],
    ['ab-12', ['ab-12'], []],
    ['5015A-PHF', ['5015A', 'PHF'], []],
  ])('what is not wanted: %s', (text, words, excluded) => {
    const asked = understand(text)
    expect([texts(asked.words), texts(asked.excluded)]).toEqual([words, excluded])
  })

  test.each([
    ['laser printer', 'printer', []],
    ['case for notebook', 'case', ['for']],
    ['Hülle für Notebook', 'Hülle', ['für']],
    ['hex bolt 25 mm', 'bolt', []],
    ['for', 'for', []],
    ['edelstahlschraube', 'schraube', []],
  ])('the product that is named: %s', (text, head, optional) => {
    const asked = understand(text)
    expect([asked.head?.text, texts(asked.optional)]).toEqual([head, optional])
  })

  test('two words may be one, and one two', () => {
    expect(others('head set', 'compound')).toEqual([[0, 1, 'headset']])
    expect(others('red lightbulb', 'compound')).toContainEqual([1, 1, 'light bulb'])
    expect(others('ab 12', 'compound')).toEqual([])
    expect(others('edelstahlschraube', 'compound')).toContainEqual([0, 1, 'edelstahlschraube'])
    expect(others('ear phones', 'synonym')).toContainEqual([0, 1, 'earbuds'])
    expect(others(`${'ﷺ'.repeat(250)}`, 'compound')).toEqual([])
  })

  test('words have synonyms, in the singular and the plural, and several together', () => {
    expect(others('laptop', 'synonym')).toEqual([[0, 0, 'notebook']])
    expect(others('Laptops', 'synonym')).toEqual([[0, 0, 'notebook']])
    expect(others('Glühbirne', 'synonym')).toContainEqual([0, 0, 'bulb'])
    expect(others('usb stick', 'synonym')).toContainEqual([0, 1, 'flash drive'])
  })

  test('a synonym that is narrower does not stand for the wider one', () => {
    expect(others('ultrabook', 'synonym')).toContainEqual([0, 0, 'notebook'])
    expect(others('notebook', 'synonym')).not.toContainEqual([0, 0, 'ultrabook'])
  })

  test('long texts have a bounded number of other words', () => {
    const text = Array.from({ length: 32 }, (_, at) => `abcdefghij${'klmnopqr'[at % 8]}${at}`)
    const letters = text.map((word) => word.replaceAll(/\d/g, 'x')).join(' ')
    expect(understand(letters).alternatives.length).toBeLessThanOrEqual(48)
  })

  test('the last word is unfinished only while it is typed', () => {
    expect(understand('black noteb', { typing: true }).unfinished?.text).toBe('noteb')
    expect(understand('black noteb ', { typing: true }).unfinished).toBeUndefined()
    expect(understand('black noteb').unfinished).toBeUndefined()
  })
})
