import { expect, test } from 'vitest'
import { understand } from '../../../../src/search/understanding/understanding.ts'
import { recognisedValues } from '../../../../src/search/understanding/values.ts'

const terms = { facets: ['x'], attributes: [] }
const KNOWN = ['stainlesssteel', 'steel', 'black', 'wifi', '10mm', 'bolt', 'constructor']
const VALUES = new Map(KNOWN.map((key) => [key, terms]))

const recognised = (text: string) =>
  recognisedValues(understand(text), VALUES).map((value) => value.text)

test.each([
  ['black stainless steel bolt', ['black', 'stainless steel']],
  ['Stainless-Steel bolt 10 mm', ['Stainless-Steel', '10 mm']],
  ['wi-fi router', ['wi-fi']],
  ['black black bolt', ['black']],
  // The type of the product is not a value, and neither is a word in another language.
  ['bolt', []],
  ['black', []],
  ['schwarz bolt', ['schwarz']],
  ['toString bolt', []],
])('%s', (text, values) => {
  expect(recognised(text)).toEqual(values)
})

test('a long text has at most eight', () => {
  const many = Array.from({ length: 20 }, (_, at) => `v${'abcdefghijklmnopqrst'[at]}x`)
  const values = new Map(many.map((key) => [key, terms]))
  expect(recognisedValues(understand(many.join(' ')), values)).toHaveLength(8)
})
