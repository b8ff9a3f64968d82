import { describe, expect, test } from 'vitest'
import { atOnce } from '../../../src/platform/steps.ts'
import { matchName, partName } from '../../../src/search/clause-names.ts'
import { defaultCriteria } from '../../../src/search/criteria.ts'
import * as explanation from '../../../src/search/explanation.ts'
import { createMatchLocator } from '../../../src/search/match-locations.ts'
import { readingOf } from '../../../src/search/understanding/reading.ts'
import { product } from '../products/make.ts'

const drill = product({
  id: 'd1',
  name: 'Cordless drills',
  manufacturer: 'Acme',
  manufacturerPartNumber: 'DR-1800',
  attributes: { Chuck: 'Keyless', Bluetooth: 'Yes' },
  filters: { 'Length (mm)': 250 },
  description: 'With a case, 5 Ah',
})

describe('the place of a match', () => {
  test.each([
    ['name', 'word', 'cordless', { how: 'exact', field: 'name' }],
    ['name.whole', 'word', 'drill', { how: 'form', field: 'name' }],
    ['name', 'word', 'less', { how: 'part', field: 'name' }],
    ['name', 'synonym', 'cordless drill', { how: 'synonym', field: 'name' }],
    ['description', 'word', 'Case', { how: 'exact', field: 'description' }],
    ['text', 'word', 'keyless', { how: 'exact', field: 'attribute', name: 'Chuck' }],
    ['text', 'word', 'bluetooth', { how: 'exact', field: 'attribute', name: 'Bluetooth' }],
    ['text', 'word', 'zzz', { how: 'form', field: 'text' }],
    ['words', 'prefix', 'acm', { how: 'prefix', field: 'manufacturer' }],
    ['partNumbers', 'partNumber', 'dr1800', { how: 'partNumber', field: 'manufacturerPartNumber' }],
    ['partNumbers', 'partNumberInside', '180', { field: 'manufacturerPartNumber' }],
    ['partNumbers', 'partNumberPrefix', 'd1', { how: 'partNumberPrefix', field: 'id' }],
  ] as const)('%s, %s: %s', (field, way, text, expected) => {
    expect(createMatchLocator(drill)({ field, way, text })).toMatchObject(expected)
  })

  test('is the first of the values that contain it in other forms', () => {
    const attributes = { For: 'drills', With: 'saw', Both: 'drill saws', Last: 'drills saw' }
    const find = createMatchLocator(product({ id: 'd2', attributes }))
    expect(find({ field: 'text', way: 'word', text: 'drills saws' })).toMatchObject({
      name: 'Both',
    })
  })

  test.each([
    ['250mm', { how: 'measure', field: 'filter', name: 'Length (mm)' }],
    ['5ah', { how: 'measure', field: 'description' }],
  ])('the measure %s', (term, expected) => {
    const lookedFor = { field: 'measures', way: 'measure', text: '', measures: [term] } as const
    expect(createMatchLocator(drill)(lookedFor)).toEqual(expected)
  })
})

const explanationsOf = (...page: Parameters<typeof explanation.explanationsOf>) =>
  atOnce(explanation.explanationsOf(...page))

const hit = (id: string, score: number, named: Record<string, number>) => ({
  _index: 'products',
  _id: id,
  _score: score,
  sort: [score, id],
  _source: { product: { ...drill, id } },
  matched_queries: named,
})
const criteria = { ...defaultCriteria, keywords: 'cordles drill', explain: true }
const asked = readingOf(criteria, { language: 'en' })
const inName = { field: 'name', way: 'word', text: 'drill' } as const

test('clause names become parts of the score, and the lead over the next product', () => {
  const [first, second] = explanationsOf(
    [
      hit('a', 20_006.2, {
        word0: 10_001.2,
        word1: 10_002.0,
        [partName('word', 0)]: 1.2,
        [partName('word', 1)]: 2,
        [partName('signal', 'type', 'drill')]: 3,
        [matchName(0, { field: 'name', way: 'spelling', text: 'cordless' })]: 1.2,
        [matchName(1, inName)]: 1.5,
        [matchName(1, { ...inName, field: 'name.whole' })]: 2,
      }),
      hit('b', 10_002.1, {
        word1: 10_002,
        [partName('word', 1)]: 2,
        [partName('signal', 'inStock')]: 0.1,
      }),
    ],
    criteria,
    { ...asked, mode: 'relaxed' },
  )
  expect(first).toEqual({
    score: 20_006.2,
    parts: [
      { kind: 'words', name: 'found', score: 20_000 },
      { kind: 'signal', name: 'type', of: 'drill', score: 3 },
      { kind: 'word', name: 'drill', score: 2 },
      { kind: 'word', name: 'cordles', score: 1.2 },
    ],
    words: [
      {
        word: 'cordles',
        matches: [{ text: 'cordless', how: 'spelling', field: 'name', score: 1.2 }],
      },
      { word: 'drill', matches: [{ text: 'drill', how: 'form', field: 'name', score: 2 }] },
    ],
    price: null,
    aboveNext: {
      by: 'score',
      parts: [
        { kind: 'words', name: 'found', score: 10_000 },
        { kind: 'signal', name: 'type', of: 'drill', score: 3 },
        { kind: 'word', name: 'cordles', score: 1.2 },
        { kind: 'signal', name: 'inStock', score: -0.1 },
      ],
    },
  })
  expect(second).toMatchObject({ words: [{ matches: [] }, { matches: [] }], aboveNext: null })
})

test('other work runs between the products of a page', () => {
  const read: string[] = []
  const watchedHit = (id: string) => ({
    ...hit(id, 2, {}),
    get matched_queries() {
      read.push(id)
      return {}
    },
  })
  explanation.explanationsOf([watchedHit('a'), watchedHit('b')], criteria, asked).next()
  expect(new Set(read)).toEqual(new Set(['a']))
})

test('products that match equally are ordered by id', () => {
  const [first] = explanationsOf([hit('a', 2, {}), hit('b', 2, {})], criteria, asked)
  expect(first!.aboveNext).toEqual({ by: 'id', parts: [] })
})

describe('long texts', () => {
  const text = (at: number) =>
    Array.from({ length: 250 }, (_, n) => `part${(at * 31 + n * 7) % 997}`).join(' ')
  const long = product({
    id: 'long',
    name: 'Long',
    attributes: Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`a${at}`, text(at)])),
  })
  const words = Array.from({ length: 32 }, (_, at) => `part${at * 29}`)
  const asked = readingOf({ ...criteria, keywords: words.join(' ') }, { language: 'en' })
  const named = Object.fromEntries(
    words.flatMap((text, at) =>
      (['name', 'text', 'description', 'parts'] as const).map((field) => [
        matchName(at, { field, way: 'word', text }),
        1,
      ]),
    ),
  )
  const page = Array.from({ length: 50 }, (_, at) => ({
    ...hit(`p${at}`, 1, named),
    _source: { product: { ...long, id: `p${at}` } },
  }))

  test('are each read once, up to a limit', () => {
    const began = process.threadCpuUsage()
    const [first] = explanationsOf(page, criteria, asked)
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 1_000).toBeLessThan(3_000)
    const [word] = first!.words
    expect(word!.matches).toContainEqual({
      ...{ text: 'part0', how: 'exact', field: 'attribute', name: 'a0', score: 1 },
    })
  })

  test('are read in steps between which others can run', () => {
    let steps = 0
    for (const _ of explanation.explanationsOf(page, criteria, asked)) steps++
    expect(steps).toBeGreaterThan(1_000)
  })
})
