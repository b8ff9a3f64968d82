import { beforeAll, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
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
})

const path = (id: string, catalog = 'c') => `/api/Catalog/${catalog}/products/${id}`
const create = (body: object, catalog = 'c') =>
  expectOk(call(`POST /api/Catalog/${catalog}/products`, { body }))
const update = (id: string, body: object) => expectOk(call(`PUT ${path(id)}`, { body }))
const read = async (id: string) => (await expectOk(call(`GET ${path(id)}`))).body
const logs = async (id: string, catalog = 'c') =>
  (await expectOk(call(`GET ${path(id, catalog)}/logs`))).body.items
const restore = (id: string, logId: string, headers: Record<string, string> = {}, by = call) =>
  by(`POST ${path(id)}/logs/${logId}/restore`, { headers })

describe('Restore Product', () => {
  test('reverts one change as a new change, and leaves later ones', async () => {
    await create({
      id: 'a',
      name: 'One',
      attributes: { Color: 'red', Size: 'L' },
      vendors: [{ vendorName: 'Acme', cost: 1 }],
    })
    await update('a', {
      name: null,
      attributes: { Color: 'blue', Weight: '1 kg' },
      vendors: [{ vendorName: 'Acme', cost: 2 }, { vendorName: 'Zeta' }],
    })
    const [entry] = await logs('a')
    await update('a', {
      description: 'later',
      attributes: { Color: 'blue', Weight: '1 kg', Length: '2 m' },
    })
    const answer = await restore('a', entry.id)
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, message: 'Product restored.', id: 'a', taskId: null },
    ])
    expect(await read('a')).toMatchObject({
      name: 'One',
      description: 'later',
      attributes: { Color: 'red', Size: 'L', Length: '2 m' },
      vendors: [{ vendorName: 'Acme', cost: 1 }],
      version: '4',
    })
    const [last] = await logs('a')
    expect(last).toMatchObject({
      source: 'api',
      fieldsUpdated: ['name', 'vendors', 'attributes'],
    })
    expect(last.changes[0]).toEqual({ field: 'name', before: null, after: 'One' })

    await expectOk(restore('a', last.id))
    expect((await read('a')).name).toBe(null)
  })

  test('changes nothing more if repeated; finds the entry whether pending or stored', async () => {
    await create({ id: 'twice', name: 'One' })
    await update('twice', { name: 'Two' })
    const [entry] = await logs('twice')
    await service.services.background.settled()
    expect((await restore('twice', entry.id)).body.message).toBe('Product restored.')
    expect((await restore('twice', entry.id)).body.message).toBe('Nothing to change.')
    expect(await logs('twice')).toHaveLength(3)
  })

  test('cannot revert a creation', async () => {
    await create({ id: 'created', name: 'One' })
    const [entry] = await logs('created')
    const { status, body } = await restore('created', entry.id)
    expect([status, body.message]).toEqual([
      400,
      'logId: this entry is the creation of the product; there is no earlier state',
    ])
  })

  test('honors If-Match', async () => {
    await create({ id: 'matched', name: 'One' })
    await update('matched', { name: 'Two' })
    const [entry] = await logs('matched')
    expect((await restore('matched', entry.id, { 'if-match': '"1"' })).status).toBe(412)
    expect((await read('matched')).name).toBe('Two')
    expect((await restore('matched', entry.id, { 'if-match': '"2"' })).status).toBe(200)
    expect((await read('matched')).name).toBe('One')
  })

  test('returns 404 for an entry of another product, catalog or organization', async () => {
    const stranger = await newOrganization(service)
    await newCatalog(stranger)
    const theirs = async (line: string, body: object) => expectOk(stranger.call(line, { body }))
    await theirs('POST /api/Catalog/c/products', { id: 'mine' })
    await theirs(`PUT ${path('mine')}`, { name: 'Theirs' })
    await create({ id: 'mine' })
    await create({ id: 'other' })
    await update('other', { name: 'Other' })
    await create({ id: 'mine' }, 'd')
    await expectOk(call(`PUT ${path('mine', 'd')}`, { body: { name: 'D' } }))
    const entries = [
      (await logs('other'))[0],
      (await logs('mine', 'd'))[0],
      (await stranger.call(`GET ${path('mine')}/logs`)).body.items[0],
      { id: '0198c5a4-7a3e-7b61-9d2f-5c1e8a90b4d7' },
      { id: 'ffffffff-ffff-7fff-bfff-ffffffffffff' },
      { id: crypto.randomUUID() },
      { id: '_search' },
      { id: '%2e%2e%2f' },
    ]
    await service.services.background.settled()
    for (const { id } of entries) {
      const { status, body } = await restore('mine', id)
      expect([id, status, body.message]).toEqual([id, 404, 'Log entry not found.'])
    }
  })

  test('does not restore a deleted product', async () => {
    await create({ id: 'deleted', name: 'One' })
    await update('deleted', { name: 'Two' })
    const [entry] = await logs('deleted')
    await expectOk(call(`DELETE ${path('deleted')}`))
    const { status, body } = await restore('deleted', entry.id)
    expect([status, body.message]).toEqual([404, 'Product not found.'])
  })

  test('refuses an entry of a deleted product with the same id', async () => {
    await create({ id: 'again', name: 'Old', msrp: 1 })
    await update('again', { name: 'Older', msrp: 2 })
    const [entry] = await logs('again')
    await expectOk(call(`DELETE ${path('again')}`))
    await create({ id: 'again', name: 'New', msrp: 500 })
    const { status, body } = await restore('again', entry.id)
    expect([status, body.message]).toEqual([
      400,
      'logId: this entry is about a product with this id that has been deleted since',
    ])
    expect(await read('again')).toMatchObject({ name: 'New', msrp: 500 })
  })

  test('requires an editor; works in 1.0 too', async () => {
    await create({ id: 'roles', name: 'One' })
    await update('roles', { name: 'Two' })
    const [entry] = await logs('roles')
    const viewer = await organization.as('viewer')
    expect((await restore('roles', entry.id, {}, viewer)).status).toBe(403)
    const editor = await organization.as('editor')
    const line = `POST ${path('roles')}/logs/${entry.id}/restore`
    expect((await editor(line, { version: '1.0' })).status).toBe(200)
    expect((await read('roles')).name).toBe('One')
  })
})
