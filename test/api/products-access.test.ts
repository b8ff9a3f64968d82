import { beforeAll, describe, expect, test } from 'vitest'
import { productsOf } from '../../src/products/product-documents.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { DRILL } from '../support/full-product.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call

const PRODUCTS = '/api/Catalog/c/products'
const at = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`
const create = (body: unknown) => call(`POST ${PRODUCTS}`, { body })
const get = async (id: string) => (await expectOk(call(`GET ${at(id)}`))).body

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
  call = organization.call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  await expectOk(create(DRILL))
})

describe('access to products', () => {
  test('lets viewers read and editors write', async () => {
    const viewer = await organization.as('viewer')
    const editor = await organization.as('editor')
    await expectOk(viewer(`GET ${at('drill')}`))
    for (const line of [`POST ${PRODUCTS}`, `PUT ${at('drill')}`, `DELETE ${at('drill')}`]) {
      const parts = line.startsWith('DELETE') ? {} : { body: {} }
      expect((await viewer(line, parts)).status).toBe(403)
    }
    await expectOk(editor(`POST ${PRODUCTS}`, { body: { id: 'by editor' } }))
    await expectOk(editor(`PUT ${at('by editor')}`, { body: { name: 'x' } }))
    expect((await get('by editor')).updatedBy).toBe('editor')
  })

  test('lets a search key get and retrieve products of active catalogs, and nothing else', async () => {
    const key = await organization.key('viewer', 'search')
    await expectOk(call(`GET ${at('drill')}`, { key }))
    await expectOk(call('POST /api/Catalog/c/retrieveProducts', { key, body: { ids: ['drill'] } }))
    expect((await call(`GET ${at('drill')}/logs`, { key })).status).toBe(403)
    expect((await call(`PUT ${at('drill')}`, { key, body: {} })).status).toBe(403)
    await expectOk(call('POST /api/Catalog', { body: { name: 'quiet', active: false } }))
    await expectOk(call('POST /api/Catalog/quiet/products', { body: { id: 'p' } }))
    await expectOk(call('GET /api/Catalog/quiet/products/p'))
    expect((await call('GET /api/Catalog/quiet/products/p', { key })).status).toBe(404)
  })

  test('shows a search key links, but no other annotations', async () => {
    await expectOk(call(`POST ${PRODUCTS}`, { body: { id: 'noted', name: 'Noted' } }))
    await expectOk(call(`PUT ${at('noted')}/extensionFields/erp/cost`, { body: { value: '4711' } }))
    await expectOk(call(`PUT ${at('noted')}/links/erp/MAT-7`))
    const key = await organization.key('viewer', 'search')
    const links = [{ type: 'erp', value: 'MAT-7', recommended: false }]
    const extensionFields = [{ extensionId: 'erp', key: 'cost', value: '4711' }]
    const body = { keywords: 'noted' }
    const shown = async (parts: object) => [
      (await expectOk(call(`GET ${at('noted')}`, parts))).body,
      ...(
        await expectOk(
          call('POST /api/Catalog/c/retrieveProducts', { ...parts, body: { ids: ['noted'] } }),
        )
      ).body,
      ...(await expectOk(call('POST /api/search?catalog=c', { ...parts, body }))).body.products,
      ...(await expectOk(call('POST /api/search/simple?catalog=c', { ...parts, body }))).body
        .products,
    ]
    const own = { links, extensionFields, updatedBy: 'administrator' }
    // Searches see the product before its annotations.
    await expect.poll(() => shown({})).toMatchObject(Array.from({ length: 4 }, () => own))
    for (const product of await shown({ key })) {
      expect(product).toMatchObject({ links, extensionFields: [], updatedBy: null })
    }
  })

  test('returns the same bytes for foreign catalogs and products as for missing ones', async () => {
    const other = await newOrganization(service)
    await expectOk(other.call('POST /api/Catalog', { body: { name: 'theirs' } }))
    await expectOk(other.call('POST /api/Catalog/theirs/products', { body: { id: 'secret' } }))
    const answers = async (path: string) => {
      const lines: [string, object?][] = [
        [`GET ${path}`],
        [`PUT ${path}`, {}],
        [`DELETE ${path}`],
        [`GET ${path}/logs`],
      ]
      const got = await Promise.all(lines.map(([line, body]) => call(line, body ? { body } : {})))
      return got.map(({ status, body }) => [status, body])
    }
    const missing = await answers('/api/Catalog/nothing/products/nothing')
    expect(missing.map(([status]) => status)).toEqual([404, 404, 404, 404])
    expect(await answers('/api/Catalog/theirs/products/secret')).toEqual(missing)
    const unknown = await call(`GET ${at('secret')}`)
    expect(unknown.status).toBe(404)
    expect(unknown.body).toEqual({
      success: false,
      message: 'Product not found.',
      id: null,
      taskId: null,
    })
  })
})

describe('search', () => {
  test('finds written products soon', async () => {
    const word = `w${crypto.randomUUID().slice(0, 8)}`
    await expectOk(create({ id: word, name: `Thing ${word}` }))
    const products = productsOf(service.services, {
      owner: organization.id,
      name: 'c',
      index: null,
    })
    const found = () => products.count({ match: { 'search.name': word } })
    await expect.poll(found).toBe(1)
  })
})
