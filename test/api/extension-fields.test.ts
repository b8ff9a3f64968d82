import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type AnnotationBench, annotationBench, PATIENCE } from '../support/annotations.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'

/** Ids that are also path segments of operations, or that must be encoded in a path. */
const WORDS = ['products', 'notes', 'retrieveProducts', 'extensionFields', 'links', 'a/b']

let bench: AnnotationBench
let editor: Call
let viewer: Call
beforeAll(async () => {
  bench = await annotationBench()
  editor = bench.editor
  viewer = bench.viewer
  for (const id of WORDS) await bench.create(id)
})

/** The path of a product in each revision. */
const places = [
  ['1.0', (id: string) => `/api/Catalog/c/${encodeURIComponent(id)}`],
  ['6.0', (id: string) => `/api/Catalog/c/products/${encodeURIComponent(id)}`],
] as const

describe.each(places)('under %s', (version, at) => {
  const set = (path: string, name: string, value: unknown, call = editor) =>
    call(`PUT ${path}/extensionFields/${name}`, { version, body: { value } })
  const fields = async (path: string, extension = '') =>
    (await expectOk(viewer(`GET ${path}/extensionFields${extension}`, { version }))).body

  test('fields are set, read and removed', async () => {
    await bench.create(`set ${version}`)
    const path = at(`set ${version}`)
    expect(await fields(path)).toEqual({ fields: [] })
    expect(await fields(path, '/erp')).toEqual({ fields: [] })
    const group = { extensionId: 'erp', key: 'group', value: 'G1' }
    const centre = { extensionId: 'erp', key: 'cost centre', value: ' 47 11\n' }
    const crm = { extensionId: 'crm', key: 'group', value: 'C' }
    expect((await set(path, 'erp/group', 'G0')).body).toEqual({
      success: true,
      message: 'Field saved.',
      id: `set ${version}`,
      taskId: null,
    })
    await expectOk(set(path, 'erp/cost%20centre', centre.value))
    await expectOk(set(path, 'crm/group', 'C'))
    await expectOk(set(path, 'erp/group', 'G1'))
    expect(await fields(path)).toEqual({ fields: [group, centre, crm] })
    expect(await fields(path, '/erp')).toEqual({ fields: [group, centre] })
    const { body } = await expectOk(viewer(`GET ${path}`, { version }))
    expect(body.extensionFields).toEqual([group, centre, crm])

    await expectOk(set(path, 'erp/group', null))
    await expectOk(set(path, 'crm/group', ''))
    await expectOk(set(path, 'crm/never', null))
    expect(await fields(path)).toEqual({ fields: [centre] })
    await expectOk(set(path, 'erp/cost%20centre', undefined))
    expect(await fields(path)).toEqual({ fields: [] })
  })

  test('a 404 is a plain JSON string, the same for missing and foreign', async () => {
    await bench.create(`foreign ${version}`)
    const stranger = (await newOrganization(bench.service)).call
    for (const [call, path, text] of [
      [editor, at('nothing'), 'Product not found.'],
      [editor, at('x').replace('/c/', '/nowhere/'), 'Catalog not found.'],
      [stranger, at(`foreign ${version}`), 'Catalog not found.'],
    ] as const) {
      for (const answer of [
        await call(`GET ${path}/extensionFields`, { version }),
        await call(`GET ${path}/extensionFields/erp`, { version }),
        await set(path, 'erp/group', 'x', call),
      ]) {
        expect([answer.status, answer.body]).toEqual([404, text])
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
      }
    }
  })

  test('invalid input returns 400 with a reason', async () => {
    await bench.create(`wrong ${version}`)
    const path = at(`wrong ${version}`)
    for (const [name, value, message] of [
      ['erp/group', 7, /^value: /],
      ['erp/group', 'x'.repeat(2_001), /^value: /],
      [`${'x'.repeat(201)}/group`, 'v', /^extension: /],
      [`erp/${'x'.repeat(201)}`, 'v', /^field: /],
      ['a%2Fb/c', 'v', /^extension: must not contain \//],
      ['erp/a%1Fb', 'v', /^field: control characters/],
    ] as const) {
      const answer = await set(path, name, value)
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
    }
    expect(await fields(path)).toEqual({ fields: [] })
  })

  test('a viewer can only read', async () => {
    await bench.create(`read ${version}`)
    expect((await set(at(`read ${version}`), 'erp/group', 'x', viewer)).status).toBe(403)
  })

  test.each(WORDS)('a product called %s has fields', async (id) => {
    const path = at(id)
    await expectOk(set(path, `extensionFields/${version}`, id))
    const expected = { extensionId: 'extensionFields', key: version, value: id }
    expect((await fields(path)).fields).toContainEqual(expected)
    expect((await fields(path, '/extensionFields')).fields).toContainEqual(expected)
    await expectOk(editor(`PUT ${path}/links/links/${version}`, { version }))
    const { body } = await expectOk(viewer(`GET ${at(id)}`, { version }))
    const link = { type: 'links', value: version, recommended: false }
    expect([body.id, body.links]).toEqual([id, expect.arrayContaining([link])])
  })

  test('a link is added once, and is separate from those of the catalog', async () => {
    const id = `linked ${version}`
    const product = await bench.create(id)
    const line = `PUT ${at(id)}/links/erp/MAT%2F7%20x`
    const added = { type: 'erp', value: 'MAT/7 x', recommended: false }
    expect((await viewer(line, { version })).status).toBe(403)
    expect((await expectOk(editor(line, { version }))).body.message).toBe('Link added.')
    await expectOk(editor(line, { version }))
    const read = async () => (await expectOk(viewer(`GET ${at(id)}`, { version }))).body
    expect((await read()).links).toEqual([added])

    // A product that was read can be put back: an added link does not become catalog data.
    await expectOk(editor(`PUT ${at(id)}`, { version, body: await read() }))
    const child = await newOrganization(bench.service, bench.org.id)
    expect((await expectOk(child.call(`GET ${product}`))).body.links).toEqual([])
    const shop = { type: 'erp', value: 'other', recommended: true }
    await expectOk(editor(`PUT ${at(id)}`, { version, body: { links: [shop] } }))
    expect((await read()).links).toEqual([shop, added])
    expect((await expectOk(child.call(`GET ${product}`))).body.links).toEqual([shop])
    await expectOk(child.call(`PUT ${product}/links/erp/theirs`))
    expect((await read()).links).toEqual([shop, added])
  })

  test('a link for a missing product returns 404, an empty one 400', async () => {
    const line = (id: string, end: string) => `PUT ${at(id)}/links/${end}`
    expect(await editor(line('nothing', 'erp/1'), { version })).toMatchObject({
      status: 404,
      body: { success: false, message: 'Product not found.' },
    })
    await bench.create(`ends ${version}`)
    for (const end of ['%20/1', 'erp/%20', `erp/${'x'.repeat(257)}`, `${'x'.repeat(201)}/1`]) {
      expect((await editor(line(`ends ${version}`, end), { version })).status).toBe(400)
    }
  })
})

test('a field is found by its exact value at once', async () => {
  const own = await annotationBench()
  const path = await own.create('p')
  const set = (name: string, value: string | null) =>
    expectOk(own.editor(`PUT ${path}/extensionFields/${name}`, { body: { value } }))
  const by = (name: string, value: string) => ({ must: [{ type: 'extensionField', name, value }] })
  const longest = [`${'x'.repeat(200)}/${'y'.repeat(200)}`, '界'.repeat(2_000)] as const
  await set('erp/group', 'Größe 1')
  await set('constructor/__proto__', 'odd')
  await set(...longest)
  await vi.waitFor(
    async () => expect(await own.found(by(...longest), own.viewer)).toEqual(['p']),
    PATIENCE,
  )
  expect(await own.found(by('constructor/__proto__', 'odd'))).toEqual(['p'])
  expect(await own.found(by('erp/group', 'Größe 1'))).toEqual(['p'])
  expect(await own.found(by('erp/group', 'größe 1'))).toEqual([])
  expect(await own.found(by('erp/other', 'Größe 1'))).toEqual([])
  const child = await newOrganization(own.service, own.org.id)
  expect(await own.found(by('erp/group', 'Größe 1'), child.call)).toEqual([])
  await set('erp/group', null)
  await vi.waitFor(
    async () => expect(await own.found(by('erp/group', 'Größe 1'))).toEqual([]),
    PATIENCE,
  )
})
