import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { catalogsOf } from '../../src/catalogs/store.ts'
import { createElastic } from '../../src/elastic/client.ts'
import { ownDefinition } from '../../src/elastic/create-own-index.ts'
import {
  createIndex,
  type IndexDefinition,
  prepareIndices,
  readDefinitions,
} from '../../src/elastic/indices.ts'
import { migrateIndex } from '../../src/elastic/migrate-index.ts'
import { ownKind } from '../../src/elastic/own-index.ts'
import { StartupFailure } from '../../src/errors.ts'
import { newEncryptionKey } from '../../src/platform/secrets.ts'
import { token } from '../../src/text.ts'
import { itemId } from '../../src/workspaces/items.ts'
import { workspacesOf } from '../../src/workspaces/store.ts'
import { expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { TEST_KEY } from '../support/secrets.ts'
import { type Standalone, startStandalone } from '../support/standalone.ts'

const NAME = 'migrate'
const PRODUCTS = 30
const { node } = inject('elasticsearch')
const prefix = `${inject('indexPrefix')}-${NAME}`

let current: IndexDefinition[]
let service: Standalone
let organization: TestOrganization
/** Names of the products index before and after the migration. */
let from: string
let to: string

/** The definitions with a changed one for products. */
const withProducts = (change: (products: IndexDefinition) => IndexDefinition) =>
  current.map((definition) => (definition.kind === 'products' ? change(definition) : definition))

/** Definition of workspaces from when each item was a document. */
const separateWorkspaces = (definition: IndexDefinition): IndexDefinition => ({
  ...definition,
  version: 1,
  mappings: {
    dynamic: false,
    properties: {
      scope: { type: 'keyword' },
      kind: { type: 'keyword' },
      workspace: { type: 'keyword' },
    },
  },
})

/**
 * Definitions of an older version: products without fields for quicksearch and facets, workspaces
 * in separate documents.
 */
const older = () =>
  withProducts((products) => {
    const mappings = structuredClone(products.mappings)
    const { search } = mappings.properties as {
      search: { properties: Record<string, object>; dynamic?: false }
    }
    delete search.properties.quick
    delete search.properties.facets
    for (const field of ['group', 'groupId', 'options']) delete search.properties[field]
    search.dynamic = false
    return { ...products, version: products.version - 1, mappings }
  }).map((definition) =>
    definition.kind === 'workspaces' ? separateWorkspaces(definition) : definition,
  )

async function migrate(more: Record<string, string> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'aisle-migrate-'))
  const environment = { ELASTICSEARCH_URL: node, INDEX_PREFIX: prefix, DATA_DIR: dataDir }
  return promisify(execFile)(process.execPath, ['src/migrate.ts'], {
    env: { ...process.env, ...environment, ...more },
    timeout: 60_000,
  }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )
}

const elastic = () => service.services.elastic
const behindAlias = async () =>
  Object.keys(await elastic().client.indices.getAlias({ name: `${prefix}-products` }))
const quick = async () =>
  (await expectOk(organization.call('GET /api/search/quicksearch?catalog=c&search=bren'))).body
    .manufacturers
const colours = async () => {
  const body = { facetSearch: { name: 'Colour', text: 'WEISS' } }
  return (await expectOk(organization.call('POST /api/search?catalog=c', { body }))).body.metadata
    .facetSearch
}

beforeAll(async () => {
  current = await readDefinitions('index-mappings')
  const { version } = current.find(({ kind }) => kind === 'products')!
  from = `${prefix}-products-v${version - 1}`
  to = `${prefix}-products-v${version}`
  service = await startStandalone(NAME, { definitions: older() })
  organization = await newOrganization(service)
  const { call } = organization
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  for (let n = 0; n < PRODUCTS; n++) {
    const body = {
      id: `p${n}`,
      name: `Drill ${n}`,
      manufacturer: 'Brennick',
      msrp: n,
      facets: { Colour: 'Weiß' },
      ...(n < 3 ? { groupId: 'D', options: { Length: `${n} m` } } : {}),
    }
    await expectOk(call('POST /api/Catalog/c/products', { body }))
  }
  await storeOldWorkspaces()
  await storeOwn(organization)
  await elastic().client.indices.refresh({ index: `${prefix}-*` })
})

const LIVE = '11111111-1111-4111-8111-111111111111'
const DELETED = '22222222-2222-4222-8222-222222222222'

/** Stores a workspace with a single item and one from a batch, and a deleted workspace. */
async function storeOldWorkspaces() {
  const { place, documentId } = workspacesOf(service.services, organization.id)
  const index = elastic().indexName('workspaces')
  const store = (id: string, document: object) =>
    elastic().client.index({
      index,
      id: documentId(id),
      routing: place.routing!,
      document: { scope: place.scope, ...document },
    })
  const workspace = { kind: 'workspace', session: null, username: 'ada', gone: [] }
  const item = (productId: string, parts: object) => ({
    kind: 'item',
    id: itemId('c', productId),
    workspace: LIVE,
    username: 'ada',
    catalog: 'c',
    productId,
    price: 2,
    snapshot: {},
    added: '2026-01-01T00:00:00.000Z',
    batch: null,
    before: null,
    ...parts,
  })
  await store(token('name', 'kitchen'), { ...workspace, id: LIVE, name: 'kitchen', deleted: null })
  const deleted = '2026-01-01T00:00:00.000Z'
  await store(token('name', 'gone'), { ...workspace, id: DELETED, name: 'gone', deleted })
  await store('two', item('p2', { quantity: 3, position: 1, batch: 'b' }))
  await store('one', item('p1', { quantity: 4, position: 0 }))
  await store('left', item('p3', { workspace: DELETED, quantity: 1, position: 0 }))
  await store('verdict', { kind: 'verdict', id: 'b', workspace: LIVE, verdict: 'kept' })
  const field = { kind: 'field', workspace: LIVE, extension: 'erp', field: 'order' }
  await store('field', { ...field, value: '4711' })
}

/** An index for a single catalog, as the older version created it. */
const own = { kind: ownKind('m'), shards: 2 }

async function storeOwn({ id, call }: TestOrganization) {
  const products = older().find(({ kind }) => kind === 'products')!
  await createIndex(elastic(), ownDefinition(products, own))
  await expectOk(call('POST /api/Catalog', { body: { name: 'own' } }))
  const catalogs = catalogsOf(service.services, id)
  const found = (await catalogs.get('own'))!
  await catalogs.replace('own', { ...found.source, ownIndex: own }, found)
  for (const id of ['a', 'b']) {
    await expectOk(call('POST /api/Catalog/own/products', { body: { id, manufacturer: 'Vogel' } }))
  }
}

afterAll(() => service?.stop())

describe('an index of another version', () => {
  test('is refused at start with advice if it is older', async () => {
    await expect(prepareIndices(elastic(), current)).rejects.toThrow(
      `The index ${from} was created by an older version: run "npm run migrate" to copy it to ${to}.`,
    )
  })

  test('can be written to by its own version again after an interrupted copy', async () => {
    const { client } = elastic()
    await client.indices.addBlock({ index: from, block: 'write' })
    const write = () =>
      organization.call('PUT /api/Catalog/c/products/p1', { body: { upcs: ['1'] } })
    const refused = await write()
    expect([refused.status, refused.body.message]).toEqual([
      503,
      'The storage is read-only: its disk is full, or a migration is running. Try again later.',
    ])
    await prepareIndices(elastic(), older())
    await expectOk(write())
  })

  test('is not copied while its own version is starting, so no write is lost', async () => {
    const proxy = await startFaultProxy(node)
    onTestFinished(() => proxy.close())
    proxy.hold((line) =>
      line.startsWith('POST /_bulk') ? prepareIndices(elastic(), older()) : undefined,
    )
    const behind = createElastic({ ...elastic().settings, node: proxy.node })
    const products = current.find(({ kind }) => kind === 'products')!
    await expect(migrateIndex(behind, products)).rejects.toThrow(
      `The service was started during the migration and may have written to ${from}: stop it and run the migration again.`,
    )
    expect(await behindAlias()).toEqual([from])
    await expectOk(organization.call('PUT /api/Catalog/c/products/p1', { body: { upcs: ['2'] } }))
  })

  test('is copied by npm run migrate, and everything is found afterwards', async () => {
    expect([await quick(), await colours()]).toEqual([[], {}])
    const before = await expectOk(organization.call('GET /api/Catalog/c/products/p7'))

    const { code, stdout } = await migrate()
    expect(stdout).toContain(`${from} -> ${to}: ${PRODUCTS} documents`)
    const [ownFrom, ownTo] = [from, to].map((one) => one.replace('products-', `${own.kind}-`))
    expect(stdout).toContain(`${ownFrom} -> ${ownTo}: 2 documents`)
    const oldWorkspaces = `${prefix}-workspaces-v1`
    expect(stdout).toContain(`${oldWorkspaces} -> ${prefix}-workspaces-v2: 1 documents`)
    expect(stdout).toContain(
      `old indices, unchanged; delete them when the service works: ${from}, ${ownFrom}, ${oldWorkspaces}\n`,
    )
    expect(stdout).toContain('all indices have the current version')
    expect(code).toBe(0)

    expect(await behindAlias()).toEqual([to])
    await prepareIndices(elastic(), current)
    const line = 'GET /api/search/quicksearch?catalog=own&search=vog'
    expect((await expectOk(organization.call(line))).body.manufacturers).toEqual(['Vogel'])
    const index = elastic().indexName(own.kind)
    const settings = Object.values(await elastic().client.indices.getSettings({ index }))
    expect(settings[0]!.settings!.index!.number_of_shards).toBe('2')
    const found = await expectOk(
      organization.call('POST /api/search?catalog=c', {
        body: { keywords: 'drill', highPrice: 9 },
      }),
    )
    expect(found.body.total).toBe(10)
    expect([await quick(), await colours()]).toEqual([['Brennick'], { Weiß: PRODUCTS }])
    const body = { keywords: 'drill 1', group: true }
    const groups = await expectOk(organization.call('POST /api/search?catalog=c', { body }))
    expect(groups.body.products[0]).toMatchObject({ id: 'p1', group: { variants: 1 } })
    const all = await expectOk(
      organization.call('POST /api/search/count?catalog=c', { body: { group: true } }),
    )
    expect(all.body.count).toBe(PRODUCTS - 2)
    const after = await expectOk(organization.call('GET /api/Catalog/c/products/p7'))
    expect(after.body).toEqual(before.body)
    await expectOk(organization.call('PUT /api/Catalog/c/products/p7', { body: { name: 'New' } }))
  })

  test('gets its workspaces merged into one document each', async () => {
    const { call } = organization
    const { workspaces } = (await expectOk(call('GET /api/workspaces'))).body
    expect(workspaces).toMatchObject([
      {
        id: LIVE,
        name: 'kitchen',
        products: [
          { productId: 'p1', details: { quantity: 4, price: 2 }, product: { name: 'Drill 1' } },
          { productId: 'p2', details: { quantity: 3, price: 2 } },
        ],
        totals: { items: 2, quantity: 7, price: 14 },
      },
    ])
    const { fields } = (await expectOk(call('GET /api/workspaces/kitchen/metadata'))).body
    expect(fields).toEqual([{ extensionId: 'erp', key: 'order', value: '4711' }])
    const item = `/api/workspaces/${LIVE}/items/${itemId('c', 'p1')}`
    await expectOk(call(`DELETE ${item}`))
    await expectOk(call('POST /api/workspaces', { body: { name: 'gone' } }))
  })

  test('is copied only once', async () => {
    const { code, stdout } = await migrate()
    expect([code, stdout.includes('->')]).toEqual([0, false])
  })

  test('gets its secrets encrypted again if ENCRYPTION_KEY has a new first key', async () => {
    const additionalData = { password: 'correct-horse' }
    const install = 'POST /api/extensions/available/file/install'
    await expectOk(organization.call(install, { body: { additionalData } }))
    const [key, other] = [newEncryptionKey(), newEncryptionKey()]
    const told = async (...keys: string[]) =>
      (await migrate({ ENCRYPTION_KEY: keys.join(',') })).stdout
    const first = 'migrate: secrets encrypted again with the first key of ENCRYPTION_KEY'
    const rest = 'migrate: the other keys are no longer needed'
    expect(await told(key, TEST_KEY)).toContain(`${first}: 1\n${rest}\n`)
    expect(await told(key)).toContain(`${first}: 0\n${rest}\n`)
    const lost = 'migrate: secrets that no key can decrypt, and that must be entered again: 1'
    expect(await told(other)).toContain(`${first}: 0\n${lost}\n`)
  })

  test('is refused at start if it is newer', async () => {
    const olderRelease = withProducts((products) => ({
      ...products,
      version: products.version - 1,
    }))
    await expect(prepareIndices(elastic(), olderRelease)).rejects.toThrow(
      `The index ${to} was created by a newer version of Aisle: start that version, or set another INDEX_PREFIX.`,
    )
  })

  test('is never copied back if it is newer', async () => {
    const alias = `${prefix}-tasks`
    const [now] = Object.keys(await elastic().client.indices.getAlias({ name: alias }))
    const newer = `${alias}-v99`
    await elastic().client.indices.create({ index: newer })
    const swap = (from: string, to: string) =>
      elastic().client.indices.updateAliases({
        actions: [{ remove: { index: from, alias } }, { add: { index: to, alias } }],
      })
    await swap(now!, newer)
    const { code, stderr } = await migrate()
    expect(stderr).toBe(
      `migrate: The index ${newer} was created by a newer version of Aisle: start that version, or set another INDEX_PREFIX.\n`,
    )
    expect(code).toBe(1)
    expect(Object.keys(await elastic().client.indices.getAlias({ name: alias }))).toEqual([newer])
    await swap(newer, now!)
  })
})

test('documents of many MiB in total are sent in requests of a few MiB', async () => {
  const { client, settings } = elastic()
  const alone = createElastic({ ...settings, prefix: `${prefix}-large` })
  const definition = { kind: 'things', version: 1, monthly: false, settings: {} }
  const versions = [1, 2].map((version) => ({
    ...definition,
    version,
    mappings: { dynamic: false, _meta: { version } } as const,
  }))
  await prepareIndices(alone, [versions[0]!])
  const text = 'x'.repeat(1024 * 1024)
  const index = `${prefix}-large-things`
  for (let n = 0; n < 24; n++) await client.index({ index, id: `d${n}`, document: { text } })
  const sent: number[] = []
  alone.client.diagnostic.on('request', (_error, event) => {
    const { path, body } = event!.meta.request.params
    if (path === '/_bulk') sent.push(Buffer.byteLength(body as string))
  })
  expect(await migrateIndex(alone, versions[1]!)).toMatchObject({ documents: 24 })
  expect(Math.max(...sent)).toBeLessThan(10 * 1024 * 1024)
  expect(sent.reduce((all, bytes) => all + bytes)).toBeGreaterThan(24 * text.length)
  const copied = await client.get({ index: `${index}-v2`, id: 'd23' })
  expect(copied._source).toEqual({ text })
})

describe('a mapping of the same version', () => {
  const mapped = (field: string, mapping: object, within: 'search' | 'top') =>
    withProducts((products) => {
      const mappings = structuredClone(products.mappings)
      const top = mappings.properties as Record<string, { properties: Record<string, object> }>
      const target = within === 'top' ? (top as Record<string, object>) : top.search!.properties
      target[field] = mapping
      return { ...products, mappings }
    })

  test.each([
    ['a changed field', 'manufacturer', { type: 'text' }],
    ['a new search field, which stored products lack', 'brandNew', { type: 'keyword' }],
  ])('with %s is refused at start', async (_what, field, mapping) => {
    const started = prepareIndices(elastic(), mapped(field, mapping, 'search'))
    await expect(started).rejects.toThrow(StartupFailure)
    await expect(started).rejects.toThrow(
      `The mapping of ${to} differs at search.${field}: raise its version in index-mappings and run "npm run migrate".`,
    )
  })

  test('with another new field is extended', async () => {
    await prepareIndices(elastic(), mapped('extra', { type: 'keyword' }, 'top'))
    const { client } = elastic()
    const { [to]: found } = await client.indices.getMapping({ index: to })
    expect(found!.mappings.properties).toMatchObject({ extra: { type: 'keyword' } })
  })
})

describe('a monthly index', () => {
  const mapped = (field: string, mapping: object) =>
    current.map((definition) => {
      if (definition.kind !== 'history') return definition
      const mappings = structuredClone(definition.mappings)
      ;(mappings.properties as Record<string, object>)[field] = mapping
      return { ...definition, mappings }
    })

  test('gets a new field too if it exists', async () => {
    await prepareIndices(elastic(), mapped('device', { type: 'keyword' }))
    const now = await elastic().client.indices.getMapping({ index: `${prefix}-history` })
    expect(Object.keys(now)).toHaveLength(2)
    for (const { mappings } of Object.values(now)) {
      expect(mappings.properties).toMatchObject({ device: { type: 'keyword' } })
    }
  })

  test('is refused at start if a field would change', async () => {
    await expect(prepareIndices(elastic(), mapped('username', { type: 'text' }))).rejects.toThrow(
      /^The mapping of \S+-history-\d{4}\.\d\d differs at username: monthly indices keep their fields, so add a field with another name\.$/,
    )
  })
})
