import { beforeAll, describe, expect, test } from 'vitest'
import { collection } from '../../src/elastic/collection.ts'
import { monthlyKind } from '../../src/elastic/monthly-names.ts'
import { pastQuery } from '../../src/search/suggestions/past-queries.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, caller, expectOk } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

const tools = { segment: 'Tools', category: 'Power Tools' }
const it = { segment: 'IT & Office' }

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench((org) => [
    {
      ...{ id: 'drill', name: 'Ranger 18 V cordless drill driver', manufacturer: 'Brennick GmbH' },
      ...{ ...tools, subCategory: 'Drill Drivers', manufacturerPartNumber: 'BD-18' },
      image: 'https://pictures.example/drill.png',
      vendors: [
        { vendorName: 'V', cost: 90 },
        { vendorName: 'W', cost: 80, inStock: true },
      ],
    },
    {
      ...{ id: 'hammer', name: 'Ranger hammer drill', manufacturer: 'Brennick GmbH' },
      ...{ ...tools, subCategory: 'Hammer Drills', msrp: 5 },
      annotations: {
        [org.id]: {
          images: [{ id: 'i', url: 'https://own.example/h.png', name: null, type: 'image' }],
        },
      },
    },
    { id: 'bits', name: 'Drill bits', manufacturer: 'Quade', ...tools, subCategory: 'Drill Bits' },
    { id: 'bits2', name: 'Long bits', manufacturer: 'Quade', ...tools, subCategory: 'Drill Bits' },
    { id: 'note', name: 'Aero notebook 14"', ...it, category: 'Notebooks' },
    { id: 'bag', name: 'Grey bag', ...it, category: 'Accessories for Notebooks' },
    { id: 'label', name: 'Label printer with cutter', ...it, category: 'Label Printers' },
    { id: 'bulb', name: 'Warme Glühbirne E27', segment: 'Licht', category: 'Glühlampen' },
    { id: 'glove', name: 'Nitrile gloves', segment: 'Safety', category: 'Gloves' },
    { id: 'switch', name: 'Managed switch, 24 ports', ...it, category: 'Network Switches' },
    { id: 'monitor', name: 'Wide monitor', ...it, category: 'Monitors' },
    { id: 'cable', name: 'Ethernet cable 2 m', ...it, category: 'Cables' },
    { id: 'bolt', name: 'Hexagon bolt M8 x 40', segment: 'Fasteners', category: 'Hexagon Bolts' },
  ])
  await seedCatalog(bench.service, bench.org, [{ id: 'x', name: 'Drone', category: 'Drones' }])
})

const ALL = 'products,queries,categories'

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
async function suggested(text: string, include = ALL, call: Call = bench.org.call): Promise<any> {
  const path = `/quicksearch?search=${encodeURIComponent(text)}&include=${include}`
  return (await expectOk(bench.at('GET', path, undefined, call))).body.suggestions
}

const names = (list: readonly { name: string }[]) => list.map(({ name }) => name)

describe('Quicksearch suggestions', () => {
  test('contain products with picture and price, in the order of Search', async () => {
    const { products, ...others } = await suggested('dri', 'products')
    expect(others).toEqual({})
    const ids = await bench.ids({ keywords: 'dri', typing: true })
    expect(products.map(({ id }: { id: string }) => id)).toEqual(ids)
    expect(products.find(({ id }: { id: string }) => id === 'drill')).toEqual({
      id: 'drill',
      name: 'Ranger 18 V cordless drill driver',
      manufacturer: 'Brennick GmbH',
      manufacturerPartNumber: 'BD-18',
      image: 'https://pictures.example/drill.png',
      price: 80,
      inStock: true,
    })
    const hammer = products.find(({ id }: { id: string }) => id === 'hammer')
    expect(hammer).toMatchObject({ image: 'https://own.example/h.png', price: 5, inStock: false })
  })

  test('match product types for one or two letters, if there are enough', async () => {
    const of = (drones: number) =>
      searchBench(() => [
        { id: 'paste', name: 'Dr paste', category: 'Pastes' },
        ...Array.from({ length: drones }, (_, at) => ({
          ...{ id: `drone${at}`, name: `Carbon drone ${at}`, category: 'Drones' },
        })),
      ])
    const first = async ({ at }: SearchBench, text: string): Promise<string[]> => {
      const { body } = await expectOk(at('GET', `/quicksearch?search=${text}&include=products`))
      return body.suggestions.products.map(({ id }: { id: string }) => id)
    }
    const withBrand = await searchBench(() => [
      { id: 'paste', name: 'Mild paste', manufacturer: 'Ode & Ge' },
      { id: 'washer', name: 'Profile washer', manufacturer: 'GE Appliances', category: 'Washers' },
      ...Array.from({ length: 9 }, (_, at) => ({
        ...{ id: `gear${at}`, name: `Steel gear ${at}`, category: 'Gears' },
      })),
    ])
    const [before, ...after] = await first(withBrand, 'ge')
    expect(before).toBe('washer')
    expect(after).toEqual([0, 1, 2, 3, 4].map((at) => `gear${at}`))
    expect(await first(withBrand, 'g')).not.toContain('washer')
    const many = await of(6)
    expect(await first(many, 'dr')).toEqual([0, 1, 2, 3, 4, 5].map((at) => `drone${at}`))
    expect(await first(await of(3), 'dr')).toContain('paste')
  })

  test('find a category by each of its words, which can then be searched for', async () => {
    const { categories } = await suggested('noteb', 'categories')
    expect(categories).toEqual([
      { name: 'Notebooks', segment: 'IT & Office', category: 'Notebooks', products: 1 },
      {
        name: 'Accessories for Notebooks',
        segment: 'IT & Office',
        category: 'Accessories for Notebooks',
        products: 1,
      },
    ])
    const [, { name: _, products, ...place }] = categories
    expect((await bench.search(place)).total).toBe(products)
    expect(names((await suggested('power dri')).categories)).toEqual([
      'Drill Bits',
      'Drill Drivers',
      'Hammer Drills',
    ])
  })

  test.each(['brennick dri', 'Brennick GmbH dril'])(
    '%s: contain what the manufacturer has',
    async (text) => {
      const { categories, queries } = await suggested(text)
      expect(names(categories)).toEqual(['Drill Drivers', 'Hammer Drills'])
      const [{ name: _, products, ...place }] = categories
      expect(place).toEqual({
        ...{ ...tools, subCategory: 'Drill Drivers', manufacturer: ['Brennick GmbH'] },
      })
      expect((await bench.search(place)).total).toBe(products)
      expect(queries).toContainEqual({
        keywords: 'Brennick GmbH Drill Drivers',
        source: 'catalog',
      })
    },
  )

  const WORDS: readonly (readonly [word: string, id: string, category: string, query: string])[] = [
    ['drill', 'drill', 'Drill Drivers', 'Drill Drivers'],
    ['notebook', 'note', 'Notebooks', 'Notebooks'],
    ['label printer', 'label', 'Label Printers', 'Label Printers'],
    ['glühlampen', 'bulb', 'Glühlampen', 'Glühlampen'],
    ['gloves', 'glove', 'Gloves', 'Gloves'],
    ['switch', 'switch', 'Network Switches', 'Network Switches'],
    ['monitor', 'monitor', 'Monitors', 'Monitors'],
    ['ethernet cable', 'cable', 'Cables', 'ethernet cable'],
    ['hexagon bolt', 'bolt', 'Hexagon Bolts', 'Hexagon Bolts'],
    ['cordless drill', 'drill', 'Drill Drivers', 'cordless drill driver'],
  ]
  test.each(WORDS)('match every prefix of %s', async (word, id, category, query) => {
    const own = !['ethernet cable', 'cordless drill'].includes(word)
    for (let letters = 2; letters <= word.length; letters++) {
      const text = word.slice(0, letters)
      const { products, queries, categories } = await suggested(text)
      expect(
        products.map((product: { id: string }) => product.id),
        text,
      ).toContain(id)
      expect(queries, text).toContainEqual({ keywords: query, source: 'catalog' })
      if (own) expect(names(categories), text).toContain(category)
    }
  })

  test('put past queries that matched fully first, and hide those of a single person', async () => {
    const [one, two] = [await bench.org.as('editor'), await bench.org.as('viewer')]
    const search = (call: Call, keywords: string, more = {}) =>
      expectOk(bench.at('POST', '/simple', { keywords, ...more }, call))
    await search(one, 'Drill  Bits')
    await search(two, 'drill bits')
    await search(one, 'drill my own')
    await search(one, 'drill driver')
    await search(one, 'drill driver nonsense')
    await search(one, 'drill hamm', { typing: true })
    await bench.service.services.background.settled()
    const past = async (call: Call) =>
      (await suggested('DRI', 'queries', call)).queries
        .filter(({ source }: { source: string }) => source === 'history')
        .map(({ keywords }: { keywords: string }) => keywords)
    await expect.poll(() => past(one)).toEqual(['drill bits', 'drill driver'])
    expect(await past(two)).toEqual(['drill bits'])
    const { suggestions, ...lists } = (
      await bench.at(
        'GET',
        '/quicksearch?search=&include=queries,products,categories',
        undefined,
        two,
      )
    ).body
    expect(suggestions).toEqual({
      products: [],
      queries: [{ keywords: 'drill bits', source: 'history' }],
      categories: [],
    })
    expect(Object.values(lists)).toEqual([[], [], []])
    const key = await bench.org.key('editor', 'search')
    expect(await past(caller(bench.service, { key }))).toEqual(['drill bits'])
  })

  test('contain past queries as older versions stored them', async () => {
    const { elastic, clock } = bench.service.services
    const kind = monthlyKind('history', clock.now())
    const history = collection(elastic, { kind, scope: [bench.org.id], monthly: true })
    const query = { catalog: bench.catalog, suggestion: pastQuery('Old Ranger') }
    for (const username of ['ann', 'bob']) {
      const entry = { ...query, id: username, username, time: clock.now().toISOString() }
      await history.put(username, entry, { refresh: true })
    }
    const { queries } = await suggested('old', 'queries')
    expect(queries).toContainEqual({ keywords: 'old ranger', source: 'history' })
  })

  test('are returned for odd texts', async () => {
    const odd = [
      '*',
      '"',
      '(',
      '.*',
      '💡',
      '-',
      'ﷺ'.repeat(200),
      '0'.repeat(200),
      'dri '.repeat(40),
    ]
    for (const text of odd) {
      expect(Object.keys(await suggested(text)), text).toEqual(ALL.split(','))
    }
  })
})
