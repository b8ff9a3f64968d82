import { beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog } from '../support/catalog.ts'
import { newOrganization } from '../support/client.ts'
import { oddTexts } from '../support/odd-texts.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    {
      id: 'pn',
      name: 'Cartridge',
      manufacturerPartNumber: 'ABC-123/4',
      manufacturer: 'Quill',
      vendors: [{ vendorName: 'V', vendorPartNumber: 'QX_77.8', name: 'House brand filler' }],
      upcs: ['0095205603217'],
    },
    { id: 'neighbour', name: 'Cartridge', manufacturerPartNumber: 'ABC-123/5' },
    { id: 'longer', name: 'Cartridge', manufacturerPartNumber: 'ABC-12345-X' },
    { id: 'words', name: 'Note about abc1234 compatible ink' },
    { id: 'black', name: 'Black toner', description: 'For laser printers', manufacturer: 'Xerox' },
    {
      id: 'cyan',
      name: 'Cyan toner',
      facets: { Finish: 'glossy' },
      attributes: { Recycled: 'Yes' },
    },
    { id: 'memory', name: 'Memory module 16GB DDR4', segment: 'Parts', category: 'Memory' },
    { id: 'screw', name: 'Screw M8x20, 5,5 mm', subCategory: 'Größen' },
    { id: '42', name: 'Answer' },
    { id: 'rail', name: 'Rail 20 x 20', manufacturerPartNumber: 'KR-20' },
    { id: 'wide', name: 'Carriage', manufacturerPartNumber: 'KR-2020' },
    { id: 'blade', name: 'Blade', manufacturerPartNumber: '2608608042' },
    { id: 'seal', name: 'Seal', manufacturerPartNumber: '55557' },
  ])
})

const found = async (keywords: string) => (await bench.ids({ keywords })).toSorted()

describe('part numbers', () => {
  test.each([
    'ABC-123/4',
    'abc1234',
    'ABC1234',
    'abc 123 4',
    'ABC 123/4',
    'abc 1 23 4',
    'abc.123.4',
    'abc–123–4',
  ])('%s', async (keywords) => {
    const ids = await bench.ids({ keywords })
    expect(ids[0]).toBe('pn')
    expect(ids).not.toContain('neighbour')
  })

  test.each(['1234', 'bc-1234', 'c123 4'])('match inside a number: %s', async (keywords) => {
    expect(await bench.ids({ keywords })).toContain('pn')
    expect(await bench.ids({ keywords })).not.toContain('neighbour')
  })

  test('match exactly before words, prefixes and substrings', async () => {
    expect(await bench.ids({ keywords: 'abc1234' })).toEqual([
      'pn',
      expect.any(String),
      expect.any(String),
    ])
    const ids = await bench.ids({ keywords: 'abc-1234' })
    expect(ids[0]).toBe('pn')
    expect(ids.toSorted()).toEqual(['longer', 'pn', 'words'])
  })

  test.each(['qx778', 'QX-77 8', '95205603217', '0095205603217', '5603217'])(
    'include vendors’ numbers, UPCs and ids: %s',
    async (keywords) => {
      expect(await found(keywords)).toContain('pn')
    },
  )

  test.each([
    ['KR 20 20', 'wide'],
    ['kr 20', 'rail'],
    ['2 608 608 042', 'blade'],
    ['55 55 7', 'seal'],
    ['carriage KR 20 20', 'wide'],
  ])('with a repeated group: %s', async (keywords, id) => {
    expect((await bench.ids({ keywords }))[0]).toBe(id)
  })

  test.each([
    ['cartridge abc 123 4', ['longer', 'pn']],
    ['abc1234 cartridge', ['longer', 'pn']],
    ['quill abc-123/4 cartridge', ['pn']],
  ])('match anywhere in the query: %s', async (keywords, ids) => {
    expect(await found(keywords)).toEqual(ids)
  })

  test('are not matched with another digit', async () => {
    expect(await found('abc1236')).toEqual([])
    expect(await found('qx779')).toEqual([])
    const { droppedWords, products } = await bench.search({ keywords: 'abc1236 tonner' })
    expect(products.map(({ id }: { id: string }) => id).toSorted()).toEqual(['black', 'cyan'])
    expect(droppedWords).toEqual(['abc1236'])
  })

  test('match on their own if they are short', async () => {
    expect(await found('42')).toEqual(['42'])
  })
})

describe('words', () => {
  test.each([
    ['toner', ['black', 'cyan']],
    ['TONERS', ['black', 'cyan']],
    ['black toner', ['black']],
    ['toner black', ['black']],
    ['printer', ['black']],
    ['xerox laser', ['black']],
    ['glossy', ['cyan']],
    ['recycled toner', ['cyan']],
    ['house brand', ['pn']],
    ['16 gb', ['memory']],
    ['16GB', ['memory']],
    ['parts memory', ['memory']],
    ['m8 x 20', ['screw']],
    ['M8x20', ['screw']],
    ['5,5mm', ['screw']],
    ['grossen', ['screw']],
    ['(cyan) [toner];', ['cyan']],
  ])('%s', async (keywords, ids) => {
    expect(await found(keywords)).toEqual(ids)
  })

  test('count most in the name', async () => {
    expect((await bench.ids({ keywords: 'memory' }))[0]).toBe('memory')
  })

  test('punctuation alone does not filter', async () => {
    expect(await bench.ids({ keywords: '- & !' })).toHaveLength(13)
  })
})

describe('a search whose words match nothing together', () => {
  test('corrects or drops words, and says so', async () => {
    const { products, total, droppedWords } = await bench.search({ keywords: 'blak toner' })
    expect(products[0].id).toBe('black')
    expect(total).toBe(2)
    expect(droppedWords).toEqual([])
    const fewer = await bench.search({ keywords: 'black toner unheardof' })
    expect(fewer.products[0].id).toBe('black')
    expect(fewer.droppedWords).toEqual(['unheardof'])
  })

  test('has no droppedWords if all words match', async () => {
    expect(await bench.search({ keywords: 'toner' })).not.toHaveProperty('droppedWords')
  })

  test('finds nothing if no word matches', async () => {
    const { products, total, droppedWords } = await bench.search({ keywords: 'unheardof' })
    expect([products, total, droppedWords]).toEqual([[], 0, undefined])
  })

  test('costs one further request only then', async () => {
    const cost = (body: object) => bench.trips(() => bench.search(body))
    expect(await cost({ keywords: 'toner' })).toBe(1)
    expect(await cost({ keywords: 'tonner' })).toBe(2)
    expect(await cost({ keywords: 'toner', manufacturer: ['Quill'] })).toBe(2)
    const count = (body: object) => bench.trips(() => bench.at('POST', '/count', body))
    expect(await count({ keywords: 'toner' })).toBe(1)
    expect(await count({ keywords: 'tonner' })).toBe(2)
  })

  test('ignores facet selections for this decision, equally in Search, Simple Search and Count', async () => {
    const total = async (body: object) => {
      const answers = await Promise.all(
        ['', '/simple', '/count'].map((path) => bench.at('POST', path, body)),
      )
      const [full, simple, count] = answers.map(({ body: { total: n, count: c } }) => n ?? c)
      expect([simple, count]).toEqual([full, full])
      return full
    }
    // All words match products, though none of this manufacturer, so the result is empty.
    expect(await total({ keywords: 'black toner', manufacturer: ['Quill'] })).toBe(0)
    // The words match nothing even without the manufacturer.
    expect(await total({ keywords: 'blak tonner', manufacturer: ['Xerox'] })).toBe(1)
    expect(await total({ keywords: 'blak tonner', includeMetadata: false })).toBe(2)
    // Criteria that are not facets count as part of the query.
    const must = [{ type: 'attribute', name: 'Recycled', value: 'Yes' }]
    expect(await total({ keywords: 'black toner', must })).toBe(1)
  })

  test('has facets that count what is shown', async () => {
    const { metadata } = await bench.search({ keywords: 'tonner', counts: true })
    expect(metadata.counts.facets).toEqual({ Finish: { glossy: 1 } })
  })
})

describe('long and odd texts', () => {
  const ALL = { highlight: true, explain: true, group: true, counts: true, typing: true }

  test.each(Object.entries(oddTexts(['toner', 'cartridge', 'memory', 'black', 'laser'])))(
    '%s: answered by a few requests to Elasticsearch',
    async (_, keywords) => {
      // With all words, with fewer or corrected words, and for values with such a name.
      expect(
        await bench.trips(async () => {
          const { status } = await bench.at('POST', '', { keywords, ...ALL })
          expect(status).toBe(200)
        }),
      ).toBeLessThanOrEqual(3)
    },
  )

  test('find what the rest of them means', async () => {
    expect(await found('😀 toner')).toEqual(['black', 'cyan'])
  })
})

describe('data of other catalogs', () => {
  const MINE = [
    { id: 'mine', name: 'Zambani lamp' },
    { id: 'x-rare', name: 'Quorvex holder' },
    { id: 'y-common', name: 'Plimtar holder with a somewhat longer name' },
  ]
  const near = 'abcdefghijklmnopqrstuvwxyz'
  const FOREIGN = [...near].flatMap((letter, at) => [
    { id: `f${at}`, name: `Zambono Zamba${letter}i Zamb${letter}ni Zambin${letter}` },
    { id: `q${at}`, name: 'Quorvex' },
  ])

  test('does not change the correction of a misspelled word or the order of results', async () => {
    const { service, org } = bench
    const catalog = await seedCatalog(service, org, MINE)
    const find = async (keywords: string) => {
      const call = 'POST /api/search/simple?catalog='
      const { body } = await org.call(`${call}${catalog}`, { body: { keywords } })
      return body.products.map(({ id }: { id: string }) => id)
    }
    const wishes = ['zambari', 'zambni', 'quorvex plimtar', 'quorvex plimtar nothere holder']
    const before = await Promise.all(wishes.map(find))
    expect(before.slice(0, 2)).toEqual([['mine'], ['mine']])
    const foreign = await newOrganization(service)
    await seedCatalog(service, foreign, FOREIGN)
    expect(await Promise.all(wishes.map(find))).toEqual(before)
    const other = await seedCatalog(service, org, FOREIGN)
    expect(await Promise.all(wishes.map(find))).toEqual(before)
    expect(other).not.toBe(catalog)
  })
})
