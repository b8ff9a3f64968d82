import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { newCatalog } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
  await newCatalog(organization, 'd')
  const editor = await organization.as('editor')
  await create({ id: 'a', name: 'A1' })
  await create({ id: 'b', name: 'B1' }, 'd')
  await expectOk(editor('PUT /api/Catalog/c/products/a', { body: { name: 'A2' } }))
  await expectOk(editor('PUT /api/Catalog/d/products/b', { body: { name: 'B2' } }))
})

const create = (body: object, catalog = 'c', by = call) =>
  expectOk(by(`POST /api/Catalog/${catalog}/products`, { body }))

interface Entry {
  readonly catalog: string
  readonly changes: { after: unknown }[]
}
const namesIn = (items: Entry[]) => items.map(({ changes }) => changes[0]?.after)
const report = async (query = '', by = call) =>
  (await expectOk(by(`GET /api/reporting/products${query}`))).body.items

describe('Get Product Reporting Logs', () => {
  const all = ['B2', 'A2', 'B1', 'A1']

  test('shows changes in all catalogs, newest first', async () => {
    await expect.poll(async () => namesIn(await report())).toEqual(all)
    expect((await report())[0]).toEqual({
      catalog: 'd',
      productId: 'b',
      updatedBy: 'editor',
      timestamp: expect.stringMatching(/Z$/),
      fieldsUpdated: ['name'],
      id: expect.any(String),
      source: 'api',
      changes: [{ field: 'name', before: 'B1', after: 'B2' }],
    })
    expect(namesIn(await report('?page=0&pageSize=0'))).toEqual(all)
  })

  test.each([
    ['?user=editor', ['B2', 'A2']],
    ['?catalog=c', ['A2', 'A1']],
    ['?catalog=d&user=administrator', ['B1']],
    ['?user=nobody', []],
    ['?user=&catalog=', all],
    ['?pageSize=2', ['B2', 'A2']],
    ['?pageSize=3&page=1', ['A1']],
    ['?pageSize=250&page=39', []],
  ])('%s', async (query, expected) => {
    await expect.poll(async () => namesIn(await report())).toEqual(all)
    expect(namesIn(await report(query))).toEqual(expected)
  })

  test.each(['page=-1', 'page=1.5', 'pageSize=251', 'pageSize=x', 'pageSize=250&page=40'])(
    'returns 400 for %s',
    async (query) => {
      expect((await call(`GET /api/reporting/products?${query}`)).status).toBe(400)
    },
  )

  test('returns 404 for an unknown catalog', async () => {
    const { status, body } = await call('GET /api/reporting/products?catalog=none')
    expect([status, body.message]).toEqual([404, 'Catalog not found.'])
  })

  test('shows entries whose write to the log failed, after a retry', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    // An hour ahead, so that no other instance considers the entries old.
    const clock = { now: () => new Date(Date.now() + 3_600_000) }
    const crashing = await startService({ node: proxy.node, clock })
    const other = await newOrganization(crashing)
    await newCatalog(other)
    proxy.set('down', (line) => line.includes('/_bulk'))
    await create({ id: 'left', name: 'Left' }, 'c', other.call)
    await crashing.services.background.settled()
    proxy.set('none')
    const shown = async (query: string) => namesIn(await report(query, other.call))
    await expect.poll(() => shown('')).toEqual(['Left'])
    expect(await shown('?catalog=c')).toEqual(['Left'])
    await proxy.close()
  })

  test('is hidden from others; a child sees its own products, and its parent by name', async () => {
    const stranger = await newOrganization(service)
    expect(await report('', stranger.call)).toEqual([])
    const child = await newOrganization(service, organization.id)
    expect(await report('', child.call)).toEqual([])
    expect(namesIn(await report('?catalog=d', await child.as('viewer')))).toEqual(['B2', 'B1'])
  })
})
