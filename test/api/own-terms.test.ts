import { beforeAll, expect, test } from 'vitest'
import { catalogTag } from '../../src/products/catalog-words.ts'
import { seedCatalog } from '../support/catalog.ts'
import { newOrganization } from '../support/client.ts'
import { type SearchBench, searchBench, searchesSent } from '../support/search.ts'

const PRODUCT = {
  name: 'Drill 4006 driver set',
  manufacturer: 'Brennick',
  manufacturerPartNumber: '4006381',
  upcs: ['04006385', '4006777'],
  category: 'Drills',
  unspsc: '27112703',
}

let bench: SearchBench
beforeAll(async () => {
  bench = await searchBench([{ id: 'own', ...PRODUCT }])
  const other = await newOrganization(bench.service)
  await seedCatalog(bench.service, other, [{ id: 'foreign', ...PRODUCT }])
})

/** The fields and texts of all prefix clauses in a body. */
function prefixesIn(body: unknown): [field: string, begun: string][] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, part]) =>
    key === 'prefix' && typeof part === 'object' ? Object.entries(part) : prefixesIn(part),
  )
}

/** The terms of all catalogs that a prefix query on a field looks through. */
async function termsBegunBy(field: string, begun: string): Promise<string[]> {
  const { client, indexName } = bench.service.services.elastic
  const index = indexName('products')
  // Terms in the order of names are folded, as prefixes for them are by Elasticsearch.
  const string = field === 'search.nameSort' ? begun.toLowerCase() : begun
  return (await client.termsEnum({ index, field: field.replace('.begin', ''), string })).terms
}

/** The values of a few catalogs, which are limited in number. */
const COUNTED = ['search.quick']

test.each([
  [{ keywords: '4006' }, ['search.partNumbers']],
  [{ keywords: 'drill 4006', typing: true }, ['search.partNumbers']],
  [{ keywords: 'dril', typing: true }, ['search.roles', 'search.words']],
  [{ keywords: 'drill 4006 driver' }, ['search.partNumbers', 'search.nameSort']],
  [{ must: [{ type: 'unspsc', value: '27110000' }] }, ['search.unspsc']],
])('%j looks through terms of its own catalog only', async (body, fields) => {
  const answers: string[][] = []
  const sent = await searchesSent(bench.service, async () => {
    answers.push(await bench.ids(body))
  })
  expect(answers).toEqual([['own']])
  await expectOwn(sent, fields)
})

test('Quicksearch looks through part numbers of its own catalog only', async () => {
  for (const search of ['4', '4006', '40063']) {
    const sent = await searchesSent(bench.service, async () => {
      const { body } = await bench.at('GET', `/quicksearch?search=${search}`)
      expect(body.manufacturerPartNumbers).toEqual(['4006381'])
    })
    await expectOwn(sent, ['search.manufacturerPartNumber.begin'])
  }
})

async function expectOwn(sent: readonly unknown[], fields: readonly string[]) {
  const tag = catalogTag(`${bench.org.id}/${bench.catalog}`).toLowerCase()
  const withTerms = new Set<string>()
  for (const [field, begun] of prefixesIn(sent)) {
    if (COUNTED.includes(field)) continue
    for (const term of await termsBegunBy(field, begun)) {
      expect(term.toLowerCase().slice(0, tag.length), field).toBe(tag)
      withTerms.add(field)
    }
  }
  expect([...withTerms]).toEqual(expect.arrayContaining([...fields]))
}
