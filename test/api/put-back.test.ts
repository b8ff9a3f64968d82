import { beforeAll, describe, expect, test } from 'vitest'
import { REVISIONS } from '../../src/operation.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, caller, expectOk, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import { taskEnded } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

const drill = {
  id: 'D-100',
  name: 'Forge 18 V cordless drill driver',
  upcs: ['4006381333931'],
  images: [{ id: 'front', url: 'https://example.com/d.png', name: 'front', type: null }],
  links: [{ type: 'manual', value: 'https://example.com/d.pdf', recommended: false }],
  attributes: { Chuck: '13 mm' },
  facets: { Voltage: '18 V' },
  filters: { Weight: 1.6 },
  vendors: [{ vendorName: 'Oakvale Supply', cost: 89.5, onHand: 12 }],
}

let service: TestService
let organization: string
let call: Call
let catalog: string
beforeAll(async () => {
  service = await startService()
  const made = await newOrganization(service)
  organization = made.id
  catalog = await seedCatalog(service, made, [drill], 'tools')
  call = (line, parts) => expectOk(made.call(line, parts))
  const at = `/api/Catalog/${catalog}/products/D-100`
  await call(`PUT ${at}/notes`, { body: { text: 'Spare case?' } })
  await call(`PUT ${at}/tags`, { body: ['quiet'] })
  await call(`PUT ${at}/extensionFields/erp/costCentre`, { body: { value: '4711' } })
  await call(`PUT ${at}/favorites/user`)
})

const PRODUCT = {
  '1.0': () => `/api/Catalog/${catalog}/D-100`,
  '6.0': () => `/api/Catalog/${catalog}/products/D-100`,
}

describe.each(REVISIONS)('a returned object can be sent back under %s:', (version) => {
  const get = async (path: string, under = version) =>
    (await call(`GET ${path}`, { version: under })).body
  const put = (path: string, body: unknown) => call(`PUT ${path}`, { version, body })

  test.each(REVISIONS)('a product, in its shape of %s', async (shape) => {
    const before = await get(PRODUCT['6.0'](), '6.0')
    await put(PRODUCT[version](), await get(PRODUCT[shape](), shape))
    expect(await get(PRODUCT['6.0'](), '6.0')).toEqual(before)
  })

  test('a product from a search', async () => {
    const before = await get(PRODUCT['6.0'](), '6.0')
    const body = { keywords: 'drill', highlight: true }
    const found = await call(`POST /api/search?catalog=${catalog}`, { version, body })
    const [product] = found.body.products
    expect(product.highlight.name).toContain('<em>')
    const vendors = [{ ...product.vendors[0], checkedAt: '2026-01-01T00:00:00Z' }]
    await put(PRODUCT[version](), { ...product, vendors })
    expect(await get(PRODUCT['6.0'](), '6.0')).toEqual(before)
  })

  test.each(REVISIONS)('a note, in its shape of %s', async (shape) => {
    const got = await get(`${PRODUCT[shape]()}/notes`, shape)
    await put(`${PRODUCT[version]()}/notes`, shape === '1.0' ? got : got.notes[0])
    expect((await get(PRODUCT[version]())).notes).toEqual([
      { username: 'administrator', text: 'Spare case?' },
    ])
  })

  test('an extension field, and one of a workspace', async () => {
    const fields = `${PRODUCT[version]()}/extensionFields`
    const [field] = (await get(fields)).fields
    await put(`${fields}/erp/costCentre`, field)
    expect((await get(fields)).fields).toEqual([field])
    const at = `/api/workspaces/${await workspace()}/metadata`
    await put(`${at}/erp/orderNumber`, { value: '7' })
    const [kept] = (await get(at)).fields
    await put(`${at}/erp/orderNumber`, kept)
    expect((await get(at)).fields).toEqual([kept])
  })

  /** The name of a new workspace with two drills. */
  async function workspace() {
    const name = `w-${crypto.randomUUID()}`
    const line = `POST ${PRODUCT['6.0']()}/addToWorkspace/${name}`
    await call(line, { body: { quantity: 2, price: 80 } })
    return name
  }

  test('an item of a workspace', async () => {
    const at = `/api/workspaces/${await workspace()}`
    const [item] = (await get(at)).products
    await put(`${at}/items/${item.id}`, item)
    expect((await get(at)).products[0].details).toEqual({ quantity: 2, price: 80 })
    await put(`${at}/items/${item.id}`, { ...item, quantity: 3 })
    expect((await get(at)).products[0].details).toEqual({ quantity: 3, price: 80 })
  })

  test('an organization, also by an operator, and one of its users', async () => {
    const at = '/api/organizations/current'
    const got = await get(at)
    await put(at, got)
    const operator = caller(service, { key: OPERATOR_KEY, organization, version })
    await expectOk(operator(`PUT ${at}`, { body: got }))
    const user = got.users.find((one: { username: string }) => one.username === 'viewer')
    await put(`${at}/users/viewer`, user)
    expect(await get(at)).toEqual(got)
  })

  test('an organization with another id', async () => {
    const got = await get('/api/organizations/current')
    const operator = caller(service, { key: OPERATOR_KEY, version })
    const id = `t-${crypto.randomUUID()}`
    const body = { ...got, id, defaultCatalog: null }
    await expectOk(operator('POST /api/organizations', { body }))
  })

  test('a catalog', async () => {
    const list = async () => (await get('/api/Catalog', '6.0')).catalogs
    const before = await list()
    await call('PUT /api/Catalog', { body: before[0] })
    expect(await list()).toEqual(before)
  })

  test('an installed extension, with its values entered again', async () => {
    const body = { extensionNickname: 'Prices', vendor: 'Oakvale Supply', catalog }
    const line = 'POST /api/extensions/available/file/install'
    const { id } = (await call(line, { version, body })).body
    const at = `/api/extensions/installed`
    const read = async () => (await get(at)).find((one: { id: string }) => one.id === id)
    const got = await read()
    await put(`${at}/${id}`, { ...got, additionalData: undefined })
    expect(await read()).toEqual(got)
    await put(`${at}/${id}`, { ...got, additionalData: undefined, nickname: 'Weekly' })
    expect((await read()).nickname).toBe('Weekly')
    await call(`DELETE ${at}/${id}`)
  })

  test('a key, to create another of the same kind', async () => {
    const body = { name: 'shop', keyType: 'search', origins: ['https://shop.example'] }
    const { id } = (await call('POST /api/KeyAuth/keys', { version, body })).body
    const keys = async () => (await get('/api/KeyAuth/keys')).keys
    const got = (await keys()).find((one: { id: string }) => one.id === id)
    const again = (await call('POST /api/KeyAuth/keys', { version, body: got })).body.id
    expect(again).not.toBe(id)
    const made = (await keys()).find((one: { id: string }) => one.id === again)
    const own = ['name', 'keyType', 'username', 'origins', 'expires', 'allOrganizations', 'enabled']
    for (const name of own) expect([name, made[name]]).toEqual([name, got[name]])
  })

  test('a task', async () => {
    const headers = { 'content-type': 'text/csv' }
    const file = await call('POST /api/files?name=a.csv', { body: 'sku\nX-1\n', headers })
    const body = { fileUrl: file.body.url, targetCatalog: catalog, apiKey: 'not looked at' }
    const { taskId } = (await call('POST /api/extensions/import/import', { body })).body
    await taskEnded(call, taskId)
    const read = async () =>
      (await get('/api/tasks')).items.find((one: { id: string }) => one.id === taskId)
    const got = await read()
    await put(`/api/tasks/${taskId}`, { ...got, reviewed: true })
    expect(await read()).toEqual({ ...got, reviewed: true })
  })

  test('a suggested mapping', async () => {
    const headers = { 'content-type': 'text/csv' }
    const text = 'sku,brand\nX-2,Drakesmoor\n'
    const fileUrl = (await call('POST /api/files?name=b.csv', { body: text, headers })).body.url
    const sampled = await call('POST /api/extensions/available/file/getSample', {
      body: { fileUrl, targetCatalog: catalog, vendor: 'Oakvale Supply' },
    })
    const { mappings } = sampled.body
    expect(mappings[0].confidence).toBeGreaterThan(0)
    const body = { catalog, mappings, additionalData: { fileUrl } }
    const line = 'POST /api/extensions/available/file/validate'
    expect((await call(line, { body })).body).toMatchObject({ success: true })
  })

  test('a saved search and columns', async () => {
    await put(`/api/search/saved/drills?catalog=${catalog}`, { keywords: 'drill', pageSize: 1 })
    const [saved] = (await get('/api/search/saved')).items
    await put(`/api/search/saved/drills?catalog=${catalog}`, saved.search)
    expect((await get('/api/search/saved')).items).toEqual([saved])
    const at = '/api/organizations/current/columns/results'
    await put(at, ['name'])
    await put(at, await get(at))
    expect(await get(at)).toEqual(['name'])
  })
})

describe('an entry of Search History', () => {
  const body = {
    keywords: 'drill',
    must: [{ type: 'vendor', value: 'Oakvale Supply' }],
    filters: [{ name: 'Weight', min: 1 }],
    facetSearch: { name: 'Voltage', text: '18' },
  }

  test('can be sent again, for the catalog that it names', async () => {
    await call(`POST /api/search?catalog=${catalog}`, { body })
    const found = async () => (await call('GET /api/search/history')).body.items
    await expect.poll(async () => (await found()).some(isOurs)).toBe(true)
    const entry = (await found()).find(isOurs)
    for (const line of ['POST /api/search', 'POST /api/search/simple']) {
      expect((await call(line, { body: entry })).body.total).toBe(1)
    }
    expect((await call('POST /api/search/count', { body: entry })).body).toEqual({
      count: 1,
      catalog,
    })
    await call('PUT /api/search/saved/again', { body: entry })
    const { items } = (await call('GET /api/search/saved')).body
    const { catalog: _, username: __, time: ___, ...search } = entry
    expect(items.find(({ name }: { name: string }) => name === 'again')).toEqual({
      name: 'again',
      catalog,
      search,
    })
  })

  const isOurs = ({ facetSearch }: { facetSearch?: unknown }) => facetSearch !== undefined

  test('is refused with another catalog in the query', async () => {
    const viewer = await (await newOrganization(service)).as('viewer')
    const answer = await viewer('POST /api/search?catalog=a', { body: { catalog: 'b' } })
    expect([answer.status, answer.body.message]).toEqual([
      400,
      'catalog: differs from the catalog in the query',
    ])
  })
})
