import { beforeAll, expect, test } from 'vitest'
import { caller } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

const offer = (vendorName: string, cost: number, inStock = true) => ({ vendorName, cost, inStock })

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    {
      id: 'd1',
      name: 'Cordless drills 18 V',
      manufacturer: 'Acme',
      manufacturerPartNumber: 'DR-1800',
      attributes: { Chuck: 'Keyless' },
      vendors: [offer('Dear', 90), offer('Cheap', 80), offer('Sold out', 70, false)],
    },
    { id: 'b1', name: 'Bag for cordless drill', category: 'Bags', msrp: 12 },
  ])
})

interface Explained {
  readonly id: string
  readonly explanation: {
    readonly score: number | null
    readonly parts: readonly { kind: string; name: string; of?: string; score: number }[]
    readonly words: readonly { word: string; matches: readonly object[] }[]
    readonly price: object | null
    readonly aboveNext: { by: string; parts: readonly object[] } | null
  }
}

const explain = async (body: object) => {
  const { products, reading } = await bench.search({ explain: true, ...body })
  return { hits: products as readonly Explained[], reading }
}

test.each([
  { keywords: 'cordless drill' },
  { keywords: 'cordles drills 18 volt', boost: [{ type: 'category', value: 'Bags' }] },
  { keywords: 'acme dr1800', typing: true },
  { keywords: 'dri', typing: true },
  { boost: [{ type: 'manufacturer', value: 'Acme' }] },
])(
  'the parts of a score add up to it, and the lead over the next hit to the difference: %j',
  async (body) => {
    const { hits } = await explain(body)
    expect(hits.length).toBeGreaterThan(0)
    const sum = (parts: readonly { score: number }[]) =>
      parts.reduce((total, { score }) => total + score, 0)
    for (const { explanation } of hits) {
      expect(Math.abs(sum(explanation.parts) - explanation.score!)).toBeLessThan(0.01)
    }
    const [first, second] = hits
    if (!second) return
    const ahead = sum(first!.explanation.aboveNext!.parts as { score: number }[])
    const difference = first!.explanation.score! - second.explanation.score!
    expect(Math.abs(ahead - difference)).toBeLessThan(0.01)
  },
)

test('tells where and as what each word was found, and why a product comes first', async () => {
  const { hits } = await explain({ keywords: 'drill keyless 18 volt' })
  expect(hits).toMatchObject([
    {
      id: 'd1',
      explanation: {
        words: [
          { word: 'drill', matches: [{ text: 'drill', how: 'form', field: 'name' }] },
          { word: 'keyless', matches: [{ how: 'exact', field: 'attribute', name: 'Chuck' }] },
          { word: '18 volt', matches: [{ how: 'measure', field: 'name' }] },
        ],
        aboveNext: null,
      },
    },
  ])
  const drills = await explain({ keywords: 'cordless drill' })
  expect(drills.hits[0]!.explanation.aboveNext).toEqual({
    by: 'score',
    parts: [
      { kind: 'signal', name: 'type', of: 'drill', score: 3 },
      { kind: 'signal', name: 'inStock', score: 0.1 },
    ],
  })
})

test.each([
  ['DR 1800', 'DR', { how: 'partNumber', field: 'manufacturerPartNumber', text: 'dr1800' }],
  ['drill cordles', 'cordles', { how: 'spelling', field: 'name', text: 'cordless' }],
  ['tasche cordless', 'tasche', { how: 'synonym', field: 'name', text: 'bag' }],
])('%s', async (keywords, word, match) => {
  const { hits } = await explain({ keywords })
  expect(hits[0]!.explanation.words.find((each) => each.word === word)!.matches[0]).toMatchObject(
    match,
  )
})

test('a search without hits explains how its words were read', async () => {
  const { hits, reading } = await explain({ keywords: 'qwxyzk glühbirne -red' })
  expect(hits).toEqual([])
  expect(reading).toMatchObject({
    mode: 'fewerWords',
    words: [
      { word: 'qwxyzk', isType: false },
      {
        word: 'glühbirne',
        isType: true,
        alternatives: [{ kind: 'compound' }, { text: 'bulb', kind: 'synonym' }, { text: 'lamp' }],
      },
    ],
    optional: [],
    excluded: ['red'],
  })
})

test('names the offer that has the price, and what decides in an order without scores', async () => {
  const sorted = { keywords: 'drill', sort: '-price' }
  const { hits } = await explain(sorted)
  expect(hits[0]!.explanation).toMatchObject({
    score: null,
    parts: [],
    price: { amount: 70, vendorName: 'Sold out', inStock: false },
    aboveNext: { by: 'price', parts: [] },
  })
  expect(hits[1]!.explanation.price).toMatchObject({ amount: 12, vendorName: null })
  const inStock = await explain({ ...sorted, inStock: true, highPrice: 85 })
  expect(inStock.hits[0]!.explanation.price).toMatchObject({ amount: 80, vendorName: 'Cheap' })
})

test('is refused for search keys and large pages, and absent unless requested', async () => {
  const body = { keywords: 'drill', explain: true }
  const key = await bench.org.key('viewer', 'search')
  expect((await bench.at('POST', '', body, caller(bench.service, { key }))).status).toBe(403)
  expect((await bench.at('POST', '', { ...body, pageSize: 51 })).status).toBe(400)
  const answer = await bench.search({ keywords: 'drill' })
  expect(answer).not.toHaveProperty('reading')
  expect(answer.products[0]).not.toHaveProperty('explanation')
})

test('a long text is explained in reasonable time', async () => {
  const keywords = Array.from({ length: 40 }, (_, at) => `drill${at} x-${at}`).join(' ')
  const { hits } = await explain({ keywords: `cordless ${keywords}`.slice(0, 500) })
  expect(hits).toEqual([])
})
