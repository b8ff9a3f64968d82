import { expect, test } from 'vitest'
import { atOnce } from '../../../../src/platform/steps.ts'
import { catalogWord } from '../../../../src/products/catalog-words.ts'
import {
  codeClause,
  learnedFrom,
  wordsBeforeFor,
} from '../../../../src/search/learning/learned-types.ts'

const named = (names: readonly string[]) =>
  ({ hits: { hits: names.map((name) => ({ fields: { 'search.name': [name] } })) } }) as never

test('words right before `for` count once per name, in the singular', () => {
  const names = [
    'Visors for cameras, visor for lenses',
    'Acme visor for phones',
    'Visor for tablets',
    'Mat for mice',
    'Cover for phones',
    'Cover for tablets',
    'Cover for notebooks',
    'For everybody',
  ]
  // In any catalog a cover is for something else.
  expect(wordsBeforeFor(named(names))).toEqual(['visor'])
})

const count = (doc_count: number) => ({ doc_count })
const coded = (code: string, names: readonly string[]) => ({
  key: catalogWord('org/shop', code),
  products: named(names),
})

const learned = (aggregations: object, words: readonly string[] = []) =>
  atOnce(learnedFrom({ aggregations } as never, words, 'en'))

test('types are read from fields of the index in the language of the catalog', () => {
  const fields = {
    'search.de.name': ['Acme Akkuschrauber'],
    'search.manufacturer': ['Acme'],
    'search.category': ['Werkzeuge'],
    'search.subCategory': ['Schrauber'],
  }
  const hits = Array.from({ length: 3 }, () => ({ fields }))
  const buckets = [{ key: catalogWord('org/shop', '27112700'), products: { hits: { hits } } }]
  const { codes } = atOnce(learnedFrom({ aggregations: { codes: { buckets } } } as never, [], 'de'))
  expect([...codes.keys()].sort()).toEqual(['akkuschrauber', 'schrauber', 'werkzeuge'])
})

test('a type is an accessory if a tenth of its products, and at least five, say what they are for', () => {
  const counts = {
    ...{ all0: count(50), for0: count(5) },
    ...{ all1: count(51), for1: count(5) },
    ...{ all2: count(4), for2: count(4) },
    ...{ all3: count(9), for3: count(9) },
  }
  const words = ['visor', 'cable', 'pen', 'mat']
  expect(learned(counts, words).accessories).toEqual(['mat', 'visor'])
})

test('a code belongs to types of at least half of its products, and at least three', () => {
  const buckets = [
    coded('43211902', ['Monitor 1', 'Monitor 2', 'Monitor 3', 'Panel 4', 'Panel 5']),
    coded('43212105', ['Printer 1', 'Printer 2']),
    coded('43211901', ['CRT monitor 1', 'Monitor 2', 'Monitor 3']),
  ]
  const types = learned({ codes: { buckets } })
  expect([...types.codes]).toEqual([['monitor', ['43211902', '43211901']]])
  expect(codeClause(types, ['Monitors'], 2)).toEqual({
    constant_score: {
      filter: { terms: { 'search.unspsc': ['43211901', '43211902'] } },
      boost: 2,
    },
  })
  expect(codeClause(types, ['constructor', 'printer'], 2)).toBeUndefined()
})
