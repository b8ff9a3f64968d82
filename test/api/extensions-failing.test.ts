import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { installRemote, json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let remote: TestRemote
let other: string
let call: Call
let id: string
beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  const organization = await newOrganization(service)
  call = organization.call
  await seedCatalog(service, organization, [{ id: 'A' }, { id: 'B' }], 'c')
  other = await seedCatalog(service, organization, [{ id: 'C' }])
  await expectOk(call('PUT /api/organizations/current', { body: { defaultCatalog: 'c' } }))
  remote = await startRemote({
    id: 'oakvale',
    kind: 'recommendation',
    name: 'Oakvale',
    calls: ['run', 'options'],
    fields: [{ field: 'range', optional: true, hasOptions: true }],
  })
  id = await installRemote(call, { manifestUrl: `${remote.url}/manifest.json` })
})
afterAll(() => remote.close())

test('a recommender receives what identifies a product, for its own vendor', async () => {
  const identity = { id: 'D', manufacturer: 'M', manufacturerPartNumber: 'P', name: 'Drill' }
  const vendors = ['Nord', 'Oakvale'].map((vendorName) => ({
    ...{ vendorName, vendorPartNumber: `${vendorName}-1` },
  }))
  const upcs = ['0012345678905']
  const organization = await newOrganization(service)
  const stored = { ...identity, upcs, vendors, description: 'Long' }
  const bare = { id: 'E', manufacturer: null, manufacturerPartNumber: null, name: null, upcs: [] }
  const catalog = await seedCatalog(service, organization, [stored, bare])
  const sentTo = async (settings: object) => {
    const manifestUrl = `${remote.url}/manifest.json`
    const installed = await installRemote(organization.call, { manifestUrl }, settings)
    const body = { products: ['D', 'E'].map((one) => ({ catalog, id: one })) }
    remote.answers((response) => json(response, {}))
    const run = `POST /api/extensions/recommendation/${installed}/run`
    await expectOk(organization.call(run, { body }))
    return JSON.parse(remote.received.at(-1)!.body).request.products
  }
  const common = { ...identity, catalog, upcs }
  const empty = { ...bare, catalog, vendorPartNumber: null }
  expect(await sentTo({ vendor: 'Oakvale' })).toEqual([
    { ...common, vendorPartNumber: 'Oakvale-1' },
    empty,
  ])
  expect(await sentTo({})).toEqual([{ ...common, vendorPartNumber: null }, empty])
})

const error = 'Oakvale responded with status 500.'

describe('products that a recommender returns', () => {
  const line = () => `POST /api/extensions/recommendation/${id}/run`
  const match = (productId: string, source?: string) => ({
    productId,
    scorer: 'x',
    score: 1,
    source,
  })
  const ask = async (answer: object, body: object = {}, by = call) => {
    remote.answers((response) => json(response, answer))
    return (await expectOk(by(line(), { body }))).body
  }

  test('are dropped if the caller cannot see them, and the log has their number', async () => {
    const stranger = await newOrganization(service)
    const elsewhere = await seedCatalog(service, stranger, [{ id: 'A' }])
    const answer = await ask({
      products: ['A', 'B', 'C', 'nothing'],
      matchedProducts: [match('A', 'c'), match('A', elsewhere), match('nothing', 'c')],
      possibleProducts: [match('B'), match('C'), match('C', other), match('A', 'nowhere')],
    })
    expect(answer).toMatchObject({ success: true, products: ['A', 'B', 'C'] })
    const shown = ({ source, productId }: { source: string; productId: string }) =>
      `${source}/${productId}`
    expect(answer.matchedProducts.map(shown)).toEqual(['c/A'])
    // Each product has its catalog, which Add Items To Workspace requires.
    expect(answer.possibleProducts.map(shown)).toEqual(['c/B', `${other}/C`])
    const { items } = (await expectOk(call(`GET /api/extensions/installed/${id}/logs`))).body
    expect(items[0]).toMatchObject({
      message: '3 products recommended. Entries with unknown products: 5.',
      recommendedProductCount: 3,
      potentialMatchProductCount: 3,
    })
  })

  test('are looked up in the catalog of the request by default', async () => {
    const said = { products: ['A', 'C'], possibleProducts: [match('C')] }
    const answer = await ask(said, { products: [{ catalog: other, id: 'C' }] })
    expect(answer.products).toEqual(['C'])
    expect(answer.possibleProducts).toMatchObject([{ productId: 'C', source: other }])
  })

  test('are refused if there are too many', async () => {
    const products = Array.from({ length: limits.remoteRecommendations + 1 }, (_, n) => `p${n}`)
    expect(await ask({ products })).toMatchObject({
      success: false,
      error: 'Oakvale returned more than 1000 products.',
    })
  })
})

test('a failing recommender returns its failure, which is logged', async () => {
  const line = `POST /api/extensions/recommendation/${id}/run`
  remote.answers((response) => response.writeHead(500).end())
  const body = { additionalFields: { text: 'DS18-040' } }
  const answer = (await expectOk(call(line, { body }))).body
  expect(answer).toEqual({
    error,
    success: false,
    products: [],
    matchedProducts: [],
    possibleProducts: [],
  })
  const { items } = (await expectOk(call(`GET /api/extensions/installed/${id}/logs`))).body
  expect(items[0]).toMatchObject({ action: 'run', success: false, errorMessage: error })
})

test('so do options that are requested of a failing extension', async () => {
  remote.answers((response) => response.writeHead(500).end())
  const options = await call('GET /api/extensions/available/oakvale/range/installOptions')
  expect((await expectOk(Promise.resolve(options))).body).toEqual({
    error,
    success: false,
    options: [],
  })
})
