import { describe, expect, test } from 'vitest'
import { compoundParts, splitCompound } from '../../../src/languages/compounds.ts'
import { grammarOf, withoutArticle } from '../../../src/languages/grammar.ts'
import type { Language } from '../../../src/languages/language.ts'
import { measuresIn } from '../../../src/products/measures.ts'
import { productTypes } from '../../../src/products/product-type.ts'
import { searchFields } from '../../../src/products/search-fields.ts'
import { understand } from '../../../src/search/understanding/understanding.ts'
import { document, product } from '../products/make.ts'

describe('a text is read by the grammar of its language:', () => {
  test.each([
    ['en', '1,500 mm', ['1500mm']],
    ['en', '1.500 mm', ['1.5mm']],
    ['de', '1,500 mm', ['1.5mm']],
    ['de', '1.500 mm', ['1500mm']],
    ['de', '0.500 kg', ['500g']],
    ['de', '1920 x 1.080', ['1920x1080']],
    ['fr', '16 go', ['16000mb']],
    ['fr', '27 pouces', ['27in']],
    ['en', '16 go', []],
    ['it', '3 litri', ['3000ml']],
    ['es', '18 voltios', ['18v']],
    ['nl', '27 duim', ['27in']],
  ] as const)('numbers, %s: %s', (language, text, terms) => {
    expect(measuresIn(text, language).flatMap((measure) => measure.terms)).toEqual(terms)
  })

  test.each([
    ['de', 'Rote Lampe für Garten', ['lampe']],
    ['fr', 'Lampe rouge pour le jardin', ['lampe']],
    ['fr', "L'écran plat 27 pouces", ['ecran']],
    ['es', 'Tornillo de acero', ['tornillo']],
    ['nl', 'Hoes voor laptop', ['hoes']],
  ] as const)('what a product is, %s: %s', (language, name, types) => {
    expect(productTypes(product({ name }), language)).toEqual(types)
  })

  test.each([
    ['de', 'eine rote Lampe', 'Lampe', ['eine']],
    ['fr', 'une lampe rouge', 'lampe', ['une']],
    ['fr', "l'écran plat", 'écran', []],
    ['it', "filtro per l'acqua", 'filtro', ['per']],
    ['en', 'une lampe rouge', 'rouge', []],
  ] as const)('queries, %s: %s', (language, text, head, optional) => {
    const asked = understand(text, { language })
    expect([asked.head?.text, [...asked.optional].map((word) => word.text)]).toEqual([
      head,
      optional,
    ])
  })

  test.each([
    ['fr', "l'ecran", 'ecran'],
    ['fr', 'd’alimentation', 'alimentation'],
    ['fr', "aujourd'hui", "aujourd'hui"],
    ['it', "dell'acqua", 'acqua'],
    ['en', "l'oreal", "l'oreal"],
    ['fr', "l'", "l'"],
  ] as [Language, string, string][])('articles, %s: %s', (language, word, rest) => {
    expect(withoutArticle(word, grammarOf(language))).toBe(rest)
  })
})

test('texts of a product are indexed under the code of their language, without English plurals', () => {
  const lamps = document({
    name: "Lampes d'atelier",
    attributes: { Dimmable: 'Oui' },
    filters: { 'Longueur (m)': 1.125 },
  })
  const { name, roles, measures, words, fr } = searchFields(lamps, 'org/shop', 'fr')
  expect({ name, roles, measures, fr }).toEqual({
    roles: [],
    measures: ['1125mm'],
    fr: { name: "Lampes d'atelier", text: ['Dimmable'], types: ['lampes'] },
  })
  expect(words.map((word) => word.split('\u001f')[1])).toEqual(['lampes', 'atelier', 'dimmable'])
})

test.each([
  ['de', 'akkuschrauber', ['akku', 'schrauber']],
  ['de', 'schlagbohrmaschine', ['bohrmaschine', 'schlagbohr', 'maschine']],
  ['de', 'handtucher', ['hand', 'tucher']],
  ['de', 'arbeitshandschuhe', ['arbeits', 'handschuhe']],
  ['de', 'hochdruckreiniger', ['druckreiniger', 'hochdruck', 'reiniger']],
  ['de', 'durchmesser', []],
  ['de', 'bohrmaschinerat', []],
  ['de', 'apparat', []],
  ['de', 'schlager', []],
  ['nl', 'schroevendraaiers', ['schroeven', 'draaiers']],
  ['en', 'lightbulb', []],
] as [Language, string, string[]][])('parts of a compound, %s: %s', (language, word, parts) => {
  expect(compoundParts(word, language)).toEqual(parts)
})

test.each([
  ['de', 'motorradhelm', ['motorrad', 'helm']],
  ['de', 'schlagbohrmaschine', ['schlagbohr', 'maschine']],
  ['de', 'durchmesser', undefined],
  ['de', 'helm', undefined],
  ['en', 'motorradhelm', undefined],
] as [Language, string, [string, string] | undefined][])(
  'a compound and what it is for, %s: %s',
  (language, word, parts) => {
    expect(splitCompound(word, language)).toEqual(parts)
  },
)
