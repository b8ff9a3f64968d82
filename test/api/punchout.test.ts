import { beforeAll, describe, expect, inject, test } from 'vitest'
import { sweepSessions } from '../../src/punchout/sweep.ts'
import { seedCatalog } from '../support/catalog.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  OPERATOR_KEY,
  type TestOrganization,
} from '../support/client.ts'
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const MINUTE = 60_000
const callbackUrl = 'https://buyer.example/cart?session=7'

let service: TestService
/** A second instance, whose clock can be moved ahead. */
let later: TestService
let ahead = 0
let organization: TestOrganization
let catalog: string
let apiKey: string
/** Calls without a key or an organization. */
let anybody: Call

beforeAll(async () => {
  service = await startService()
  later = await startService({ clock: { now: () => new Date(Date.now() + ahead) } })
  organization = await newOrganization(service)
  catalog = await seedCatalog(service, organization, [
    {
      id: 'drill',
      name: 'Drill <18 V> & case',
      manufacturer: 'Drakesmoor',
      unspsc: '27112700',
      vendors: [{ vendorName: 'Oakvale', vendorPartNumber: 'OV-77', cost: 89.5 }],
    },
    { id: 'wrench', msrp: 8.2 },
    { id: 'bare' },
  ])
  const configurations = [
    { name: 'punchoutCallbackHosts', defaultValue: 'other.example, buyer.example' },
    { name: 'punchoutCurrency', defaultValue: 'EUR' },
  ]
  await expectOk(organization.call('PUT /api/organizations/current', { body: { configurations } }))
  apiKey = await organization.key('viewer')
  anybody = caller(service)
  return () => {
    ahead = 0
  }
})

const setUp = (parts: Record<string, unknown> = {}, call = anybody) =>
  call('POST /api/KeyAuth/punchout/setup/json', {
    body: { company: organization.id, username: 'viewer', apiKey, callbackUrl, ...parts },
  })
const tokenOf = (startPageUrl: string) => startPageUrl.split('#punchout=')[1]!
const invited = async (parts = {}) => tokenOf((await expectOk(setUp(parts))).body.startPageUrl)
const startWith = (token: string, call = anybody) =>
  call(`GET /api/KeyAuth/punchout/session/${token}`)

/** A session that has started, as its browser uses it. */
async function session(parts = {}, from = service) {
  const { body } = await expectOk(startWith(await invited(parts)))
  const shop = caller(from, { key: body.key })
  const add = (product: string, quantity = 1, workspace = body.workspace) =>
    shop(`POST /api/Catalog/${catalog}/products/${product}/addToWorkspace/${workspace}`, {
      body: { quantity },
    })
  const back = (format = 'json', call = shop) =>
    call('POST /api/KeyAuth/punchout/return', { body: { format } })
  return { ...body, shop, add, back } as {
    key: string
    workspace: string
    organization: string
    expires: string
    shop: Call
    add: typeof add
    back: typeof back
  }
}

test('setup and start take places of the organization, as its other changes do', async () => {
  const { requests } = service.services
  const token = await invited()
  // As much as one organization may have.
  const leave = await requests.enter(organization.id, { cost: 1_000 })
  const answers = Promise.all([setUp(), startWith(token)])
  await expect.poll(() => requests.load().waiting).toBe(2)
  leave()
  expect((await answers).map(({ status }) => status)).toEqual([200, 200])
})

describe('Punchout Setup', () => {
  test.each(['1.0', '6.0'])('returns the address of the shop, under %s', async (version) => {
    const before = Date.now()
    const { body, headers } = await expectOk(setUp({}, caller(service, { version })))
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      success: true,
      message: 'Send the user to startPageUrl.',
      startPageUrl: expect.stringMatching(/^http:\/\/localhost:3000\/#punchout=[\w-]{32}$/),
      expires: expect.any(String),
    })
    const wait = new Date(body.expires).getTime() - before
    expect(wait).toBeGreaterThan(14 * MINUTE)
    expect(wait).toBeLessThan(16 * MINUTE)
  })

  test('finds the company by name too', async () => {
    const name = `Acme & Sons ${crypto.randomUUID()}`
    await expectOk(organization.call('PUT /api/organizations/current', { body: { name } }))
    const token = await invited({ company: name })
    expect((await expectOk(startWith(token))).body.organization).toBe(organization.id)
  })

  test('uses the company of its key, even if another has the same name and user', async () => {
    const name = `Acme ${crypto.randomUUID()}`
    const [home, stranger] = [await newOrganization(service), await newOrganization(service)]
    for (const one of [home, stranger]) {
      await expectOk(one.call('PUT /api/organizations/current', { body: { name } }))
      await expectOk(one.call('PUT /api/organizations/current/users/zoe', { body: {} }))
    }
    const configurations = [{ name: 'punchoutCallbackHosts', defaultValue: 'buyer.example' }]
    await expectOk(home.call('PUT /api/organizations/current', { body: { configurations } }))
    const { body: wide } = await expectOk(
      caller(service, { key: OPERATOR_KEY, organization: home.id })('POST /api/KeyAuth/keys', {
        body: { username: 'zoe', allOrganizations: true },
      }),
    )
    const token = await invited({ company: name, username: 'zoe', apiKey: wide.key })
    expect((await expectOk(startWith(token))).body.organization).toBe(home.id)
  })

  test('returns the same bytes whatever is wrong', async () => {
    const other = await newOrganization(service)
    const { body: disabled } = await expectOk(
      organization.call('POST /api/KeyAuth/keys', { body: { username: 'viewer' } }),
    )
    await expectOk(organization.call(`DELETE /api/KeyAuth/keys/${disabled.id}`))
    await expectOk(organization.call('PUT /api/organizations/current/users/eve', { body: {} }))
    const former = await organization.key('eve')
    const { body: everywhere } = await expectOk(
      caller(service, { key: OPERATOR_KEY, organization: organization.id })(
        'POST /api/KeyAuth/keys',
        { body: { username: 'eve', allOrganizations: true } },
      ),
    )
    await expectOk(organization.call('DELETE /api/organizations/current/users/eve'))
    await expectOk(organization.call('PUT /api/organizations/current/users/eve', { body: {} }))
    const wrong = [
      { username: 'eve', apiKey: former },
      { username: 'eve', apiKey: everywhere.key },
      { company: 'nobody' },
      { company: 'Not An Id' },
      { company: other.id },
      { company: organization.id.toUpperCase() },
      { username: 'stranger' },
      { username: 'administrator' },
      { apiKey: 'x' },
      { apiKey: `${apiKey.slice(0, -1)}!` },
      { apiKey: await organization.key('administrator') },
      { apiKey: await organization.key('viewer', 'search') },
      { apiKey: await other.key('viewer') },
      { apiKey: disabled.key },
      { apiKey: OPERATOR_KEY },
      { apiKey: OPERATOR_KEY, username: 'operator' },
      { company: 'nobody', callbackUrl: 'https://evil.example/' },
    ]
    const answers = await Promise.all(wrong.map((parts) => setUp(parts)))
    for (const [index, { status, body }] of answers.entries()) {
      expect([wrong[index], status, body]).toEqual([
        wrong[index],
        401,
        {
          success: false,
          message: 'The company, username or apiKey is wrong.',
          id: null,
          taskId: null,
        },
      ])
    }
  })

  test('takes about the same time whatever is wrong', async () => {
    const wrong = [
      { company: 'nobody' },
      { username: 'stranger' },
      { apiKey: await organization.key('administrator') },
      { apiKey: `${apiKey}0` },
      { company: 'nobody', username: 'stranger', apiKey: 'x' },
    ]
    const times = wrong.map((): number[] => [])
    // Takes turns and the best of many, since a busy machine slows down some of each.
    for (let round = 0; round < 15; round++) {
      for (const [index, parts] of wrong.entries()) {
        const started = performance.now()
        expect((await setUp(parts)).status).toBe(401)
        times[index]!.push(performance.now() - started)
      }
    }
    const best = times.map((all) => Math.min(...all))
    expect(Math.max(...best) / Math.min(...best)).toBeLessThan(4)
  })

  test('refuses an address that the organization does not list, and missing fields', async () => {
    const wrong = [
      { callbackUrl: 'https://evil.example/' },
      { callbackUrl: 'http://buyer.example/' },
      { callbackUrl: 'https://buyer.example@evil.example/' },
      { callbackUrl: '' },
      { callbackUrl: null },
      { company: null },
      { apiKey: 7 },
    ]
    for (const parts of wrong) {
      const { status, body } = await setUp(parts)
      expect([parts, status]).toEqual([parts, 400])
      expect(body.message).toMatch(new RegExp(`^${Object.keys(parts)[0]}: `))
    }
  })
})

describe('Start Punchout Session', () => {
  test('returns a search key and an empty workspace', async () => {
    const { shop, workspace, ...started } = await session()
    expect(started.organization).toBe(organization.id)
    expect(started.key).toMatch(/^aisle_search_/)
    expect(new Date(started.expires).getTime() - Date.now()).toBeGreaterThan(119 * MINUTE)
    const shown = await expectOk(shop(`GET /api/workspaces/${workspace}`))
    expect(shown.body).toMatchObject({ id: workspace, products: [], active: true })
    const found = await expectOk(shop(`POST /api/search?catalog=${catalog}`, { body: {} }))
    expect(found.body.total).toBe(3)
  })

  test('consumes the token: of 16 concurrent requests at two instances, one gets a key', async () => {
    const token = await invited()
    const elsewhere = caller(later)
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => startWith(token, n % 2 ? anybody : elsewhere)),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(15).fill(404)])
    const again = await startWith(token)
    const unknown = await startWith('x'.repeat(32))
    expect([again.status, again.body]).toEqual([404, unknown.body])
  })

  test('is not triggered by HEAD, whose answer nobody would read', async () => {
    const token = await invited()
    const path = `/api/KeyAuth/punchout/session/${token}`
    const head = await anybody(`HEAD ${path}`)
    expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
    expect((await anybody(`PUT ${path}`)).headers.get('allow')).toBe('GET')
    await expectOk(startWith(token))
  })

  test('accepts a token for 15 minutes', async () => {
    const [early, late] = [await invited(), await invited()]
    const elsewhere = caller(later)
    ahead = 14.9 * MINUTE
    await expectOk(startWith(early, elsewhere))
    ahead = 15 * MINUTE
    expect((await startWith(late, elsewhere)).status).toBe(404)
    ahead = 0
    await expectOk(startWith(late, elsewhere))
  })

  test('refuses a token whose key was disabled or whose user has left', async () => {
    const make = async (username: string) => {
      const { body } = await expectOk(
        organization.call('POST /api/KeyAuth/keys', { body: { username } }),
      )
      return { id: body.id, token: await invited({ username, apiKey: body.key }) }
    }
    await expectOk(organization.call('PUT /api/organizations/current/users/ida', { body: {} }))
    const [disabled, left] = [await make('viewer'), await make('ida')]
    // A key for all organizations is created in one, and works in the user's others.
    const home = await newOrganization(service)
    await expectOk(home.call('PUT /api/organizations/current/users/ida', { body: {} }))
    const { body: wide } = await expectOk(
      caller(service, { key: OPERATOR_KEY, organization: home.id })('POST /api/KeyAuth/keys', {
        body: { username: 'ida', allOrganizations: true },
      }),
    )
    const abroad = { token: await invited({ username: 'ida', apiKey: wide.key }) }
    await expectOk(home.call('DELETE /api/organizations/current/users/ida'))
    expect((await startWith(abroad.token)).status).toBe(404)
    await expectOk(organization.call(`DELETE /api/KeyAuth/keys/${disabled.id}`))
    await expectOk(organization.call('DELETE /api/organizations/current/users/ida'))
    await expectOk(organization.call('PUT /api/organizations/current/users/ida', { body: {} }))
    for (const { token } of [disabled, left]) expect((await startWith(token)).status).toBe(404)
  })
})

describe('the key of a session', () => {
  test('can read and change the items of its workspace', async () => {
    const { shop, add, workspace } = await session()
    const { body } = await expectOk(add('drill', 2))
    const items = [{ catalog, productId: 'wrench', quantity: 3 }]
    await expectOk(shop(`POST /api/workspaces/${workspace}/items`, { body: { items } }))
    const item = `/api/workspaces/${workspace}/items/${body.id}`
    await expectOk(shop(`PUT ${item}`, { body: { quantity: 5 } }))
    const shown = await expectOk(shop(`GET /api/workspaces/${workspace}`))
    expect(shown.body.totals).toEqual({ items: 2, quantity: 8, price: 472.1 })
    await expectOk(shop(`DELETE ${item}`))
    const left = await expectOk(shop(`GET /api/workspaces/${workspace}`))
    expect(left.body.products).toMatchObject([{ productId: 'wrench', username: 'viewer' }])
  })

  test('uses current prices, and accepts a returned item', async () => {
    const { shop, add, workspace, back } = await session()
    const { body } = await expectOk(add('drill', 2))
    const item = `/api/workspaces/${workspace}/items`
    const adding = (product: string) =>
      `/api/Catalog/${catalog}/products/${product}/addToWorkspace/${workspace}`
    const line = (productId: string, price: number) => ({ catalog, productId, price })
    const tries: [string, object][] = [
      [`PUT ${item}/${body.id}`, { price: 0.01 }],
      [`PUT ${item}/${body.id}`, { quantity: 1, price: 89.51 }],
      [`POST ${adding('drill')}`, { price: 0 }],
      [`POST ${adding('wrench')}`, { price: 8.1 }],
      [`POST ${adding('bare')}`, { price: 5 }],
      [`POST ${item}`, { items: [line('wrench', 8.2), line('drill', 1)] }],
      [`POST ${item}`, { items: [line('drill', 89.5), line('wrench', 1)] }],
    ]
    for (const [request, sent] of tries) {
      const { status, body } = await shop(request, { body: sent })
      expect([request, sent, status]).toEqual([request, sent, 403])
      expect(body.message).toMatch(
        /^price: a punchout session cannot set prices; members .* price of \w+/,
      )
    }
    // If the price is refused, the quantity in the same request is not changed either.
    const shown = async () => (await expectOk(shop(`GET /api/workspaces/${workspace}`))).body
    expect((await shown()).totals).toEqual({ items: 1, quantity: 2, price: 179 })

    const { details } = (await shown()).products[0]
    await expectOk(shop(`PUT ${item}/${body.id}`, { body: details }))
    await expectOk(shop(`POST ${adding('drill')}`, { body: { ...details, quantity: 3 } }))
    await expectOk(shop(`POST ${item}`, { body: { items: [line('wrench', 8.2)] } }))
    await expectOk(shop(`PUT ${item}/${body.id}`, { body: { quantity: 4, price: null } }))
    // The other fields of an order come from the catalog, and no body can set them.
    const odd = ['vendor', 'unspsc', 'currency', 'snapshot']
    for (const name of odd) {
      for (const request of [`POST ${adding('bare')}`, `PUT ${item}/${body.id}`]) {
        const refused = await shop(request, { body: { quantity: 4, [name]: 'Mine' } })
        expect([name, refused.status]).toEqual([name, 400])
      }
    }
    const free = await shop(`PUT ${item}/${body.id}`, { body: { details: { price: 0 } } })
    expect(free.status).toBe(403)
    await expectOk(shop(`POST ${adding('bare')}`))
    const order = JSON.parse((await expectOk(back())).body.fields.items)
    expect(order).toMatchObject([
      { productId: 'drill', name: 'Drill <18 V> & case', vendor: 'Oakvale', price: 89.5 },
      { productId: 'wrench', price: 8.2 },
      { productId: 'bare', name: null, vendor: null, unspsc: null, price: null },
    ])
  })

  test('uses the price list of its setup only, for searches and items', async () => {
    const lists = `/api/Catalog/${catalog}/priceLists`
    for (const list of ['dealers', 'vip']) {
      await expectOk(organization.call(`PUT ${lists}/${list}`, { body: { currency: 'EUR' } }))
    }
    const lines = [
      { id: 'drill', price: 80 },
      { id: 'drill', price: 70, quantityFrom: 10 },
    ]
    await expectOk(organization.call(`POST ${lists}/dealers/prices`, { body: { lines } }))
    const { shop, add, workspace } = await session({ priceList: 'dealers' })
    const items = async () =>
      (await expectOk(shop(`GET /api/workspaces/${workspace}`))).body.products.map(
        ({ details }: { details: { quantity: number; price: number | null } }) => details,
      )
    const search = `POST /api/search/simple?catalog=${catalog}`
    const { body: found } = await expectOk(shop(search, { body: { fields: ['price'] } }))
    expect(found.priceList).toEqual({ name: 'dealers', currency: 'EUR' })
    expect((await shop(search, { body: { priceList: 'vip' } })).status).toBe(403)
    const { id } = (await expectOk(add('drill'))).body
    await expectOk(add('wrench'))
    expect(await items()).toEqual([
      { quantity: 1, price: 80 },
      { quantity: 1, price: null },
    ])
    const item = `PUT /api/workspaces/${workspace}/items/${id}`
    await expectOk(shop(item, { body: { quantity: 10 } }))
    expect((await items())[0]).toEqual({ quantity: 10, price: 70 })
    expect((await shop(item, { body: { priceList: 'vip' } })).status).toBe(403)
    expect((await shop(item, { body: { price: 1 } })).status).toBe(403)
    // A price that a member agreed with the buyer applies to any quantity.
    await expectOk(organization.call(item, { body: { price: 60 } }))
    await expectOk(shop(item, { body: { quantity: 1, price: 60 } }))
    expect((await items())[0]).toEqual({ quantity: 1, price: 60 })
  })

  test('returns an order in the currency of its price list', async () => {
    const other = await seedCatalog(service, organization, [{ id: 'kettle' }])
    for (const [name, currency] of [
      [catalog, 'EUR'],
      [other, 'GBP'],
    ]) {
      const list = `/api/Catalog/${name}/priceLists/export`
      await expectOk(organization.call(`PUT ${list}`, { body: { currency } }))
    }
    const lines = [{ id: 'drill', price: 80 }]
    const prices = `POST /api/Catalog/${catalog}/priceLists/export/prices`
    await expectOk(organization.call(prices, { body: { lines } }))
    const { shop, add, back, workspace } = await session({ priceList: 'export' })
    await expectOk(add('drill'))
    const path = `POST /api/Catalog/${other}/products/kettle/addToWorkspace/${workspace}`
    const { id } = (await expectOk(shop(path))).body
    const mixed = await back('cxml')
    expect([mixed.status, mixed.body.message]).toEqual([
      400,
      'The prices are in EUR and GBP. Return the items of one currency at a time: remove the others first.',
    ])
    await expectOk(shop(`DELETE /api/workspaces/${workspace}/items/${id}`))
    const { fields } = (await expectOk(back('cxml'))).body
    expect(fields['cXML-urlencoded']).toContain('<UnitPrice><Money currency="EUR">80.00</Money>')
    expect(fields['cXML-urlencoded']).not.toContain('USD')
  })

  test('cannot choose a price list if its setup named none', async () => {
    const { shop, workspace } = await session()
    const adding = `POST /api/Catalog/${catalog}/products/drill/addToWorkspace/${workspace}`
    expect(await shop(adding, { body: { priceList: 'dealers' } })).toMatchObject({
      status: 403,
      body: { message: 'priceList: a punchout session cannot choose a price list' },
    })
  })

  test('cannot change prices; a member can, and the order contains them', async () => {
    const { shop, add, workspace, back } = await session()
    const { body } = await expectOk(add('drill'))
    const item = `/api/workspaces/${workspace}/items/${body.id}`
    const seller = caller(service, { key: apiKey })
    await expectOk(seller(`PUT ${item}`, { body: { price: 80 } }))
    await expectOk(shop(`PUT ${item}`, { body: { quantity: 2, price: 80 } }))
    expect((await shop(`PUT ${item}`, { body: { price: 89.5 } })).status).toBe(403)
    expect(JSON.parse((await expectOk(back())).body.fields.items)[0].price).toBe(80)
  })

  test('returns the same for foreign workspaces as for missing ones, and creates none', async () => {
    const [{ shop, add }, other] = [await session(), await session()]
    await expectOk(organization.call('POST /api/workspaces', { body: { name: 'kitchen' } }))
    await expectOk(other.add('drill'))
    const missing = await shop('GET /api/workspaces/no-such')
    for (const workspace of ['kitchen', other.workspace, 'new-one']) {
      const item = `/api/workspaces/${workspace}/items`
      const answers = await Promise.all([
        shop(`GET /api/workspaces/${workspace}`),
        add('drill', 1, workspace),
        shop(`POST ${item}`, { body: { items: [{ catalog, productId: 'drill' }] } }),
        shop(`PUT ${item}/x`, { body: { quantity: 1 } }),
        shop(`DELETE ${item}/x`),
      ])
      for (const { status, body } of answers) expect([status, body]).toEqual([404, missing.body])
    }
    expect((await organization.call('GET /api/workspaces/new-one')).status).toBe(404)
  })

  test('can otherwise do only what a search key can, which has no access to the session', async () => {
    const { shop, workspace } = await session()
    const forbidden: [string, object?][] = [
      ['GET /api/workspaces'],
      ['POST /api/workspaces', { name: 'x' }],
      [`DELETE /api/workspaces/${workspace}`],
      [`GET /api/workspaces/${workspace}/metadata`],
      ['GET /api/search/history'],
      ['GET /api/KeyAuth/keys'],
      [`PUT /api/Catalog/${catalog}/products/drill`, { msrp: 0 }],
      ['GET /api/organizations/current'],
    ]
    for (const [line, body] of forbidden) {
      expect([line, (await shop(line, { ...(body && { body }) })).status]).toEqual([line, 403])
    }
    const key = await organization.key('viewer', 'search')
    const plain = caller(service, { key })
    expect((await plain(`GET /api/workspaces/${workspace}`)).status).toBe(403)
    expect(
      (await plain('POST /api/KeyAuth/punchout/return', { body: { format: 'json' } })).status,
    ).toBe(403)
  })

  test('is for a workspace that the organization does not list', async () => {
    const { workspace, add } = await session()
    await expectOk(add('drill'))
    const { workspaces } = (await expectOk(organization.call('GET /api/workspaces'))).body
    const ids = workspaces.map(({ id }: { id: string }) => id)
    expect(ids).not.toContain(workspace)
    await expectOk(organization.call(`GET /api/workspaces/${workspace}`))
  })

  test('ends with the session, with the key that set it up, and with the membership', async () => {
    const isDead = async ({ shop, workspace, back }: Awaited<ReturnType<typeof session>>) => {
      expect((await shop(`GET /api/workspaces/${workspace}`)).status).toBe(401)
      expect((await back()).status).toBe(401)
    }
    const late = await session({}, later)
    ahead = 119 * MINUTE
    await expectOk(late.add('drill'))
    ahead = 120 * MINUTE
    await isDead(late)
    ahead = 0

    const { body } = await expectOk(
      organization.call('POST /api/KeyAuth/keys', { body: { username: 'viewer' } }),
    )
    const set = await session({ apiKey: body.key })
    await expectOk(set.add('drill'))
    await expectOk(organization.call(`DELETE /api/KeyAuth/keys/${body.id}`))
    await isDead(set)

    await expectOk(organization.call('PUT /api/organizations/current/users/max', { body: {} }))
    const key = await organization.key('max')
    const member = await session({ username: 'max', apiKey: key })
    await expectOk(member.add('drill'))
    await expectOk(organization.call('DELETE /api/organizations/current/users/max'))
    await isDead(member)
  })
})

describe('Return Punchout Session', () => {
  test('returns the order as one JSON field, and ends the session', async () => {
    const { add, back, shop, workspace } = await session({ buyerCookie: 'cookie-1' })
    await expectOk(add('drill', 2))
    await expectOk(add('wrench'))
    const { body } = await expectOk(back('json'))
    expect(body.url).toBe(callbackUrl)
    expect(Object.keys(body.fields)).toEqual(['items', 'buyerCookie'])
    expect(JSON.parse(body.fields.items)).toEqual([
      {
        catalog,
        productId: 'drill',
        supplierPartId: 'OV-77',
        vendor: 'Oakvale',
        manufacturer: 'Drakesmoor',
        manufacturerPartNumber: null,
        name: 'Drill <18 V> & case',
        unspsc: '27112700',
        quantity: 2,
        price: 89.5,
      },
      expect.objectContaining({ productId: 'wrench', supplierPartId: 'wrench', price: 8.2 }),
    ])
    expect((await shop(`GET /api/workspaces/${workspace}`)).status).toBe(401)
    expect((await back('json')).status).toBe(401)
  })

  test('returns the order as cXML', async () => {
    const { add, back } = await session({ buyerCookie: 'cookie <2>' })
    await expectOk(add('drill', 2))
    const { body } = await expectOk(back('cxml'))
    const message = body.fields['cXML-urlencoded']
    expect(message).toContain('<BuyerCookie>cookie &lt;2&gt;</BuyerCookie>')
    expect(message).toContain('<Total><Money currency="EUR">179.00</Money></Total>')
    expect(message).toContain('<SupplierPartID>OV-77</SupplierPartID>')
    expect(message).toContain('Drill &lt;18 V&gt; &amp; case</Description>')
    expect(message.match(/<ItemIn /g)).toHaveLength(1)
  })

  test('succeeds for one of two concurrent requests at two instances', async () => {
    const { add, back, key } = await session()
    await expectOk(add('drill'))
    const elsewhere = caller(later, { key })
    const statuses = (await Promise.all([back(), back('json', elsewhere)])).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 401])
  })

  test('refuses other formats and other keys', async () => {
    const { back } = await session()
    expect((await back('xml')).status).toBe(400)
    const { status, body } = await back('json', organization.call)
    expect([status, body.message]).toEqual([
      403,
      'Return Punchout Session requires the key of a punchout session.',
    ])
    await expectOk(back('cxml'))
  })
})

describe('if answers of Elasticsearch are lost', () => {
  let proxy: FaultProxy
  let shaky: TestService
  beforeAll(async () => {
    proxy = await startFaultProxy(inject('elasticsearch').node)
    shaky = await startService({ node: proxy.node })
    return () => proxy.close()
  })
  const write = (kind: string) => (line: string) =>
    new RegExp(`^PUT /[^/]*${kind}[^/]*/_(doc|create)/`).test(line)

  test('a session starts nevertheless, with one key', async () => {
    for (const kind of ['keys', 'workspaces']) {
      const token = await invited()
      proxy.set('dropAnswer', write(kind))
      const { body } = await expectOk(startWith(token, caller(shaky)))
      proxy.set('none')
      await expectOk(caller(service, { key: body.key })(`GET /api/workspaces/${body.workspace}`))
      expect((await startWith(token)).status).toBe(404)
    }
  })

  test('the order is returned nevertheless, and the session has ended', async () => {
    const { add, back, key } = await session()
    await expectOk(add('drill'))
    proxy.set('dropAnswer', write('keys'))
    const { body } = await expectOk(back('json', caller(shaky, { key })))
    proxy.set('none')
    expect(JSON.parse(body.fields.items)).toHaveLength(1)
    expect((await back('json', caller(shaky, { key }))).status).toBe(401)
  })

  test('a session stays open if its order could not be read', async () => {
    const { add, back, key } = await session()
    await expectOk(add('drill'))
    proxy.set('down', (line) => line.includes('_search'))
    expect((await back('json', caller(shaky, { key }))).status).toBe(503)
    proxy.set('none')
    await expectOk(back('json', caller(shaky, { key })))
  })
})

test('ended sessions leave nothing behind', async () => {
  const { workspace, add } = await session()
  await expectOk(add('drill'))
  const keys = async () =>
    (await expectOk(organization.call('GET /api/KeyAuth/keys'))).body.keys.filter(
      ({ name }: { name: string }) => name === 'punchout session',
    )
  const listed = await keys()
  expect(listed.length).toBeGreaterThan(0)
  expect(listed[0]).toMatchObject({ username: 'viewer', keyType: 'search' })
  ahead = 136 * MINUTE
  await expect
    .poll(async () => {
      await sweepSessions(later.services)
      return (await organization.call(`GET /api/workspaces/${workspace}`)).status
    })
    .toBe(404)
  ahead = 0
  expect(await keys()).toEqual([])
})
