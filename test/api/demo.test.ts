import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadDemo } from '../../src/demo/load.ts'
import { warmUp } from '../../src/demo/warm-up.ts'
import { type Call, caller, expectOk, OPERATOR_KEY } from '../support/client.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

/** Takes seconds on a quiet machine. */
const LOAD_MS = 120_000

const newKeyFile = async () => join(await mkdtemp(join(tmpdir(), 'aisle-demo-')), 'demo-key')

let service: Standalone
let keyFile: string
let key: string
let shopper: Call
let operator: Call
const said: string[] = []

/** Address of the service in tests that do not fetch pictures. */
const ADDRESS = 'http://shop.example'

const start = async (file = keyFile, publicUrl = ADDRESS) => {
  said.length = 0
  const demo = await loadDemo(
    { ...service.services, publicUrl },
    { say: (line) => said.push(line), keyFile: file },
  )
  return demo?.key
}

/**
 * Begins the first load on an instance that is stopped; `loading` resolves once another finishes
 * it.
 */
async function interruptedLoad(folder: string): Promise<{ loading: Promise<unknown> }> {
  const first = await startStandalone('demo', { folder })
  const options = { say: () => {}, keyFile: await newKeyFile() }
  const loading = loadDemo({ ...first.services, publicUrl: ADDRESS }, options)
  const asOperator = caller(first, { key: OPERATOR_KEY, organization: 'demo' })
  const begun = async () => {
    const { body } = await asOperator('GET /api/tasks')
    if (!(body.items?.[0]?.processed > 0)) throw new Error('nothing is imported yet')
  }
  await vi.waitFor(begun, { timeout: 60_000 })
  await first.stop()
  return { loading }
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-demo-'))
  const { loading } = await interruptedLoad(folder)
  service = await startStandalone('demo', { folder })
  keyFile = await newKeyFile()
  key = (await start())!
  await loading
  shopper = caller(service, { key })
  operator = caller(service, { key: OPERATOR_KEY, organization: 'demo' })
}, LOAD_MS)

afterAll(() => service?.stop())

describe('a first start that completes an interrupted one', () => {
  test('loads 5,000 products without rejects and reports it', async () => {
    expect(said).toEqual([
      'demo: loading synthetic products',
      expect.stringMatching(/^demo: 5000 synthetic products in catalog demo, in \d+\.\d s$/),
    ])
    const { body } = await expectOk(operator('GET /api/tasks'))
    expect(body.items).toHaveLength(1)
    expect(body.items[0]).toMatchObject({
      status: 'completed',
      processed: 5000,
      created: 5000,
      rejected: 0,
      rejectsUrl: null,
    })
  })

  test('marks all products as synthetic', async () => {
    const organization = await expectOk(operator('GET /api/organizations/current'))
    expect(organization.body).toMatchObject({
      name: 'Demo (synthetic data)',
      defaultCatalog: 'demo',
      catalogs: [{ name: 'demo', description: expect.stringMatching(/^Synthetic data/) }],
    })
    const must = [{ type: 'attribute', name: 'Data source', value: 'Synthetic demo data' }]
    const { body } = await expectOk(shopper('POST /api/search/count', { body: { must } }))
    expect(body).toEqual({ count: 5000, catalog: 'demo' })
  })

  test('stores the key readable only by its owner', async () => {
    expect(key).toMatch(/^aisle_search_/)
    expect((await readFile(keyFile, 'utf8')).trim()).toBe(key)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
  })
})

describe('the search key of the demo', () => {
  test('searches with facets of twelve categories and six vendors', async () => {
    const { body } = await expectOk(
      shopper('POST /api/search', { body: { keywords: 'cordless drill', counts: true } }),
    )
    expect(body.products[0].name).toMatch(/cordless .*dri/)
    expect(body.metadata.counts.facets['Battery voltage']['18 V']).toBeGreaterThan(10)
    const all = await expectOk(shopper('GET /api/search/metadata'))
    expect(Object.values(all.body.segments).flat()).toHaveLength(12)
    expect(all.body.vendors).toHaveLength(6)
  })

  test('cannot change anything', async () => {
    const answer = await shopper('PUT /api/Catalog/demo/products/notebook-0001', {
      body: { name: 'mine' },
    })
    expect(answer.status).toBe(403)
  })
})

describe('the warm-up', () => {
  /** Runs until it is stopped; `searches` are its searches for products. */
  function begin() {
    const { services } = service
    const stopping = new AbortController()
    const searches: unknown[] = []
    const answers: typeof services.answers = {
      ...services.answers,
      searchOf: (place, search, options) => {
        const kept = services.answers.searchOf(place, search, options)
        return (body, more) => {
          searches.push(body)
          return kept(body, more)
        }
      },
    }
    const done = warmUp({ ...services, answers }, stopping.signal)
    const stop = () => {
      stopping.abort()
      return done
    }
    return { searches, stop }
  }

  test('searches as the storefront does while typing, and stops with the service', async () => {
    const { searches, stop } = begin()
    await expect.poll(() => searches.length).toBeGreaterThan(6)
    await stop()
    expect(JSON.stringify(searches)).toContain('search.facets')
  })

  test('yields to real requests', async () => {
    const leave = await service.services.requests.enter('shopper')
    const { searches, stop } = begin()
    for (const keywords of ['glove', 'drill', 'toner']) {
      await expectOk(shopper('POST /api/search', { body: { keywords } }))
    }
    leave()
    await stop()
    expect(searches).toEqual([])
  })
})

/** Removes the other products, since the pictures of a few hundred show as much. */
async function keepNotebooks(): Promise<void> {
  const { client, indexName } = service.services.elastic
  const { hits } = await client.search({
    index: indexName('products'),
    size: 5_000,
    _source: false,
    query: { bool: { must_not: [{ prefix: { 'search.id': 'notebook-' } }] } },
  })
  const operations = hits.hits.map(({ _index, _id, _routing }) => ({
    delete: { _index, _id: _id!, routing: _routing! },
  }))
  expect((await client.bulk({ operations, refresh: true })).errors).toBe(false)
}

describe('a later start', () => {
  test('loads nothing, keeps the same key and does not undo changes', async () => {
    const path = '/api/Catalog/demo/products/notebook-0001'
    await expectOk(operator(`PUT ${path}`, { body: { msrp: 1 } }))
    expect(await start()).toBe(key)
    expect(said).toEqual([])
    expect((await expectOk(operator('GET /api/tasks'))).body.items).toHaveLength(1)
    expect((await expectOk(operator(`GET ${path}`))).body.msrp).toBe(1)
  })

  test(
    'at another address moves only the pictures',
    async () => {
      const path = '/api/Catalog/demo/products/notebook-0001'
      await expectOk(operator('DELETE /api/Catalog/demo/products/monitor-0001'))
      await keepNotebooks()
      expect(await start(keyFile, service.address)).toBe(key)
      expect(said[0]).toBe('demo: PUBLIC_URL changed; updating the pictures')
      const { body } = await expectOk(operator(`GET ${path}`))
      expect(body).toMatchObject({ msrp: 1, vendors: [{}, {}, {}] })
      const [, picture] = body.image.split(`${service.address}/api/images/`)
      expect(picture).toMatch(/^[\w-]{22}\.png$/)
      expect(body.images[0].url).toBe(body.image)
      expect((await operator('GET /api/Catalog/demo/products/monitor-0001')).status).toBe(404)
    },
    LOAD_MS,
  )

  test('shows pictures that exist', async () => {
    const { body } = await expectOk(shopper('POST /api/search', { body: { pageSize: 5 } }))
    for (const { image } of body.products) {
      expect(image.startsWith(`${service.address}/api/images/`)).toBe(true)
      const picture = await fetch(image)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect((await picture.bytes()).length).toBeGreaterThan(1000)
    }
  })

  test('with another data folder creates a second key; both work', async () => {
    const other = await start(await newKeyFile(), service.address)
    expect(other).not.toBe(key)
    for (const one of [key, other!]) {
      expect((await caller(service, { key: one })('GET /api/search/metadata')).status).toBe(200)
    }
  })

  test('returns no key if it was disabled', async () => {
    const file = await newKeyFile()
    const other = (await start(file, service.address))!
    const { body } = await expectOk(operator('GET /api/KeyAuth/keys'))
    const { id } = body.keys.find(({ prefix }: { prefix: string }) => other.startsWith(prefix))
    await expectOk(operator(`DELETE /api/KeyAuth/keys/${id}`))
    expect(await start(file, service.address)).toBeUndefined()
  })

  test('does not touch an organization without the mark of the demo', async () => {
    await expectOk(operator('PUT /api/organizations/current', { body: { configurations: [] } }))
    expect(await start()).toBeUndefined()
    expect(said).toEqual([
      "demo: not loaded: an organization named demo exists that is not the demo's",
    ])
  })
})
