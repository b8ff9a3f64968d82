import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type AnnotationBench, annotationBench, newUser, PATIENCE } from '../support/annotations.ts'
import { seedProducts } from '../support/catalog.ts'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'

let bench: AnnotationBench
let editor: Call
let viewer: Call
beforeAll(async () => {
  bench = await annotationBench()
  editor = bench.editor
  viewer = bench.viewer
})

const favoriteOf = async (call: Call, path: string) =>
  (await expectOk(call(`GET ${path}`))).body.favorite
const favorites = async (call: Call, query = '') =>
  (await expectOk(call(`GET /api/favorites?catalog=c${query}`))).body
const idsOf = ({ products }: { products: { id: string }[] }) => products.map(({ id }) => id)

describe('under 6.0', () => {
  test('a user’s favorite is visible only to the user', async () => {
    const path = await bench.create('user mark')
    const added = await expectOk(viewer(`PUT ${path}/favorites/user`))
    expect(added.body).toEqual({
      success: true,
      message: 'Added to your favorites.',
      id: 'user mark',
      taskId: null,
    })
    await expectOk(viewer(`PUT ${path}/favorites/user`))
    expect(await favoriteOf(viewer, path)).toEqual({ company: false, user: true })
    expect(await favoriteOf(editor, path)).toEqual({ company: false, user: false })
    await expectOk(viewer(`DELETE ${path}/favorites/user`))
    await expectOk(viewer(`DELETE ${path}/favorites/user`))
    expect(await favoriteOf(viewer, path)).toEqual({ company: false, user: false })
  })

  test('the organization’s favorite is visible to everybody, and set by editors', async () => {
    const path = await bench.create('company mark')
    for (const method of ['PUT', 'DELETE']) {
      expect((await viewer(`${method} ${path}/favorites/organization`)).status).toBe(403)
    }
    await expectOk(editor(`PUT ${path}/favorites/organization`))
    expect(await favoriteOf(viewer, path)).toEqual({ company: true, user: false })
    await expectOk(editor(`DELETE ${path}/favorites/organization`))
    expect(await favoriteOf(viewer, path)).toEqual({ company: false, user: false })
  })

  test('a favorite does not change the product: no version, no log entry, no new time', async () => {
    const path = await bench.create('unchanged')
    const before = (await expectOk(editor(`GET ${path}`))).body
    await expectOk(editor(`PUT ${path}/favorites/organization`))
    const after = (await expectOk(editor(`GET ${path}`))).body
    expect(after).toEqual({ ...before, favorite: { company: true, user: false } })
    expect((await expectOk(editor(`GET ${path}/logs`))).body.items).toHaveLength(1)
  })

  test('a returned product can be sent back, and a body cannot set favorites', async () => {
    const path = await bench.create('put back')
    await expectOk(viewer(`PUT ${path}/favorites/user`))
    const { body } = await expectOk(viewer(`GET ${path}`))
    await expectOk(editor(`PUT ${path}`, { body: { ...body, favorite: { company: true } } }))
    expect(await favoriteOf(viewer, path)).toEqual({ company: false, user: true })
    expect((await expectOk(viewer(`GET ${path}`))).body.version).toBe('1')
  })

  test('If-Match is honored', async () => {
    const path = await bench.create('matched')
    const line = `PUT ${path}/favorites/user`
    expect((await viewer(line, { headers: { 'if-match': '"2"' } })).status).toBe(412)
    expect((await viewer(line, { headers: { 'if-match': '"1"' } })).status).toBe(200)
  })
})

describe.each(['1.0', '6.0'])('under %s', (version) => {
  test('Set Favorites sets both kinds; absent and null change nothing', async () => {
    const id = `set ${version}`
    const path = await bench.create(id)
    const set = (call: Call, body: object) =>
      call(`PUT /api/favorites/${encodeURIComponent(id)}?catalog=c`, { version, body })
    await expectOk(set(editor, { company: true, user: true }))
    expect(await favoriteOf(editor, path)).toEqual({ company: true, user: true })
    await expectOk(set(editor, { company: false, user: null }))
    expect(await favoriteOf(editor, path)).toEqual({ company: false, user: true })
    await expectOk(set(editor, {}))
    expect(await favoriteOf(editor, path)).toEqual({ company: false, user: true })
    await expectOk(set(viewer, { user: true, company: null }))
    expect(await favoriteOf(viewer, path)).toEqual({ company: false, user: true })
  })

  test('a viewer who sets the organization’s favorite changes nothing', async () => {
    const id = `refused ${version}`
    const path = await bench.create(id)
    const answer = await viewer(`PUT /api/favorites/${encodeURIComponent(id)}?catalog=c`, {
      version,
      body: { company: false, user: true },
    })
    expect(answer.status).toBe(403)
    expect(answer.body.message).toBe(
      "Changing the organization's favorites (company) requires the role editor.",
    )
    expect(await favoriteOf(viewer, path)).toEqual({ company: false, user: false })
  })

  test('each removal removes its own kind', async () => {
    const path = await bench.create(`remove-${version}`)
    const of = (mark: string) => `DELETE /api/favorites/remove-${version}/${mark}?catalog=c`
    await expectOk(editor(`PUT ${path}/favorites/organization`))
    await expectOk(editor(`PUT ${path}/favorites/user`))
    expect((await viewer(of('company'), { version })).status).toBe(403)
    await expectOk(editor(of('company'), { version }))
    expect(await favoriteOf(editor, path)).toEqual({ company: false, user: true })
    await expectOk(editor(of('user'), { version }))
    expect(await favoriteOf(editor, path)).toEqual({ company: false, user: false })
  })

  test('Get Favorites returns the same as a search for both kinds', async () => {
    const own = await annotationBench()
    const marked = { [own.org.id]: { favorite: true } }
    const mine = { [own.org.id]: { favoriteUsers: ['viewer'] } }
    await seedProducts(own.service, { owner: own.org.id, name: 'c' }, [
      { id: '1', name: 'Zebra', manufacturer: 'Acme', annotations: marked },
      { id: '2', name: 'Able', manufacturer: 'Bolt', annotations: mine },
      { id: '3', name: 'Mole', annotations: { [own.org.id]: { favoriteUsers: ['editor'] } } },
      { id: '4', name: 'Newt', annotations: { other: { favorite: true } } },
    ])
    const line = (query: string) => own.viewer(`GET /api/favorites?${query}`, { version })
    const { body } = await expectOk(line('catalog=c'))
    expect(Object.keys(body)).toEqual(['products', 'total', 'metadata'])
    const must = ['user', 'company'].map((value) => ({ type: 'favorite', value }))
    const search = await expectOk(own.viewer('POST /api/search?catalog=c', { body: { must } }))
    expect(body).toEqual({
      products: search.body.products,
      total: 2,
      metadata: search.body.metadata,
    })
    expect(idsOf(body)).toEqual(['2', '1'])
    expect(body.metadata.manufacturers).toEqual(['Acme', 'Bolt'])

    const second = await expectOk(line('catalog=c&page=1&pageSize=1'))
    expect([idsOf(second.body), second.body.total]).toEqual([['1'], 2])
    expect(idsOf((await expectOk(line('catalog=c&pageSize=0'))).body)).toEqual(['2', '1'])
    expect((await line('')).body.message).toMatch(/^catalog: required/)
    await expectOk(
      own.org.call('PUT /api/organizations/current', { body: { defaultCatalog: 'c' } }),
    )
    expect((await expectOk(line(''))).body.total).toBe(2)
    expect((await expectOk(line('catalog='))).body.total).toBe(2)
  })
})

test.each([
  ['page=-1', 'page: '],
  ['page=1.5', 'page: '],
  ['page=x', 'page: '],
  ['pageSize=251', 'pageSize: '],
  ['page=400', 'page: the list has only the first 10000 favorites'],
  ['page=9007199254740991&pageSize=250', 'page: the list has only the first 10000'],
])('Get Favorites refuses %s', async (query, message) => {
  const answer = await viewer(`GET /api/favorites?catalog=c&${query}`)
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)])
})

test('a favorite is found by search and listed within a second', async () => {
  const own = await annotationBench()
  const path = await own.create('searched')
  const must = [{ type: 'favorite', value: 'user' }]
  await expectOk(own.viewer(`PUT ${path}/favorites/user`))
  const list = async () => (await expectOk(own.viewer('GET /api/favorites?catalog=c'))).body
  await vi.waitFor(
    async () => expect(await own.found({ must }, own.viewer)).toHaveLength(1),
    PATIENCE,
  )
  const { products } = await list()
  expect([products[0].id, products[0].favorite]).toEqual([
    'searched',
    { company: false, user: true },
  ])
  await expectOk(own.viewer(`DELETE ${path}/favorites/user`))
  await vi.waitFor(async () => expect((await list()).total).toBe(0), PATIENCE)
})

test('the sort order favorite puts the user’s first, then the organization’s', async () => {
  const user = await newUser(bench, 'sorter')
  await bench.create('sort a')
  const [b, c] = [await bench.create('sort b'), await bench.create('sort c')]
  await expectOk(editor(`PUT ${b}/favorites/organization`))
  await expectOk(user(`PUT ${c}/favorites/user`))
  const body = { keywords: 'sort', sort: 'favorite' }
  await vi.waitFor(
    async () => expect(await bench.found(body, user)).toEqual(['sort c', 'sort b', 'sort a']),
    PATIENCE,
  )
})

describe('a sub-organization', () => {
  test('marks its parent’s products for itself, by its own role only', async () => {
    const path = await bench.create('shared')
    const child = await newOrganization(bench.service, bench.org.id)
    const member = await child.as('editor')
    await expectOk(member(`PUT ${path}/favorites/organization`))
    await expectOk(member(`PUT ${path}/favorites/user`))
    expect(await favoriteOf(member, path)).toEqual({ company: true, user: true })
    expect(await favoriteOf(editor, path)).toEqual({ company: false, user: false })
    expect((await member(`PUT ${path}`, { body: { name: 'x' } })).status).toBe(403)
    const childViewer = await child.as('viewer')
    expect((await childViewer(`PUT ${path}/favorites/organization`)).status).toBe(403)
    await vi.waitFor(
      async () => expect(idsOf(await favorites(member))).toEqual(['shared']),
      PATIENCE,
    )
  })
})

describe('favorites of missing products', () => {
  const MISSING = (what: string) => ({
    success: false,
    message: `${what} not found.`,
    id: null,
    taskId: null,
  })
  const lines = (path: string, id: string, catalog: string): [string, object?][] => [
    [`PUT ${path}/favorites/user`],
    [`DELETE ${path}/favorites/user`],
    [`PUT ${path}/favorites/organization`],
    [`DELETE ${path}/favorites/organization`],
    [`PUT /api/favorites/${id}?catalog=${catalog}`, { user: true }],
    [`DELETE /api/favorites/${id}/company?catalog=${catalog}`],
    [`DELETE /api/favorites/${id}/user?catalog=${catalog}`],
  ]

  test('and of foreign ones return the same 404', async () => {
    const stranger = await newOrganization(bench.service)
    const path = await bench.create('secret')
    const calls = [
      ...lines('/api/Catalog/c/products/nothing', 'nothing', 'c').map(
        ([line, body]) => [editor(line, { body }), 'Product'] as const,
      ),
      ...lines('/api/Catalog/nowhere/products/secret', 'secret', 'nowhere').map(
        ([line, body]) => [editor(line, { body }), 'Catalog'] as const,
      ),
      ...lines(path, 'secret', 'c').map(
        ([line, body]) => [stranger.call(line, { body }), 'Catalog'] as const,
      ),
    ]
    for (const [answer, what] of calls) {
      expect(await answer).toMatchObject({ status: 404, body: MISSING(what) })
    }
  })

  test('are not listed for an inactive catalog, whose products keep them', async () => {
    const own = await annotationBench()
    const path = await own.create('p')
    await expectOk(own.viewer(`PUT ${path}/favorites/user`))
    await expectOk(own.org.call('PUT /api/Catalog', { body: { name: 'c', active: false } }))
    const answer = await own.viewer('GET /api/favorites?catalog=c')
    expect([answer.status, answer.body]).toEqual([404, MISSING('Catalog')])
    expect(await favoriteOf(own.viewer, path)).toEqual({ company: false, user: true })
  })
})

test.each(['search', 'import'] as const)('a key of type %s cannot set favorites', async (type) => {
  const path = await bench.create(`for ${type} keys`)
  const call = caller(bench.service, { key: await bench.org.key('administrator', type) })
  for (const line of [
    `PUT ${path}/favorites/user`,
    'GET /api/favorites?catalog=c',
    `DELETE ${path}/favorites/organization`,
  ]) {
    expect((await call(line)).status).toBe(403)
  }
})

test.each(['{"user": "yes"}', '{"company": 1}', '[]', '"x"', 'null', '{'])(
  'Set Favorites refuses %s',
  async (body) => {
    const answer = await editor('PUT /api/favorites/anything?catalog=c', { body })
    expect([answer.status, answer.body.success]).toEqual([400, false])
  },
)
