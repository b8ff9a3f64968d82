import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let call: Call
/** A member whose role only allows reading and using workspaces. */
let viewer: Call
let catalog: string

beforeAll(async () => {
  service = await startService()
  const organization = await newOrganization(service)
  call = organization.call
  viewer = await organization.as('viewer')
  catalog = await seedCatalog(service, organization, [
    {
      id: 'drill',
      name: 'Drill',
      manufacturer: 'Drakesmoor',
      manufacturerPartNumber: 'DS-1',
      msrp: 200,
      vendors: [
        { vendorName: 'Dear', vendorPartNumber: 'D-1', cost: 150 },
        { vendorName: 'Cheap', vendorPartNumber: 'C-1', cost: 99.9 },
      ],
    },
    { id: 'wrench', name: 'Wrench', msrp: 8.2 },
    { id: 'gift', name: 'Without a price' },
    ...Array.from({ length: 40 }, (_, n) => ({ id: `bolt-${n}`, msrp: 0.1 })),
  ])
})

const path = (name: string) => `/api/workspaces/${encodeURIComponent(name)}`
const fresh = () => `w-${crypto.randomUUID().slice(0, 8)}`
const add = (name: string, product: string, body?: object, as = viewer) =>
  as(
    `POST /api/Catalog/${catalog}/products/${product}/addToWorkspace/${encodeURIComponent(name)}`,
    {
      ...(body && { body }),
    },
  )
const detail = async (name: string) => (await expectOk(viewer(`GET ${path(name)}`))).body
const create = async (name = fresh()) => {
  const { body } = await expectOk(viewer('POST /api/workspaces', { body: { name } }))
  return { name, id: body.id as string }
}

describe('a workspace', () => {
  test('is created by the first product that is added, even by a viewer', async () => {
    const name = fresh()
    const added = await expectOk(add(name, 'drill'))
    const shown = await detail(name)
    expect(shown).toMatchObject({
      name,
      active: true,
      products: [
        {
          id: added.body.id,
          username: 'viewer',
          productId: 'drill',
          catalog,
          workspace: name,
          product: { id: 'drill', name: 'Drill', vendors: [{}, {}] },
          details: { quantity: 1, price: 99.9 },
          deleted: false,
        },
      ],
      totals: { items: 1, quantity: 1, price: 99.9 },
    })
    expect((await detail(shown.id)).id).toBe(shown.id)
  })

  test('can be created explicitly, once per name', async () => {
    const { name, id } = await create()
    expect(await detail(id)).toEqual({
      id,
      name,
      active: true,
      products: [],
      totals: { items: 0, quantity: 0, price: 0 },
    })
    expect((await call('POST /api/workspaces', { body: { name } })).status).toBe(409)
  })

  test('is created once by 16 concurrent clients that add its first product', async () => {
    const name = fresh()
    const products = Array.from({ length: 16 }, (_, n) => `bolt-${n}`)
    const answers = await Promise.all(products.map((product) => add(name, product)))
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200))
    expect((await detail(name)).totals).toEqual({ items: 16, quantity: 16, price: 1.6 })
  })

  test('is served in 1.0, where products are added without a body', async () => {
    const name = fresh()
    const old = { version: '1.0' }
    await expectOk(viewer(`POST /api/Catalog/${catalog}/wrench/addToWorkspace/${name}`, old))
    const shown = await expectOk(viewer(`GET ${path(name)}`, old))
    expect(shown.body.products[0].details).toEqual({ quantity: 1, price: 8.2 })
  })

  test('is deleted immediately, and its name starts empty', async () => {
    const { name, id } = await create()
    await expectOk(add(name, 'drill'))
    await expectOk(viewer(`DELETE ${path(name)}`))
    for (const line of [`GET ${path(name)}`, `GET ${path(id)}`, `DELETE ${path(name)}`]) {
      expect((await viewer(line)).status).toBe(404)
    }
    const again = await create(name)
    expect(again.id).not.toBe(id)
    expect((await detail(name)).products).toEqual([])
    expect((await viewer(`GET ${path(id)}`)).status).toBe(404)
  })

  test('belongs to the organization: foreign and missing ones return the same', async () => {
    const { name, id } = await create()
    const other = await newOrganization(service)
    for (const text of [name, id]) {
      const foreign = await other.call(`GET ${path(text)}`)
      const missing = await viewer(`GET ${path(text === id ? crypto.randomUUID() : fresh())}`)
      expect([foreign.status, foreign.body]).toEqual([404, missing.body])
    }
    await expectOk(other.call('POST /api/workspaces', { body: { name } }))
    expect((await detail(name)).id).toBe(id)
  })
})

describe('an item', () => {
  test('has the quantity and price of the request, by default 1 and the current price', async () => {
    const name = fresh()
    await expectOk(add(name, 'drill', { quantity: 2.5, price: 90 }))
    await expectOk(add(name, 'wrench', { quantity: null }))
    await expectOk(add(name, 'gift', {}))
    const { products, totals } = await detail(name)
    expect(products.map((item: { details: object }) => item.details)).toEqual([
      { quantity: 2.5, price: 90 },
      { quantity: 1, price: 8.2 },
      { quantity: 1, price: null },
    ])
    expect(totals).toEqual({ items: 3, quantity: 4.5, price: 233.2 })
  })

  test('keeps its price when the product’s changes, and shows the current product', async () => {
    const name = fresh()
    const id = 'changing'
    await expectOk(call(`POST /api/Catalog/${catalog}/products`, { body: { id, msrp: 10 } }))
    await expectOk(add(name, id))
    const body = { msrp: 12, name: 'Later' }
    await expectOk(call(`PUT /api/Catalog/${catalog}/products/${id}`, { body }))
    const [item] = (await detail(name)).products
    expect(item).toMatchObject({ product: { msrp: 12, name: 'Later' }, details: { price: 10 } })
  })

  test('of a deleted product shows its id and its stored values', async () => {
    const name = fresh()
    const body = { id: 'dying', name: 'Dying', manufacturerPartNumber: 'X', msrp: 3 }
    await expectOk(call(`POST /api/Catalog/${catalog}/products`, { body }))
    await expectOk(add(name, 'dying'))
    await expectOk(call(`DELETE /api/Catalog/${catalog}/products/dying`))
    const [item] = (await detail(name)).products
    expect(item).toMatchObject({
      productId: 'dying',
      deleted: true,
      product: { id: 'dying', catalog, name: 'Dying', manufacturerPartNumber: 'X', vendors: [] },
      details: { quantity: 1, price: 3 },
    })
    expect((await add(name, 'dying')).body.message).toBe('Product not found.')
  })

  test('is added once: adding it again applies the request and keeps the rest', async () => {
    const name = fresh()
    const first = await expectOk(add(name, 'drill', { quantity: 3, price: 80 }))
    await expectOk(add(name, 'drill'))
    const again = await expectOk(add(name, 'drill', { quantity: 5 }))
    expect(again.body.id).toBe(first.body.id)
    const { products } = await detail(name)
    expect(products.map((item: { details: object }) => item.details)).toEqual([
      { quantity: 5, price: 80 },
    ])
  })

  test('is changed and deleted by its id', async () => {
    const name = fresh()
    const { body } = await expectOk(add(name, 'drill'))
    await expectOk(add(name, 'wrench'))
    const item = `${path(name)}/items/${body.id}`
    await expectOk(viewer(`PUT ${item}`, { body: { quantity: 4, price: null } }))
    expect((await detail(name)).products[0].details).toEqual({ quantity: 4, price: 99.9 })
    await expectOk(viewer(`PUT ${item}`, { body: { price: 0 } }))
    expect((await detail(name)).totals).toEqual({ items: 2, quantity: 5, price: 8.2 })
    await expectOk(viewer(`DELETE ${item}`))
    expect((await detail(name)).totals).toEqual({ items: 1, quantity: 1, price: 8.2 })
    for (const line of [`DELETE ${item}`, `PUT ${item}`]) {
      const parts = line.startsWith('PUT') ? { body: { quantity: 1 } } : {}
      expect(await viewer(line, parts)).toMatchObject({
        status: 404,
        body: { success: false, message: 'Workspace item not found.' },
      })
    }
    const elsewhere = await create()
    expect((await viewer(`DELETE ${path(elsewhere.name)}/items/${body.id}`)).status).toBe(404)
  })

  test('requires a product and a catalog; without them no workspace is created', async () => {
    const name = fresh()
    expect((await add(name, 'nothing')).body.message).toBe('Product not found.')
    const line = `POST /api/Catalog/nowhere/products/drill/addToWorkspace/${name}`
    expect((await viewer(line)).status).toBe(404)
    expect((await viewer(`GET ${path(name)}`)).status).toBe(404)
  })
})

describe('several items', () => {
  const addAll = (name: string, items: object[]) =>
    viewer(`POST ${path(name)}/items`, { body: { items } })

  test('are added together, to the existing ones', async () => {
    const { name } = await create()
    await expectOk(add(name, 'drill', { quantity: 2, price: 70 }))
    const items = [
      { catalog, productId: 'drill', quantity: 3 },
      { catalog, productId: 'wrench', price: 8 },
      ...Array.from({ length: 20 }, (_, n) => ({ catalog, productId: `bolt-${n}` })),
    ]
    await expectOk(addAll(name, items))
    expect((await detail(name)).totals).toEqual({ items: 22, quantity: 24, price: 220 })
    await expectOk(addAll(name, items))
    await service.services.background.settled()
    expect((await detail(name)).totals).toEqual({ items: 22, quantity: 24, price: 220 })
  })

  test('are all refused if one of them is invalid', async () => {
    const { name } = await create()
    const good = { catalog, productId: 'drill' }
    const wrong: [object[], number, string][] = [
      [[good, { catalog, productId: 'nothing' }], 404, 'items[1]: product not found.'],
      [[good, { catalog: 'nowhere', productId: 'drill' }], 404, 'items[1]: product not found.'],
      [[good, { ...good, quantity: 2 }], 400, 'items[1]: the same product is listed twice'],
      [[good, { catalog, productId: 'wrench', quantity: 0 }], 400, 'items[1].quantity: must be'],
      [[], 400, 'items: list at least one'],
    ]
    for (const [items, status, message] of wrong) {
      const answer = await addAll(name, items)
      expect(answer.status).toBe(status)
      expect(answer.body.message).toContain(message)
    }
    expect((await detail(name)).products).toEqual([])
    expect((await addAll(fresh(), [good])).status).toBe(404)
  })

  test('are limited to 500 in a workspace, however they are added', async () => {
    const organization = await newOrganization(service)
    const ids = Array.from({ length: limits.workspaceItems + 1 }, (_, n) => `p-${n}`)
    const many = await seedCatalog(
      service,
      organization,
      ids.map((id) => ({ id, msrp: 1 })),
    )
    const mine = organization.call
    const items = ids.map((productId) => ({ catalog: many, productId }))
    const addTo = (some: object[]) =>
      mine('POST /api/workspaces/full/items', { body: { items: some } })
    await expectOk(mine('POST /api/workspaces', { body: { name: 'full' } }))
    expect((await addTo(items)).body.message).toMatch(/^items: .*500/)
    await expectOk(addTo(items.slice(0, 499)))
    expect((await addTo(items.slice(498))).status).toBe(400)
    await expectOk(addTo(items.slice(498, 500)))
    const last = `POST /api/Catalog/${many}/products/p-500/addToWorkspace/full`
    expect((await mine(last)).body.message).toBe('A workspace has at most 500 items.')
    const { products } = (await expectOk(mine('GET /api/workspaces/full'))).body
    expect(products).toHaveLength(500)
    await expectOk(mine(`DELETE /api/workspaces/full/items/${products[0].id}`))
    await expectOk(mine(last))
  })
})

describe('Get Workspaces', () => {
  test('lists them by name with totals and items, but not those of others', async () => {
    const organization = await newOrganization(service)
    const shop = await seedCatalog(service, organization, [{ id: 'a', msrp: 2 }, { id: 'b' }])
    const mine = organization.call
    await expectOk(mine('POST /api/workspaces', { body: { name: 'beta' } }))
    const items = ['a', 'b'].map((productId) => ({ catalog: shop, productId, quantity: 3 }))
    await expectOk(mine('POST /api/workspaces', { body: { name: 'alpha' } }))
    await expectOk(mine('POST /api/workspaces/alpha/items', { body: { items } }))
    const { workspaces } = (await expectOk(mine('GET /api/workspaces'))).body
    expect(workspaces).toMatchObject([
      {
        name: 'alpha',
        products: [{ productId: 'a', product: { msrp: 2 } }, { productId: 'b' }],
        totals: { items: 2, quantity: 6, price: 6 },
      },
      { name: 'beta', products: [], totals: { items: 0, quantity: 0, price: 0 } },
    ])
  })
})

describe('metadata', () => {
  const fields = async (rest: string) => (await expectOk(viewer(`GET ${rest}`))).body.fields

  test('is set, read in three ways, and removed with null', async () => {
    const { name } = await create()
    const at = `${path(name)}/metadata`
    const set = (place: string, value: string | null) =>
      expectOk(viewer(`PUT ${at}/${place}`, { body: { value } }))
    await set('erp/orderNumber', '4711')
    await set('erp/costCentre', 'B 2')
    await set('fields/orderNumber', 'free names')
    await set('erp/orderNumber', '4712')
    const order = { extensionId: 'erp', key: 'orderNumber', value: '4712' }
    const centre = { extensionId: 'erp', key: 'costCentre', value: 'B 2' }
    const free = { extensionId: 'fields', key: 'orderNumber', value: 'free names' }
    expect(await fields(at)).toEqual([centre, order, free])
    expect(await fields(`${at}/erp`)).toEqual([centre, order])
    expect(await fields(`${at}/fields/orderNumber?extension=erp`)).toEqual([order])
    expect((await viewer(`GET ${at}/fields/orderNumber`)).status).toBe(400)
    expect((await viewer(`PUT ${at}/erp/x`, { body: {} })).status).toBe(400)
    await set('erp/orderNumber', null)
    await set('erp/orderNumber', null)
    expect(await fields(at)).toEqual([centre, free])
  })

  test('belongs to its workspace', async () => {
    const [one, two] = [await create(), await create()]
    await expectOk(viewer(`PUT ${path(one.id)}/metadata/e/f`, { body: { value: 'v' } }))
    expect(await fields(`${path(two.name)}/metadata`)).toEqual([])
    for (const line of ['GET', 'PUT']) {
      const parts = line === 'PUT' ? { body: { value: 'v' } } : {}
      const rest = line === 'PUT' ? '/e/f' : ''
      const answer = await viewer(`${line} ${path(fresh())}/metadata${rest}`, parts)
      expect(answer).toMatchObject({ status: 404, body: { message: 'Workspace not found.' } })
    }
  })
})

describe('names', () => {
  const kept = [
    '../',
    '..%2f',
    'a/b?c#d',
    'مساحة العمل',
    'ש\u202eלום',
    'é',
    'e\u0301',
    '🛒 cart',
    "'; DROP",
    'x'.repeat(200),
    'constructor',
    'fields',
  ]
  test.each(kept)('%s is stored exactly', async (text) => {
    await expectOk(viewer('POST /api/workspaces', { body: { name: text } }))
    expect((await detail(text)).name).toBe(text)
    await expectOk(add(text, 'wrench'))
    expect((await detail(text)).products).toHaveLength(1)
    await expectOk(viewer(`DELETE ${path(text)}`))
  })

  const refused = ['', '.', '..', ' ', ' x', 'x\t', 'a\nb', 'a\u001fb', 'x'.repeat(201), '\ud800']
  test.each(refused)('%j is refused', async (text) => {
    const answer = await viewer('POST /api/workspaces', { body: { name: text } })
    expect(answer.status).toBe(400)
  })

  test('in the format of an id are refused, and never created by adding items', async () => {
    const name = crypto.randomUUID()
    expect((await viewer('POST /api/workspaces', { body: { name } })).status).toBe(400)
    expect(await add(name, 'drill')).toMatchObject({
      status: 404,
      body: { message: 'Workspace not found.' },
    })
  })
})

describe('invalid amounts', () => {
  const bad = [
    ['quantity', 0],
    ['quantity', -1],
    ['quantity', 1_000_001],
    ['quantity', '2'],
    ['price', -0.01],
    ['price', 1e10],
    ['price', [1]],
  ] as const
  test.each(bad)('%s %j is refused', async (field, value) => {
    const answer = await add(fresh(), 'drill', { [field]: value })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(new RegExp(`^${field}: `))
  })

  test('1e309 is not a number', async () => {
    const line = `POST /api/Catalog/${catalog}/products/drill/addToWorkspace/${fresh()}`
    expect((await viewer(line, { body: '{"price": 1e309}' })).status).toBe(400)
  })
})

test('a child organization collects its parent’s products for itself', async () => {
  const parent = await newOrganization(service)
  const child = await newOrganization(service, parent.id)
  const shared = await seedCatalog(service, parent, [{ id: 'a', name: 'Shared', msrp: 2 }])
  const line = `POST /api/Catalog/${shared}/products/a/addToWorkspace/ours`
  await expectOk(child.call(line))
  const { body } = await expectOk(child.call('GET /api/workspaces/ours'))
  expect(body.products).toMatchObject([{ product: { name: 'Shared' }, details: { price: 2 } }])
  expect((await parent.call('GET /api/workspaces/ours')).status).toBe(404)
  const through = { headers: { 'x-suborganization': child.id } }
  expect((await expectOk(parent.call('GET /api/workspaces/ours', through))).body.id).toBe(body.id)
})

test('limited keys cannot use workspaces', async () => {
  const organization = await newOrganization(service)
  for (const type of ['search', 'import'] as const) {
    const key = await organization.key('administrator', type)
    const limited = caller(service, { key, organization: organization.id })
    expect((await limited('GET /api/workspaces')).status).toBe(403)
    expect((await limited('GET /api/workspaces/any')).status).toBe(403)
  }
})

describe('price list prices of items', () => {
  const listed = (list: string) => `/api/Catalog/${catalog}/priceLists/${list}`
  beforeAll(async () => {
    await expectOk(call(`PUT ${listed('dealers')}`, { body: { currency: 'EUR' } }))
    const lines = [
      { id: 'drill', price: 80 },
      { id: 'drill', price: 70, quantityFrom: 10 },
      { id: 'drill', price: 1, quantityFrom: 20, validFrom: '2999-01-01T00:00:00Z' },
    ]
    await expectOk(call(`POST ${listed('dealers')}/prices`, { body: { lines } }))
  })
  const pricesIn = async (name: string) =>
    (await detail(name)).products.map((item: { details: object }) => item.details)

  test('depend on the quantity, for additions and changes', async () => {
    const name = fresh()
    const body = { priceList: 'dealers', quantity: 9 }
    const { id } = (await expectOk(add(name, 'drill', body))).body
    await expectOk(add(name, 'wrench', { priceList: 'dealers' }))
    // A product that is not in the list has no price; its general price is not used.
    expect(await pricesIn(name)).toEqual([
      { quantity: 9, price: 80 },
      { quantity: 1, price: null },
    ])
    const change = (body: object) => viewer(`PUT ${path(name)}/items/${id}`, { body })
    await expectOk(change({ priceList: 'dealers', quantity: 20 }))
    expect((await pricesIn(name))[0]).toEqual({ quantity: 20, price: 70 })
    await expectOk(change({ quantity: 1 }))
    expect((await pricesIn(name))[0]).toEqual({ quantity: 1, price: 70 })
    await expectOk(change({ priceList: 'dealers' }))
    expect((await pricesIn(name))[0]).toEqual({ quantity: 1, price: 80 })
    expect((await detail(name)).totals).toMatchObject({ price: 80 })
  })

  test('require an existing list', async () => {
    const name = fresh()
    const wrong = await add(name, 'drill', { priceList: 'nope' })
    expect(wrong).toMatchObject({ status: 400 })
    expect(wrong.body.message).toContain(`has no price list nope; it has dealers`)
    expect(await add(name, 'drill', { priceList: 'dealers', price: 5 })).toMatchObject({
      status: 400,
      body: { message: 'priceList: cannot be combined with price' },
    })
    expect((await viewer(`GET ${path(name)}`)).status).toBe(404)
  })
})
