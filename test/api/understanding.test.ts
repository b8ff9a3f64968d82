import { beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog } from '../support/catalog.ts'
import { newOrganization } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

const offer = (onHand: number) => [{ vendorName: 'V', cost: 10, onHand, inStock: onHand > 0 }]

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    { id: 'mouse', name: 'Acme mouse optical', manufacturer: 'Acme' },
    { id: 'pad', name: 'Mouse pad' },
    { id: 'headset', name: 'Stereo headset', attributes: { Cable: 'No cable' } },
    { id: 'phones', name: 'Headphones' },
    { id: 'bulb', name: 'Warm light bulb' },
    { id: 'notebook', name: 'Acme 15 notebook 16 GB', subCategory: 'Notebooks' },
    { id: 'touch', name: 'Acme 15 notebook 16 GB touchscreen', subCategory: 'Notebooks' },
    { id: 'small', name: 'Acme 15 notebook 8 GB', subCategory: 'Notebooks' },
    { id: 'sleeve', name: 'Sleeve for notebook' },
    { id: 'bore25', name: 'Bearing 25 x 52 x 15 mm' },
    { id: 'bore12', name: 'Bearing 12.25 mm', filters: { 'Width (cm)': 2 } },
    { id: 'bolt', name: 'Bolt M8 x 40 mm' },
    { id: 'aa', name: 'Battery AA' },
    { id: 'part', name: 'Bracket ED707AA' },
    { id: 'penlite', name: 'Cell', manufacturerPartNumber: 'AA' },
    { id: 'gone', name: 'Cordless drill', vendors: offer(0) },
    { id: 'here', name: 'Cordless drill', vendors: offer(5) },
    {
      id: 'old',
      name: 'Drill',
      vendors: [{ vendorName: 'V', cost: 10, onHand: 0, inStock: false, status: 'Discontinued' }],
    },
    { id: 'drillbag', name: 'Bag for a drill' },
    { id: 'steel', name: 'Bolt of stainless steel', subCategory: 'Bolts' },
    { id: 'toner', name: 'Toner black', category: 'Office supplies' },
    { id: 'warden', name: 'Warden gloves' },
    { id: 'mpn', name: 'Cartridge light cyan', manufacturerPartNumber: 'Light Cyan' },
    { id: 'longer', name: 'Light cyan cartridge', manufacturerPartNumber: 'Light Cyan T1' },
    { id: 'rack', name: 'Rack server', manufacturerPartNumber: '5015A-PHF' },
  ])
})

const ids = (keywords: string, more: object = {}) => bench.ids({ keywords, ...more })

describe('products rank above accessories for them', () => {
  test.each([
    ['mouse', ['mouse', 'pad']],
    ['notebook', ['notebook', 'sleeve']],
    ['acme mouse', ['mouse']],
  ])('%s', async (keywords, order) => {
    const found = await ids(keywords)
    expect(found.filter((id) => order.includes(id))).toEqual(order)
  })

  test('two letters are not a fragment of a part number', async () => {
    expect(await ids('aa')).toEqual(['aa', 'penlite'])
    expect(await ids('battery aa')).toEqual(['aa'])
    expect(await ids('ed')).toEqual([])
    expect(await ids('', { must: [{ type: 'keyword', value: 'ed' }] })).toEqual(['part'])
  })

  test('products in stock come first among equals', async () => {
    expect(await ids('cordless drill')).toEqual(['here', 'gone'])
  })

  test('discontinued products without stock rank below available ones, and above accessories', async () => {
    expect(await ids('drill')).toEqual(['here', 'gone', 'old', 'drillbag'])
  })

  test.each([
    ['light cyan', 'mpn'],
    ['bag for a drill', 'drillbag'],
    ['5015A-PHF', 'rack'],
  ])('products called %s as a whole come first', async (keywords, id) => {
    expect((await ids(keywords))[0]).toBe(id)
  })
})

describe('if no product of the named type has all words', () => {
  let shop: SearchBench
  beforeAll(async () => {
    const description = 'HDMI input, a cable guide and 2 m of string'
    const screen = { manufacturer: 'Vista', description }
    const blue = { manufacturer: 'Ode', facets: { Colour: 'Blue', Length: '2 m' } }
    shop = await searchBench([
      { id: 'm1', name: 'Wide monitor', ...screen },
      { id: 'm2', name: 'Curved monitor', manufacturerPartNumber: 'XM-27', ...screen },
      { id: 'c1', name: 'Patch cable', ...blue },
      { id: 'g1', name: 'Work gloves', manufacturer: 'Grip', facets: { Colour: 'Olive' } },
      { id: 'o1', name: 'Desk chair olive' },
      { id: 'o2', name: 'Strap for Grip' },
      { id: 'c2', name: 'Fiber patch cable', manufacturer: 'Quill' },
    ])
  })
  const found = async (body: object) => {
    const { products, total, droppedWords } = await shop.search(body)
    expect((await shop.at('POST', '/count', body)).body.count).toBe(total)
    return [products.map(({ id }: { id: string }) => id), droppedWords]
  }
  const keywords = 'HDMI cable'

  test('search, count, facets, pages and walks return that type with fewer words', async () => {
    expect(await found({ keywords })).toEqual([['c1', 'c2'], ['HDMI']])
    const { metadata } = await shop.search({ keywords, counts: true })
    expect(metadata.counts.manufacturers).toEqual({ Ode: 1, Quill: 1 })
    expect(await found({ keywords, sort: '-name' })).toEqual([['c1', 'c2'], ['HDMI']])
    expect(await shop.ids({ keywords, page: 1, pageSize: 1 })).toEqual(['c2'])
    const first = await shop.search({ keywords, pageSize: 1, cursor: '*' })
    const second = await shop.search({ keywords, pageSize: 1, cursor: first.cursor })
    expect([first, second].map(({ products }) => products[0].id)).toEqual(['c1', 'c2'])
  })

  test('an incomplete query is read alike', async () => {
    for (const typed of ['HDMI cab', 'HDMI cable', 'HDMI cable ']) {
      const answer = await found({ keywords: typed, typing: true })
      expect(answer, typed).toEqual([['c1', 'c2'], ['HDMI']])
    }
    expect(await found({ keywords: 'HDMI moni', typing: true })).toEqual([['m1', 'm2'], undefined])
  })

  test('an incomplete or misspelled word does not rank mentions above the named product', async () => {
    for (const typed of ['HDMI cabl', 'HDMI calbe']) {
      const found = await shop.ids({ keywords: typed, typing: true })
      expect(found.slice(0, 2), typed).toEqual(['c1', 'c2'])
      expect(found.slice(2).toSorted(), typed).toEqual(['m1', 'm2'])
      const { products } = await shop.search({ keywords: typed, typing: true, explain: true })
      for (const { explanation } of products) {
        const sum = explanation.parts.reduce(
          (all: number, part: { score: number }) => all + part.score,
          0,
        )
        expect(sum).toBeCloseTo(explanation.score, 1)
      }
    }
  })

  test('boosts of the catalog do not change the rest of the order', async () => {
    const pins = [{ product: 'o2', position: 1 }]
    const rule = { name: 'First', when: { query: 'hdmi cables', match: 'exact' }, pins }
    const line = `/api/Catalog/${shop.catalog}/search/preview`
    const { body } = await shop.org.call(`POST ${line}`, {
      body: { search: { keywords }, settings: { rules: [rule] } },
    })
    const ids = body.preview.products.map(({ id }: { id: string }) => id)
    expect([ids, body.preview.total, body.preview.droppedWords]).toEqual([
      ['o2', 'c1', 'c2'],
      3,
      ['HDMI'],
    ])
  })

  test('a facet selection does not decide it', async () => {
    const must = [{ type: 'facet', name: 'Colour', value: 'Blue' }]
    expect(await found({ keywords, must })).toEqual([['c1'], ['HDMI']])
    expect(await found({ keywords, manufacturer: ['Vista'] })).toEqual([[], undefined])
    const bare = { includeMetadata: false, manufacturer: ['Vista'] }
    expect(await found({ keywords, ...bare })).toEqual([[], undefined])
  })

  test('numbers are never dropped, and exclusions apply', async () => {
    expect(await found({ keywords: '2 m HDMI cable' })).toEqual([['c1'], ['HDMI']])
    expect(await found({ keywords: 'XM-27 cable' })).toEqual([['m2'], undefined])
    expect(await found({ keywords: 'HDMI cable -fiber' })).toEqual([['c1'], ['HDMI']])
  })

  test('a color or a manufacturer does not name another type, or filter', async () => {
    const ordinary = [
      ['gloves olive', 'g1'],
      ['work gloves grip', 'g1'],
      ['cable 2 m blue', 'c1'],
      ['patch cable ode', 'c1'],
      ['fiber patch cable', 'c2'],
      ['monitor XM-27', 'm2'],
    ] as const
    for (const [words, id] of ordinary) {
      const search = async () => expect(await shop.ids({ keywords: words })).toEqual([id])
      expect(await shop.trips(search), words).toBe(1)
    }
  })

  test('all words are kept if no product is of the named type', async () => {
    expect(await found({ keywords: 'HDMI guide' })).toEqual([['m1', 'm2'], undefined])
    expect(await found({ keywords: 'HDMI monitor' })).toEqual([['m1', 'm2'], undefined])
  })
})

describe('alternative spellings', () => {
  test.each([
    ['head set', ['headset', 'phones']],
    ['heatset', ['headset', 'phones']],
    ['lightbulb', ['bulb']],
    ['laptop 8gb', ['small']],
    ['Glühbirne', ['bulb']],
    ['notebook without touchscreen 16 gb', ['notebook']],
    ['notebook -touchscreen 16 gb', ['notebook']],
    ['edelstahlschraube', ['steel']],
    ['head phones', ['phones', 'headset']],
    ['headset without cable', ['headset', 'phones']],
  ])('%s', async (keywords, expected) => {
    expect(await ids(keywords)).toEqual(expected)
  })
})

describe('numbers with units', () => {
  test.each([
    ['25 mm', ['bore25']],
    ['25mm bearing', ['bore25']],
    ['2,5 cm bearing', ['bore25']],
    ['bearing 20 mm', ['bore12']],
    ['25x52', ['bore25']],
    ['m8-40', ['bolt']],
    ['M 8 x 40', ['bolt']],
    ['M8 x 40 mm bolt', ['bolt']],
    ['M10 x 40 mm', []],
    ['16GB notebook without touchscreen', ['notebook']],
  ])('%s', async (keywords, expected) => {
    expect(await ids(keywords)).toEqual(expected)
  })
})

describe('spelling', () => {
  test.each([
    ['qwxyzk', undefined],
    ['noteboko', 'notebook'],
    ['headdset', 'headset'],
    ['cordles drill', 'cordless drill'],
    ['warn bulf', 'warm bulb'],
  ])('%s is corrected to %s', async (keywords, correctedTo) => {
    const answer = await bench.search({ keywords })
    expect(answer.correctedTo).toBe(correctedTo)
    expect(answer.total > 0).toBe(correctedTo !== undefined)
  })

  test.each(['office chair', 'garden hose', 'varm bulf'])(
    'nothing is found rather than something else: %s',
    async (keywords) => {
      expect(await bench.search({ keywords })).toMatchObject({ total: 0 })
    },
  )

  test('the words that name the type are sufficient', async () => {
    expect(await bench.search({ keywords: 'cordless drill qwxyzk' })).toMatchObject({
      products: [{ id: 'here' }, { id: 'gone' }, { id: 'old' }],
      droppedWords: ['qwxyzk'],
    })
  })

  test('nothing is corrected if all words match', async () => {
    expect(await bench.search({ keywords: 'mouse pad' })).not.toHaveProperty('correctedTo')
  })

  test('words of other catalogs are not suggested', async () => {
    const { service } = bench
    await seedCatalog(service, await newOrganization(service), [
      { id: 'x', name: 'Zambanuli lamp' },
    ])
    const answer = await bench.search({ keywords: 'zambanulu' })
    expect(answer).toMatchObject({ total: 0 })
    expect(answer).not.toHaveProperty('correctedTo')
  })
})

describe('while a word is being typed', () => {
  test.each([
    ['n', 'notebook'],
    ['no', 'notebook'],
    ['notebo', 'notebook'],
    ['acme note', 'notebook'],
    ['mou', 'mouse'],
    ['notebook 8 g', 'small'],
    ['m8x', 'bolt'],
  ])('%s', async (keywords, first) => {
    const found = await ids(keywords, { typing: true })
    expect(found.slice(0, 3)).toContain(first)
  })

  test('another letter never loses a product that has the word', async () => {
    for (let length = 1; length <= 'notebook'.length; length++) {
      const found = await ids('notebook'.slice(0, length), { typing: true })
      expect(found).toEqual(expect.arrayContaining(['notebook', 'touch', 'small', 'sleeve']))
    }
  })

  test('a search costs one request', async () => {
    expect(await bench.trips(() => ids('acme noteb', { typing: true }))).toBe(1)
  })

  test('prefixes of the last word match before words are dropped, without an option', async () => {
    const { products, droppedWords } = await bench.search({ keywords: 'acme noteb' })
    const first = products.slice(0, 3).map(({ id }: { id: string }) => id)
    expect([first.toSorted(), droppedWords]).toEqual([['notebook', 'small', 'touch'], []])
  })

  test('searches are not recorded in the history', async () => {
    await ids('typedword', { typing: true })
    await ids('writtenword')
    const kept = async () => {
      const { body } = await bench.org.call('GET /api/search/history?pageSize=250')
      return body.items.map(({ keywords }: { keywords: string }) => keywords)
    }
    await expect.poll(kept).toContain('writtenword')
    expect(await kept()).not.toContain('typedword')
  })
})
