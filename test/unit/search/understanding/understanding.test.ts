import { describe, expect, test } from 'vitest'
import { atOnce } from '../../../../src/platform/steps.ts'
import { createSynonyms } from '../../../../src/search/understanding/synonyms.ts'
import { understand } from '../../../../src/search/understanding/understanding.ts'

const texts = (words: Iterable<{ text: string }>) => [...words].map(({ text }) => text)

const others = (text: string, kind: string) =>
  understand(text)
    .alternatives.filter((alternative) => alternative.kind === kind)
    .map(({ first, last, text: other }) => [first, last, other])

describe('the interpretation of a query', () => {
  test('treats a number with its unit as one word', () => {
    expect(understand('bearing 25 mm').words).toEqual([
      { text: 'bearing', form: 'bearing' },
      { text: '25 mm', form: '25mm', measures: ['25mm'] },
    ])
  })

  test('treats dimensions together as one condition', () => {
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
  ])('finds exclusions: %s', (text, words, excluded) => {
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
    ['notebookhülle', 'hulle', []],
  ])('finds the type that is named: %s', (text, head, optional) => {
    const asked = understand(text)
    expect([asked.head?.text, texts(asked.optional)]).toEqual([head, optional])
  })

  test('joins two words, and splits one', () => {
    expect(others('head set', 'compound')).toEqual([[0, 1, 'headset']])
    expect(others('red lightbulb', 'compound')).toContainEqual([1, 1, 'light bulb'])
    expect(others('ab 12', 'compound')).toEqual([])
    expect(others('edelstahlschraube', 'compound')).toContainEqual([0, 1, 'edelstahlschraube'])
    expect(others('ear phones', 'synonym')).toContainEqual([0, 1, 'earbuds'])
    expect(others(`${'ﷺ'.repeat(250)}`, 'compound')).toEqual([])
  })

  test.each([
    ['Motorradhelm', 'de', ['motorrad helm']],
    ['schwarzer Motorradhelm', 'de', ['motorrad helm']],
    ['Durchmesser', 'de', []],
    ['Motorradhelm', 'en', []],
    ['schroevendraaiers', 'nl', ['schroeven draaiers']],
  ] as const)('allows a known compound apart: %s in %s', (text, language, parts) => {
    const { alternatives } = understand(text, { language })
    expect(texts(alternatives.filter(({ isNonAdjacent }) => isNonAdjacent))).toEqual(parts)
  })

  test('adds synonyms for singular, plural and several words', () => {
    expect(others('laptop', 'synonym')).toEqual([[0, 0, 'notebook']])
    expect(others('Laptops', 'synonym')).toEqual([[0, 0, 'notebook']])
    expect(others('Glühbirne', 'synonym')).toContainEqual([0, 0, 'bulb'])
    expect(others('usb stick', 'synonym')).toContainEqual([0, 1, 'flash drive'])
  })

  test('does not use narrower terms for a wider one', () => {
    expect(others('ultrabook', 'synonym')).toContainEqual([0, 0, 'notebook'])
    expect(others('notebook', 'synonym')).not.toContainEqual([0, 0, 'ultrabook'])
  })

  test('limits the number of alternatives in long texts', () => {
    const text = Array.from({ length: 32 }, (_, at) => `abcdefghij${'klmnopqr'[at % 8]}${at}`)
    const letters = text.map((word) => word.replaceAll(/\d/g, 'x')).join(' ')
    expect(understand(letters).alternatives.length).toBeLessThanOrEqual(48)
  })

  test('limits the words of all synonyms, since Elasticsearch limits the clauses of a query', () => {
    const to = Array.from({ length: 48 }, (_, at) => `long${at} ${'word '.repeat(7).trim()}`)
    const synonyms = atOnce(createSynonyms([[['drill'], to]]))
    const { alternatives } = understand('drill', { synonyms })
    expect(alternatives.map(({ text }) => text)).toEqual(to.slice(0, 24))
  })

  test('leaves out synonyms that have the form of the word itself', () => {
    const group = ['drills', 'drill', 'borer', 'borers']
    const synonyms = atOnce(createSynonyms([[group, group]]))
    expect(synonyms.of('drill')).toEqual(['borer', 'borers'])
    expect(synonyms.of('borer')).toEqual(['drills', 'drill'])
  })

  test('treats the last word as incomplete only while typing', () => {
    expect(understand('black noteb', { typing: true }).unfinished?.text).toBe('noteb')
    expect(understand('black noteb ', { typing: true }).unfinished).toBeUndefined()
    expect(understand('black noteb').unfinished).toBeUndefined()
  })
})
