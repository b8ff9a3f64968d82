import { beforeAll, expect, test } from 'vitest'
import { catalogTag } from '../../src/products/catalog-words.ts'
import { seedCatalog } from '../support/catalog.ts'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { requestsSent } from '../support/probe.ts'
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
let other: TestOrganization
beforeAll(async () => {
  bench = await searchBench([{ id: 'own', ...PRODUCT }])
  other = await newOrganization(bench.service)
  const catalog = await seedCatalog(bench.service, other, [{ id: 'foreign', ...PRODUCT }])
  for (const [org, name] of [[bench.org, bench.catalog] as const, [other, catalog] as const]) {
    const body = { keywords: 'Driver set' }
    await expectOk(org.call(`POST /api/search/simple?catalog=${name}`, { body }))
  }
  await bench.service.services.background.settled()
})

/** The fields and texts of all prefix clauses in a body. */
function prefixesIn(body: unknown): [field: string, begun: string][] {
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, part]) =>
    key === 'prefix' && typeof part === 'object' ? Object.entries(part) : prefixesIn(part),
  )
}

/** The terms of all tenants that a prefix query on a field looks through. */
async function termsBegunBy(kind: string, field: string, begun: string): Promise<string[]> {
  const { client, indexName } = bench.service.services.elastic
  const index = indexName(kind)
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

test('suggestions look through queries of their own organization only', async () => {
  const suggested = () => bench.at('GET', '/quicksearch?search=driv&include=queries')
  const query = { keywords: 'driver set', source: 'history' }
  await expect.poll(async () => (await suggested()).body.suggestions.queries).toContainEqual(query)
  const sent = await requestsSent(bench.service, suggested)
  const bodies = sent
    .filter(({ path }) => path.includes('-history/'))
    .map(({ body }) => JSON.parse(`${body}`))
  await expectOwn(bodies, ['pastQuery'], { kind: 'history', scope: bench.org.id })
})

async function expectOwn(
  sent: readonly unknown[],
  fields: readonly string[],
  { kind, scope } = { kind: 'products', scope: `${bench.org.id}/${bench.catalog}` },
) {
  const tag = catalogTag(scope).toLowerCase()
  const withTerms = new Set<string>()
  for (const [field, begun] of prefixesIn(sent)) {
    if (COUNTED.includes(field)) continue
    for (const term of await termsBegunBy(kind, field, begun)) {
      expect(term.toLowerCase().slice(0, tag.length), field).toBe(tag)
      withTerms.add(field)
    }
  }
  expect([...withTerms]).toEqual(expect.arrayContaining([...fields]))
}
