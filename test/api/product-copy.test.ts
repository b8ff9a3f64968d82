import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
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
  await newCatalog(organization, 'from')
  await newCatalog(organization, 'to')
})

const full = {
  name: 'Drill',
  description: 'Two gears',
  manufacturer: 'Drakesmoor',
  manufacturerPartNumber: 'DS18',
  image: 'https://example.com/d.png',
  unspsc: '27112700',
  segment: 'Tools',
  category: 'Drills',
  subCategory: 'Cordless',
  msrp: 129,
  images: [{ id: 'i', url: 'https://example.com/1.png', name: 'Front', type: 'image/png' }],
  vendors: [{ vendorName: 'Acme', cost: 5, onHand: 2, vendorPartNumber: 'A-1' }],
  attributes: { Color: 'red' },
  filters: { Weight: 1.6 },
  facets: { Voltage: '18 V' },
  links: [{ type: 'manual', value: 'https://example.com/m.pdf', recommended: true }],
  upcs: ['012345678905'],
}
const path = (catalog: string, id: string) => `/api/Catalog/${catalog}/products/${id}`
const create = (catalog: string, body: object) =>
  expectOk(call(`POST /api/Catalog/${catalog}/products`, { body }))
const read = async (catalog: string, id: string, by = call) =>
  (await expectOk(by(`GET ${path(catalog, id)}`))).body
const logs = async (catalog: string, id: string, by = call) => {
  await service.services.background.settled()
  return (await expectOk(by(`GET ${path(catalog, id)}/logs`))).body.items
}
const copy = (id: string, by = call) => by(`POST ${path('from', id)}/copyToCatalog/to`)

/** Fields in which the two products differ. */
const own = { catalog: null, lastUpdated: null, version: null, updatedBy: null }

describe('Copy Product To Catalog', () => {
  test('creates the product with its offers in the target, and logs it on both sides', async () => {
    await create('from', { id: 'new', ...full })
    const answer = await copy('new')
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: 'Product copied.', id: 'new', taskId: null },
    ])
    const copied = await read('to', 'new')
    expect(copied).toMatchObject({ catalog: 'to', version: '1', ...full, images: [{ id: 'i' }] })
    expect({ ...copied, ...own }).toEqual({ ...(await read('from', 'new')), ...own })

    const [target] = await logs('to', 'new')
    expect(target).toMatchObject({ source: 'copy', copiedFrom: 'from', catalog: 'to' })
    expect(target.fieldsUpdated).toContain('vendors')
    const [source, creation] = await logs('from', 'new')
    expect(source).toMatchObject({
      source: 'copy',
      copiedTo: 'to',
      catalog: 'from',
      updatedBy: 'administrator',
      fieldsUpdated: [],
    })
    expect(creation.source).toBe('api')
    expect((await read('from', 'new')).version).toBe('1')
    const { body } = await call(`POST ${path('from', 'new')}/logs/${source.id}/restore`)
    expect(body.message).toBe('Nothing to change.')
  })

  test('updates a product with the same id, and changes nothing more if repeated', async () => {
    await create('from', { id: 'known', ...full })
    await create('to', { id: 'known', name: 'Other', vendors: [{ vendorName: 'Zeta', cost: 1 }] })
    expect((await copy('known')).body.message).toBe('Product copied.')
    const once = await read('to', 'known')
    expect(once).toMatchObject({ version: '2', name: 'Drill', vendors: [{ vendorName: 'Acme' }] })
    expect((await copy('known')).body).toMatchObject({
      success: true,
      message: 'Nothing to change.',
    })
    expect(await read('to', 'known')).toEqual(once)
    expect(await logs('to', 'known')).toHaveLength(2)
    expect(await logs('from', 'known')).toHaveLength(2)
  })

  test('creates and logs the copy once, even if the answer was lost', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const other = await startService({ node: proxy.node })
    const key = await organization.key('administrator')
    const elsewhere = caller(other, { key, organization: organization.id })
    await create('from', { id: 'lost', ...full })
    await create('from', { id: 'lost too', ...full })
    await create('to', { id: 'lost', name: 'Other' })
    for (const [id, entries] of [
      ['lost', 2],
      ['lost%20too', 1],
    ] as const) {
      let dropped = 0
      const isWrite = (line: string) => /^(PUT|POST) .*products\/_(doc|create)\//.test(line)
      proxy.set('dropAnswer', (line) => isWrite(line) && dropped++ < 1)
      expect((await copy(id, elsewhere)).status).toBe(200)
      expect(dropped).toBeGreaterThan(0)
      expect((await copy(id, elsewhere)).body.message).toBe('Nothing to change.')
      await other.services.background.settled()
      expect(await logs('to', id)).toHaveLength(entries)
      expect(await logs('from', id)).toHaveLength(2)
    }
    await proxy.close()
  })

  test('honors If-Match, which is about the product in the target', async () => {
    await create('from', { id: 'matched', name: 'Drill' })
    const copyAt = async (version: string) => {
      const line = `POST ${path('from', 'matched')}/copyToCatalog/to`
      const { status, body } = await call(line, { headers: { 'if-match': `"${version}"` } })
      return [status, body.message]
    }
    expect(await copyAt('1')).toEqual([404, 'Product in the target catalog not found.'])
    await create('to', { id: 'matched', name: 'Edited' })
    expect(await copyAt('99')).toEqual([412, "The product's version is now 1. Read it again."])
    expect((await read('to', 'matched')).name).toBe('Edited')
    expect(await copyAt('1')).toEqual([200, 'Product copied.'])
  })

  test('does not copy annotations', async () => {
    await create('from', { id: 'annotated', ...full })
    const tags = await call(`PUT ${path('from', 'annotated')}/tags`, { body: ['mine'] })
    expect([200, 404]).toContain(tags.status)
    await expectOk(copy('annotated'))
    expect(await read('to', 'annotated')).toMatchObject({ tags: [], notes: [], userTags: [] })
  })

  test('takes the target from the last part of the path in 1.0', async () => {
    await create('from', { id: 'old', name: 'Old' })
    await expectOk(call('POST /api/Catalog/from/old/copyToCatalog/to', { version: '1.0' }))
    expect((await read('to', 'old')).name).toBe('Old')
  })

  test('returns 404 for anything missing, and 400 for the same catalog', async () => {
    await create('from', { id: 'here' })
    const to = async (from: string, id: string, target: string) => {
      const { status, body } = await call(`POST ${path(from, id)}/copyToCatalog/${target}`)
      return [status, body.success, body.message]
    }
    expect(await to('from', 'here', 'nowhere')).toEqual([404, false, 'Catalog not found.'])
    expect(await to('nowhere', 'here', 'to')).toEqual([404, false, 'Catalog not found.'])
    expect(await to('from', 'missing', 'to')).toEqual([404, false, 'Product not found.'])
    expect(await to('from', 'here', 'from')).toEqual([
      400,
      false,
      'The source and the target catalog are the same.',
    ])
  })
})

describe('access to copies', () => {
  let child: TestOrganization
  beforeAll(async () => {
    child = await newOrganization(service, organization.id)
    await newCatalog(child, 'own')
  })

  test('is refused for viewers; a child can copy from its parent, whose log does not show it', async () => {
    await create('from', { id: 'shared', ...full })
    const line = `POST ${path('from', 'shared')}/copyToCatalog/own`
    expect((await (await child.as('viewer'))(line)).status).toBe(403)
    const editor = await child.as('editor')
    await expectOk(editor(line))
    expect(await read('own', 'shared', editor)).toMatchObject({ name: 'Drill', catalog: 'own' })
    expect((await logs('own', 'shared', editor))[0]).toMatchObject({ copiedFrom: 'from' })
    expect(await logs('from', 'shared')).toHaveLength(1)
  })

  test('is refused for a parent’s catalog without a role there', async () => {
    const editor = await child.as('editor')
    await expectOk(editor('POST /api/Catalog/own/products', { body: { id: 'mine' } }))
    const answer = await editor(`POST ${path('own', 'mine')}/copyToCatalog/to`)
    expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('editor')])
    expect((await call(`GET ${path('to', 'mine')}`)).status).toBe(404)
  })

  test('returns the same for a foreign catalog as for a missing one', async () => {
    const stranger = await newOrganization(service)
    await newCatalog(stranger, 'theirs')
    await create('from', { id: 'private' })
    for (const line of [
      `POST ${path('from', 'private')}/copyToCatalog/theirs`,
      `POST ${path('from', 'private')}/copyToCatalog/missing`,
    ]) {
      const { status, body } = await call(line)
      expect([status, body.message]).toEqual([404, 'Catalog not found.'])
    }
  })
})

afterAll(() => service.stop())
