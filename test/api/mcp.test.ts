import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { limits } from '../../src/limits.ts'
import { mcpOperation } from '../../src/mcp/operation.ts'
import { TOOLS } from '../../src/mcp/tools.ts'
import { operations } from '../../src/operations.ts'
import { seedCatalog } from '../support/catalog.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let person: Client

/** Connects with the SDK's own client and a key. */
async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (url, init) => service.fetch(new Request(url, init)),
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  await client.connect(transport)
  return client
}

/** The result of a tool as JSON, or the message of a failure. */
async function use(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: input })
  const [{ text }] = content as unknown as [{ text: string }]
  return isError ? text : JSON.parse(text)
}

beforeAll(async () => {
  service = await startService({ mcp: mcpOperation(operations) })
  organization = await newOrganization(service)
  const vendors = (cost: number) => [{ vendorName: 'Oakvale Supply', cost, inStock: true }]
  const products = [
    {
      id: 'D-100',
      name: 'Cordless drill',
      manufacturer: 'Drakesmoor',
      manufacturerPartNumber: 'DS18-040',
      facets: { Voltage: '18 V' },
      vendors: vendors(89.5),
    },
    { id: 'D-200', name: 'Cordless drill', manufacturer: 'Brennick', facets: { Voltage: '12 V' } },
    { id: 'S-300', name: 'Secret saw', manufacturer: 'Hidden Works', vendors: vendors(40) },
  ]
  await seedCatalog(service, organization, products, 'tools')
  const description = 'long '.repeat(50_000)
  await seedCatalog(service, organization, [{ id: 'x', name: 'Long', description }], 'other')
  person = await connect(await organization.key('viewer'))
})

afterAll(async () => {
  await person.close()
  await service.stop()
})

describe('the tools', () => {
  test('are marked as read-only', async () => {
    const { tools } = await person.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_products',
      'list_facets',
      'get_product',
      'match_list',
    ])
    for (const { annotations, inputSchema } of tools) {
      expect([annotations?.readOnlyHint, inputSchema.type]).toEqual([true, 'object'])
    }
  })

  test('have schemas that are computed once, not for each caller', async () => {
    const described = TOOLS.map(({ input }) => vi.spyOn(input['~standard'].jsonSchema, 'input'))
    await person.listTools()
    for (const one of described) expect(one).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })

  test('search, filter and read', async () => {
    const found = await use(person, 'search_products', {
      catalog: 'tools',
      keywords: 'cordless drills',
      facets: [{ name: 'Voltage', value: '18 V' }],
      maxPrice: 90,
    })
    expect(found).toEqual({
      total: 1,
      products: [
        {
          id: 'D-100',
          name: 'Cordless drill',
          manufacturer: 'Drakesmoor',
          manufacturerPartNumber: 'DS18-040',
          catalog: 'tools',
          facets: { Voltage: '18 V' },
          price: 89.5,
          inStock: true,
        },
      ],
    })
    const facets = await use(person, 'list_facets', { catalog: 'tools', keywords: 'drill' })
    expect(facets).toMatchObject({
      total: 2,
      facets: { Voltage: { '12 V': 1, '18 V': 1 } },
      manufacturers: { Brennick: 1, Drakesmoor: 1 },
    })
    const product = await use(person, 'get_product', { catalog: 'tools', id: 'D-100' })
    expect(product).toMatchObject({ name: 'Cordless drill', vendors: [{ cost: 89.5 }] })
  })

  test('match a list', async () => {
    const text = '2x Drakesmoor DS18 040'
    const { matchedProducts } = await use(person, 'match_list', { catalog: 'tools', text })
    expect(matchedProducts).toMatchObject([{ productId: 'D-100', qty: '2' }])
  })

  test('return no more than a model can read', async () => {
    const product = await use(person, 'get_product', { catalog: 'other', id: 'x' })
    expect(product).toMatchObject({ name: 'Long', shortened: expect.stringContaining('…') })
    expect(JSON.stringify(product).length).toBeLessThanOrEqual(limits.toolCharacters)
  })

  test('report errors as the operations do', async () => {
    expect(await use(person, 'get_product', { catalog: 'tools', id: 'none' })).toBe(
      'Product not found.',
    )
    expect(await use(person, 'search_products', { catalog: 'nowhere' })).toBe('Catalog not found.')
    expect(await use(person, 'get_product', { catalog: 'tools', id: '..' })).toContain('id:')
    expect(await use(person, 'search_products', { keywrds: 'drill' })).toContain('keywrds')
    expect(await use(person, 'search_products', { pageSize: 51 })).toContain('50')
  })
})

test('a restricted key has the same view through tools as through operations', async () => {
  const body = {
    name: 'bound',
    keyType: 'search',
    catalogs: ['tools'],
    filter: { exclude: [{ type: 'manufacturer', value: 'Hidden Works' }] },
    hide: ['vendors.cost', 'msrp'],
  }
  const { key } = (await expectOk(organization.call('POST /api/KeyAuth/keys', { body }))).body
  const bound = await connect(key)
  const all = await use(bound, 'search_products', { catalog: 'tools' })
  expect(all.total).toBe(2)
  expect(JSON.stringify(all)).not.toMatch(/Hidden|Secret|89\.5/)
  const facets = await use(bound, 'list_facets', { catalog: 'tools' })
  expect(facets.total).toBe(2)
  expect(JSON.stringify(facets)).not.toMatch(/Hidden|89\.5|40/)
  expect(await use(bound, 'get_product', { catalog: 'tools', id: 'S-300' })).toBe(
    'Product not found.',
  )
  const product = await use(bound, 'get_product', { catalog: 'tools', id: 'D-100' })
  expect(product.vendors).toMatchObject([{ cost: null }])
  expect(await use(bound, 'search_products', { catalog: 'other' })).toBe('Catalog not found.')
  expect(await use(bound, 'search_products', { catalog: 'tools', maxPrice: 50 })).toMatch(
    /price|cost/i,
  )
  const list = { catalog: 'tools', text: '1 Secret saw' }
  expect(await use(bound, 'match_list', list)).toContain('cannot call Run Recommendation Extension')
  await bound.close()
})

describe('/mcp', () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const headers = { accept: 'application/json, text/event-stream' }
  const send = async (body: unknown, key: string | null) =>
    caller(service, { version: null, key, headers })('POST /mcp', { body })

  test('requires a key, and has no sessions', async () => {
    const key = await organization.key('viewer')
    expect((await send(message, null)).status).toBe(401)
    expect((await send(message, `${key}x`)).status).toBe(401)
    expect((await send(message, await organization.key('editor', 'import'))).status).toBe(403)
    const answered = await send(message, key)
    expect([answered.status, answered.headers.get('mcp-session-id')]).toEqual([200, null])
    const read = await caller(service, { version: null, key, headers })('GET /mcp')
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST'])
    const page = { origin: 'https://shop.example', 'access-control-request-method': 'POST' }
    const asked = await caller(service, { version: null, headers: page })('OPTIONS /mcp')
    expect(asked.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  })

  test('accepts one message of a limited size', async () => {
    const key = await organization.key('viewer')
    expect((await send([message, message], key)).status).toBe(400)
    expect((await send('{"jsonrpc":', key)).status).toBe(400)
    const large = { ...message, params: { text: 'x'.repeat(limits.toolBytes) } }
    expect((await send(large, key)).status).toBe(413)
    const values = Array.from({ length: limits.toolValues }, (_, at) => [`k${at}`, {}])
    const wide = { ...message, params: { _meta: Object.fromEntries(values) } }
    expect(await send(wide, key)).toMatchObject({
      status: 400,
      body: { message: `body: more than ${limits.toolValues} values` },
    })
    const listen = { ...message, method: 'subscriptions/listen', params: { notifications: {} } }
    expect(JSON.stringify((await send(listen, key)).body)).toMatch(/error/)
  })

  test('keeps its places until a tool has completed', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const mcp = mcpOperation(operations)
    const slow = await startService({ mcp, node: proxy.node })
    const underWay: number[] = []
    proxy.hold((line) => {
      if (line.includes('_msearch')) underWay.push(slow.services.requests.load().underWay)
      return undefined
    })
    const arguments_ = { catalog: 'tools', text: '2x Drakesmoor DS18 040' }
    const params = { name: 'match_list', arguments: arguments_ }
    const key = await organization.key('viewer')
    const body = { ...message, method: 'tools/call', params }
    const call = caller(slow, { version: null, key, headers })
    expect((await call('POST /mcp', { body })).status).toBe(200)
    expect(underWay).toContain(mcp.cost)
    expect(slow.services.requests.load().underWay).toBe(0)
    await slow.stop()
    await proxy.close()
  })

  test('is available only if it is enabled', async () => {
    const other = await startService()
    const call = caller(other, { version: null, headers })
    expect((await call('POST /mcp', { body: message })).status).toBe(404)
    await other.stop()
  })
})
