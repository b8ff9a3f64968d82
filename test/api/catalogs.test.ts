import { beforeAll, describe, expect, test } from 'vitest'
import { removeDeletedCatalogs } from '../../src/catalogs/removal.ts'
import { bulk } from '../../src/elastic/bulk.ts'
import { limits } from '../../src/limits.ts'
import { emptyProduct } from '../../src/products/next-document.ts'
import { indexedPieces, productsOf } from '../../src/products/product-documents.ts'
import { removeCatalog } from '../support/catalog.ts'
import {
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { requestsSent, roundTrips } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let time = Date.now()
let organization: TestOrganization

beforeAll(async () => {
  service = await startService({ clock: { now: () => new Date(time) } })
})

const create = (name: unknown, more: object = {}) =>
  organization.call('POST /api/Catalog', { body: { name, ...more } })

describe('catalogs', () => {
  beforeAll(async () => {
    organization = await newOrganization(service)
  })

  test('a catalog is created active and listed by name', async () => {
    await expectOk(create('tools', { description: ' Hand tools ' }))
    await expectOk(create('books', { active: false, checkRealtime: true }))
    const { status, body } = await organization.call('GET /api/Catalog')
    expect(status).toBe(200)
    expect(body).toEqual({
      catalogs: [
        { name: 'books', description: null, active: false, checkRealtime: true },
        { name: 'tools', description: 'Hand tools', active: true, checkRealtime: false },
      ],
    })
  })

  test('a request that names hundreds of catalogs looks them up together', async () => {
    const products = Array.from({ length: 300 }, (_, i) => ({ catalog: `none${i}`, id: 'x' }))
    const items = products.map(({ catalog, id }) => ({ catalog, productId: id }))
    const listed = items.map((item) => ({ ...item, priceList: 'l' }))
    const { call } = organization
    await expectOk(call('POST /api/workspaces', { body: { name: 'w' } }))
    for (const [line, body, status] of [
      ['POST /api/extensions/realtime/run', { products }, 404],
      ['POST /api/workspaces/w/items', { items }, 404],
      ['POST /api/workspaces/w/items', { items: listed }, 404],
    ] as const) {
      const reads = await roundTrips(
        service,
        async () => expect((await call(line, { body })).status).toBe(status),
        ({ path }) => /catalogs\/_(?:doc|mget)/.test(path),
      )
      expect([line, reads < 100]).toEqual([line, true])
    }
  })

  test('1.0 creates catalogs too', async () => {
    const answer = await organization.call('POST /api/Catalog', {
      version: '1.0',
      body: { name: 'from 1.0' },
    })
    expect(answer.body).toMatchObject({ success: true, id: 'from 1.0' })
  })

  test('an update changes only the fields it contains; null clears the description', async () => {
    await expectOk(create('paper', { description: 'Paper', checkRealtime: true }))
    const put = (body: object) => organization.call('PUT /api/Catalog', { body })
    await expectOk(put({ name: 'paper', active: false }))
    const list = async () =>
      (await organization.call('GET /api/Catalog')).body.catalogs.find(
        ({ name }: { name: string }) => name === 'paper',
      )
    expect(await list()).toEqual({
      name: 'paper',
      description: 'Paper',
      active: false,
      checkRealtime: true,
    })
    await expectOk(put({ name: 'paper', description: null }))
    expect((await list()).description).toBeNull()
    expect((await put({ name: 'nothing of that name' })).status).toBe(404)
  })

  test.each([
    ['nothing', undefined],
    ['no character', ''],
    ['a slash', 'a/b'],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a space at the end', 'a '],
    ['101 characters', 'x'.repeat(101)],
    ['a control character', 'a\u0000b'],
    ['a tab', 'a\tb'],
    ['a number', 7],
  ])('a name of %s returns 400', async (_what, name) => {
    const answer = await create(name)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(/^(body\.)?name: /)
  })

  test('names can contain any other text', async () => {
    for (const name of ['x'.repeat(100), 'Büro & 100% "neu" #1', '目录', 'constructor', '*']) {
      await expectOk(create(name))
      const path = `/api/Catalog/${encodeURIComponent(name)}`
      await expectOk(organization.call(`POST ${path}/products`, { body: { id: 'p' } }))
      await expectOk(organization.call(`GET ${path}/products/p`))
    }
  })

  test('a name in use returns 409', async () => {
    await expectOk(create('taken'))
    expect((await create('taken')).status).toBe(409)
  })

  test('viewers and editors read catalogs, administrators change them', async () => {
    for (const role of ['viewer', 'editor'] as const) {
      const call = await organization.as(role)
      expect((await call('GET /api/Catalog')).status).toBe(200)
      expect((await call('POST /api/Catalog', { body: { name: role } })).status).toBe(403)
      expect((await call('DELETE /api/Catalog/tools')).status).toBe(403)
    }
  })
})

describe('a parent and its children', () => {
  let child: TestOrganization
  let sibling: TestOrganization

  beforeAll(async () => {
    organization = await newOrganization(service)
    child = await newOrganization(service, organization.id)
    sibling = await newOrganization(service, organization.id)
    await expectOk(create('shared'))
    await expectOk(child.call('POST /api/Catalog', { body: { name: 'own' } }))
  })

  test('a child reads its parent’s catalogs and its own, nobody else does', async () => {
    const names = async (who: TestOrganization) =>
      (await who.call('GET /api/Catalog')).body.catalogs.map(({ name }: { name: string }) => name)
    expect(await names(child)).toEqual(['own', 'shared'])
    expect(await names(sibling)).toEqual(['shared'])
    expect(await names(organization)).toEqual(['shared'])
  })

  test('names are unique across a parent and its children', async () => {
    const taken = { body: { name: 'own' } }
    expect((await organization.call('POST /api/Catalog', taken)).status).toBe(409)
    expect((await sibling.call('POST /api/Catalog', taken)).status).toBe(409)
    expect((await child.call('POST /api/Catalog', { body: { name: 'shared' } })).status).toBe(409)
  })

  test('a child can read a catalog of its parent but not write to it', async () => {
    await expectOk(
      organization.call('POST /api/Catalog/shared/products', { body: { id: 'p', name: 'Pen' } }),
    )
    const got = await child.call('GET /api/Catalog/shared/products/p')
    expect(got.body).toMatchObject({ id: 'p', name: 'Pen', catalog: 'shared' })
    const writes = [
      child.call('PUT /api/Catalog/shared/products/p', { body: { name: 'Ink' } }),
      child.call('POST /api/Catalog/shared/products', { body: { id: 'q' } }),
      child.call('DELETE /api/Catalog/shared/products/p'),
      child.call('PUT /api/Catalog', { body: { name: 'shared', active: false } }),
      child.call('DELETE /api/Catalog/shared'),
    ]
    for (const answer of await Promise.all(writes)) expect(answer.status).toBe(403)
  })

  test('a role in the parent holds in the child, which can then write to both catalogs', async () => {
    const inChild = { headers: { 'x-suborganization': child.id } }
    for (const name of ['shared', 'own']) {
      const line = `POST /api/Catalog/${name}/products`
      const answer = await organization.call(line, { ...inChild, body: { id: 'from parent' } })
      expect([name, answer.status]).toEqual([name, 200])
    }
  })
})

describe('limits', () => {
  test('catalogLimit holds, even for concurrent creations', async () => {
    organization = await newOrganization(service)
    const operator = caller(service, { key: OPERATOR_KEY, organization: organization.id })
    await expectOk(
      operator('PUT /api/organizations/current', {
        body: { id: organization.id, name: 'limited', catalogLimit: 3 },
      }),
    )
    time += limits.cacheMs
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => create(name)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400, 400, 400])
    const refused = await create('g')
    expect(refused.status).toBe(400)
    expect(refused.body.message).toContain('3 catalogs')
    expect((await organization.call('GET /api/Catalog')).body.catalogs).toHaveLength(3)
  })
})

describe('Delete Catalog', () => {
  beforeAll(async () => {
    organization = await newOrganization(service)
  })

  test('returns 404 from then on, and keeps the name until its products are deleted', async () => {
    await expectOk(create('old'))
    await expectOk(create('kept'))
    for (const id of ['1', '2', '3']) {
      for (const name of ['old', 'kept']) {
        await expectOk(organization.call(`POST /api/Catalog/${name}/products`, { body: { id } }))
      }
    }
    await expectOk(organization.call('DELETE /api/Catalog/old'))
    for (const line of [
      'GET /api/Catalog/old/products/1',
      'PUT /api/Catalog/old/products/1',
      'POST /api/Catalog/old/products',
      'POST /api/Catalog/old/retrieveProducts',
      'GET /api/Catalog/old/products/1/logs',
      'DELETE /api/Catalog/old',
    ]) {
      const answer = await organization.call(line, { ...(/^P/.test(line) ? { body: {} } : {}) })
      expect([line, answer.status, answer.body.message]).toEqual([line, 404, 'Catalog not found.'])
    }
    expect((await create('old')).status).toBe(409)
    const listed = (await organization.call('GET /api/Catalog')).body.catalogs
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['kept'])

    await removeDeletedCatalogs(service.services)
    expect((await create('old')).status).toBe(409)
    await removeCatalog(service, organization.id, 'old')
    await expectOk(create('old'))
    expect((await organization.call('GET /api/Catalog/old/products/1')).status).toBe(404)
    await expectOk(organization.call('GET /api/Catalog/kept/products/1'))
  })

  test('continues to delete the products on another instance, however many there are, and gives way to requests', async () => {
    await expectOk(create('large'))
    const scope = { owner: organization.id, name: 'large', index: null, language: 'en' } as const
    const products = productsOf(service.services, scope)
    const index = service.services.elastic.indexName(products.place.kind)
    const items = Array.from({ length: 2_500 }, (_, n) => {
      const now = new Date(time)
      const empty = emptyProduct({ id: `${n}`, catalog: 'large', actor: 'test', now })
      const document = { product: empty, annotations: {}, pending: [] }
      const at = {
        _index: index,
        _id: products.documentId(`${n}`),
        routing: products.place.routing,
      }
      return {
        action: JSON.stringify({ create: at }),
        document: indexedPieces(scope, document).join(''),
      }
    })
    await bulk(service.services.elastic, items, { refresh: true })
    expect(await products.count()).toBe(2_500)
    await expectOk(organization.call('DELETE /api/Catalog/large'))
    time += limits.catalogRemovalMs
    const instance = await startService({ clock: { now: () => new Date(time) } })
    const { requests } = instance.services
    const places: unknown[] = []
    const enter: typeof requests.enter = async (...asked) => {
      places.push(asked[1])
      return requests.enter(...asked)
    }
    const services = { ...instance.services, requests: { ...requests, enter } }
    const recreated = async () => {
      await removeDeletedCatalogs(services)
      return (await create('large')).status
    }
    const sent = await requestsSent(instance, () => expect.poll(recreated).toBe(200))
    expect(await products.count()).toBe(0)
    const bulks = sent.filter(({ path }) => path === '/_bulk').map(({ querystring }) => querystring)
    expect(bulks.filter((asked) => asked?.includes('refresh'))).toEqual([])
    const place = { cost: limits.batchPlaces, givesWay: true }
    expect(places).toEqual([place, place, place])
  })

  test('a missing and a foreign catalog return the same', async () => {
    const other = await newOrganization(service)
    await expectOk(other.call('POST /api/Catalog', { body: { name: 'theirs' } }))
    const foreign = await organization.call('DELETE /api/Catalog/theirs')
    const missing = await organization.call('DELETE /api/Catalog/nothing')
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })
})

test('changes of languages at the same time share a refresh of all products', async () => {
  const shop = await newOrganization(service)
  const names = Array.from({ length: 6 }, (_, at) => `l${at}`)
  for (const name of names) await expectOk(shop.call('POST /api/Catalog', { body: { name } }))
  const change = (name: string) =>
    expectOk(shop.call('PUT /api/Catalog', { body: { name, language: 'de' } }))
  const refreshes = await roundTrips(
    service,
    () => Promise.all(names.map(change)),
    ({ path }) => path.endsWith('-products/_refresh'),
  )
  expect(refreshes).toBeLessThan(names.length)
})
