import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Sketch, seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let viewer: Call

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  organization = await newOrganization(service)
  viewer = await organization.as('viewer')
})

const seed = (products: readonly Sketch[], owner = organization) =>
  seedCatalog(service, owner, products)

const run = (extension: string, body: object, by = viewer) =>
  by(`POST /api/extensions/recommendation/${extension}/run`, { body })

interface Match {
  readonly productId: string
  readonly matchedTo: string
  readonly score: number
}

describe('similar', () => {
  const drill = (id: string, more: Partial<Sketch> = {}): Sketch => ({
    id,
    name: `Drill ${id}`,
    manufacturer: 'Brennick',
    category: 'Tools',
    subCategory: 'Drills',
    facets: { Voltage: '18 V', Chuck: '13 mm' },
    filters: { Weight: 1.8 },
    msrp: 100,
    ...more,
  })

  test('ranks by close values and price, across manufacturers but within the category', async () => {
    const catalog = await seed([
      drill('D-1'),
      drill('near', { manufacturer: 'Drakesmoor', msrp: 105 }),
      drill('dear', { msrp: 400 }),
      drill('weak', {
        facets: { Voltage: '12 V', Chuck: '10 mm' },
        filters: { Weight: 0.9 },
        msrp: 60,
      }),
      { ...drill('saw'), subCategory: 'Saws' },
    ])
    const { body } = await expectOk(run('similar', { products: [{ catalog, id: 'D-1' }] }))
    expect(body.products).toEqual(['near', 'dear', 'weak'])
    expect(body.matchedProducts).toEqual([])
    expect(body.possibleProducts[0]).toMatchObject({
      productId: 'near',
      scorer: 'similar',
      source: catalog,
      matchedTo: 'D-1',
      matchGroup: 'D-1',
      qty: null,
    })
    const scores = body.possibleProducts.map(({ score }: Match) => score)
    expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a))
    expect(Math.max(...scores)).toBeLessThanOrEqual(1)
  })

  test('excludes the given products, and returns nothing for products without a category', async () => {
    const catalog = await seed([drill('D-1'), drill('D-2'), { id: 'bare' }])
    const products = ['D-1', 'D-2', 'bare'].map((id) => ({ catalog, id }))
    const { body } = await expectOk(run('similar', { products }))
    expect(body.products).toEqual([])
  })

  test('compares products too large to be read at once like others', async () => {
    const values = Array.from({ length: 100 }, (_, at) => [`Value ${at}`, 'x'.repeat(1_500)])
    const more = { facets: { ...Object.fromEntries(values), Voltage: '18 V' } }
    const weak = { facets: { ...more.facets, Voltage: '12 V' } }
    const named = [drill('D-1', more), drill('D-2', more)]
    const large = Array.from({ length: 8 }, (_, at) => drill(`L-${at}`, at < 5 ? more : weak))
    const catalog = await seed([...named, ...large])
    const asked = (ids: readonly string[]) => ({ products: ids.map((id) => ({ catalog, id })) })
    for (const ids of [['D-1', 'D-2'], ['D-1', 'D-2'], ['D-1']]) {
      const { body } = await expectOk(run('similar', asked(ids)))
      const others = ids.length === 1 ? ['D-2'] : []
      const best = [...others, 'L-0', 'L-1', 'L-2', 'L-3', 'L-4'].slice(0, 5)
      expect(body.products).toEqual(best)
      expect(body.possibleProducts).toHaveLength(5 * ids.length)
    }
  })

  test('works for a child with its parent’s products, but not for others', async () => {
    const catalog = await seed([drill('D-1'), drill('D-2')])
    const child = await newOrganization(service, organization.id)
    const products = [{ catalog, id: 'D-1' }]
    expect((await expectOk(run('similar', { products }, child.call))).body.products).toEqual([
      'D-2',
    ])
    const stranger = await newOrganization(service)
    const foreign = await run('similar', { products }, stranger.call)
    const missing = await run('similar', { products: [{ catalog: 'nowhere', id: 'D-1' }] })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })
})

describe('together', () => {
  const products = ['drill', 'bits', 'glove', 'tape', 'saw'].map((id) => ({ id, name: id }))

  const workspace = async (name: string, catalog: string, ids: readonly string[], by = viewer) => {
    await expectOk(by('POST /api/workspaces', { body: { name } }))
    const items = ids.map((productId) => ({ catalog, productId }))
    await expectOk(by(`POST /api/workspaces/${name}/items`, { body: { items } }))
  }

  /** Tape is in every workspace; bits are in those with drills. */
  const shop = async () => {
    const catalog = await seed(products)
    await workspace('w1', catalog, ['drill', 'bits', 'tape'])
    await workspace('w2', catalog, ['drill', 'bits', 'tape'])
    await workspace('w3', catalog, ['drill', 'bits', 'tape', 'glove'])
    await workspace('w4', catalog, ['saw', 'glove', 'tape'])
    await workspace('w5', catalog, ['saw', 'tape'])
    await workspace('w6', catalog, ['saw', 'glove', 'tape'])
    return catalog
  }

  test('returns products bought together, but not those bought with everything', async () => {
    const catalog = await shop()
    const { body } = await expectOk(run('together', { products: [{ catalog, id: 'drill' }] }))
    expect(body.products).toEqual(['bits'])
    expect(body.possibleProducts).toMatchObject([
      { productId: 'bits', scorer: 'together', matchedTo: 'drill', source: catalog, name: 'bits' },
    ])
  })

  test('accepts a workspace by id or name, in both revisions, and excludes its products', async () => {
    const catalog = await shop()
    await workspace('mine', catalog, ['drill', 'tape'])
    const { id } = (await expectOk(viewer('GET /api/workspaces/mine'))).body
    for (const [name, version] of [
      ['mine', '1.0'],
      [id, '6.0'],
    ]) {
      const line = `GET /api/workspaces/${name}/recommendations/together`
      const { body } = await expectOk(viewer(line, { version }))
      expect(body.products).toEqual(['bits'])
    }
    const similar = await expectOk(viewer('GET /api/workspaces/mine/recommendations/similar'))
    expect(similar.body.success).toBe(true)
  })

  test('excludes deleted products', async () => {
    const catalog = await shop()
    const editor = await organization.as('editor')
    await expectOk(editor(`DELETE /api/Catalog/${catalog}/products/bits`))
    const { body } = await expectOk(run('together', { products: [{ catalog, id: 'drill' }] }))
    expect(body.products).toEqual([])
  })

  test('ignores deleted workspaces', async () => {
    const catalog = await shop()
    for (const name of ['w1', 'w2']) await expectOk(viewer(`DELETE /api/workspaces/${name}`))
    const { body } = await expectOk(run('together', { products: [{ catalog, id: 'drill' }] }))
    expect(body.products).toEqual([])
  })

  test('ignores the workspaces of other organizations', async () => {
    const catalog = await shop()
    const child = await newOrganization(service, organization.id)
    const asked = { products: [{ catalog, id: 'drill' }] }
    expect((await expectOk(run('together', asked, child.call))).body.products).toEqual([])
  })

  test('returns nothing for an empty workspace, and 404 for a foreign or a missing one', async () => {
    await expectOk(viewer('POST /api/workspaces', { body: { name: 'empty' } }))
    const line = (name: string, extension = 'together') =>
      `GET /api/workspaces/${name}/recommendations/${extension}`
    expect((await expectOk(viewer(line('empty')))).body.products).toEqual([])
    const stranger = await newOrganization(service)
    const foreign = await stranger.call(line('empty'))
    const missing = await viewer(line('nothing'))
    expect([foreign.status, missing.status]).toEqual([404, 404])
    expect(foreign.body).toEqual(missing.body)
    expect((await viewer(line('empty', 'nothing'))).status).toBe(404)
  })
})

test('a run requires input, and is logged', async () => {
  const catalog = await seed([{ id: 'P-1', name: 'Thing', category: 'Things' }])
  for (const extension of ['similar', 'together']) {
    const nothing = await run(extension, {})
    expect(nothing.status).toBe(400)
    expect(nothing.body.message).toContain('products: send at least one, or a workspace')
    expect((await run(extension, { products: [{ catalog, id: 'missing' }] })).status).toBe(404)
  }
  await expectOk(run('similar', { products: [{ catalog, id: 'P-1' }] }))
  const { items } = (
    await expectOk(organization.call('GET /api/extensions/installed/similar/logs'))
  ).body
  expect(items[0]).toMatchObject({ extensionId: 'similar', success: true, productCount: 1 })
  expect(items[1]).toMatchObject({ success: false })
})
