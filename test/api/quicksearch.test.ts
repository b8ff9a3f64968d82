import { beforeAll, describe, expect, test } from 'vitest'
import { seedCatalog } from '../support/catalog.ts'
import { caller } from '../support/client.ts'
import { type SearchBench, searchBench } from '../support/search.ts'

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([
    ...Array.from({ length: 12 }, (_, at) => ({
      id: `z${at}`,
      manufacturer: `Zeta ${String.fromCharCode(65 + at)}`,
      manufacturerPartNumber: `ZZ-${100 + at}`,
    })),
    { id: 'more', manufacturer: 'Zeta K', category: 'Été & hiver' },
    { id: 'again', manufacturerPartNumber: 'ZZ-100' },
    {
      id: 'a',
      manufacturer: 'Ärger.Co',
      segment: 'Alpha',
      category: 'Alpha',
      subCategory: 'Apples',
      manufacturerPartNumber: 'A.1-2/3',
    },
    { id: 'b', manufacturer: 'arger', segment: 'Beta', category: 'Apples' },
  ])
  await seedCatalog(bench.service, bench.org, [{ id: 'x', manufacturer: 'Argon' }])
})

const quick = async (text: string) =>
  (await bench.at('GET', `/quicksearch?search=${encodeURIComponent(text)}`)).body

describe('Quicksearch', () => {
  test.each(['1.0', '6.0'])('returns results from the first character on (%s)', async (version) => {
    const { status, body } = await bench.org.call(
      `GET /api/search/quicksearch?search=a&catalog=${bench.catalog}`,
      { version },
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      manufacturers: ['arger', 'Ärger.Co'],
      categories: ['Apples', 'Alpha'],
      manufacturerPartNumbers: ['A.1-2/3'],
    })
  })

  test.each([
    ['ÄRG', { manufacturers: ['arger', 'Ärger.Co'] }],
    ['arger.', { manufacturers: ['Ärger.Co'] }],
    ['ete &', { categories: ['Été & hiver'] }],
    ['a12', { manufacturerPartNumbers: ['A.1-2/3'] }],
    ['A-1', { manufacturerPartNumbers: ['A.1-2/3'] }],
    ['.*', {}],
    ['beta', { categories: ['Beta'] }],
    ['ö'.repeat(200), {}],
    ['ﷺ'.repeat(200), {}],
    ['\\"[(', {}],
  ])('%s', async (text, expected) => {
    const nothing = { manufacturers: [], categories: [], manufacturerPartNumbers: [] }
    expect(await quick(text)).toEqual({ ...nothing, ...expected })
  })

  test('completes a category at any level, which can then be searched for', async () => {
    expect((await quick('appl')).categories).toEqual(['Apples'])
    expect((await bench.ids({ keywords: 'Apples' })).sort()).toEqual(['a', 'b'])
    expect(await bench.ids({ category: 'Apples' })).toEqual(['b'])
    expect(await bench.ids({ subCategory: 'Apples' })).toEqual(['a'])
  })

  test('returns at most ten of each kind, each once, the most frequent names first, then by text', async () => {
    const { manufacturers, manufacturerPartNumbers } = await quick('z')
    expect(manufacturers).toEqual(
      ['K', 'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I'].map((letter) => `Zeta ${letter}`),
    )
    expect(manufacturerPartNumbers).toEqual(Array.from({ length: 10 }, (_, at) => `ZZ-${100 + at}`))
  })

  test('costs two requests at once, and is available to a search key', async () => {
    expect(await bench.trips(() => quick('ap'))).toBe(2)
    const key = await bench.org.key('viewer', 'search')
    const answer = await bench.at(
      'GET',
      '/quicksearch?search=a',
      undefined,
      caller(bench.service, { key }),
    )
    expect(answer.status).toBe(200)
  })

  test.each([
    ['/quicksearch', 'search: required'],
    ['/quicksearch?search=&include=products', 'search: required'],
    ['/quicksearch?search=', 'search: required'],
    ['/quicksearch?search=%20', 'search: required'],
    [`/quicksearch?search=${'x'.repeat(201)}`, 'search: Too big'],
    [
      '/quicksearch?search=a&include=product',
      'include[0]: must be one or more of products, queries, categories',
    ],
    ['/quicksearch?search=a%00', 'search: control characters are not allowed'],
  ])('%s is refused', async (path, message) => {
    const { status, body } = await bench.at('GET', path)
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  })
})
