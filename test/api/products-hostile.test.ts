import { beforeAll, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { startService } from '../support/service.ts'

let call: Call

beforeAll(async () => {
  const service = await startService()
  call = (await newOrganization(service)).call
  await expectOk(call('POST /api/Catalog', { body: { name: 'c' } }))
  await expectOk(create({ id: 'target', name: 'Target' }))
})

const PRODUCTS = '/api/Catalog/c/products'
const at = (id: string) => `${PRODUCTS}/${encodeURIComponent(id)}`
const create = (body: unknown) => call(`POST ${PRODUCTS}`, { body })
const put = (body: unknown) => call(`PUT ${at('target')}`, { body })

describe('ids', () => {
  test.each([
    'a/b',
    '/',
    '//',
    'a%2Fb',
    '100%',
    '%00',
    'a.b',
    '...',
    '.hidden',
    'a..b',
    'retrieveProducts',
    'products',
    'logs',
    'a b',
    ' ',
    '?q=1&r=2#s',
    'a+b',
    '*',
    '_source',
    'constructor',
    '"quoted"',
    'naïve 目录 👩‍👩‍👧',
    '\u202eabc',
    'x'.repeat(256),
    '👩'.repeat(128),
  ])('%j can be created, read, changed, retrieved and deleted', async (id) => {
    await expectOk(create({ id, name: 'One' }))
    expect((await create({ id })).status).toBe(409)
    await expectOk(call(`PUT ${at(id)}`, { body: { name: 'Two' } }))
    expect((await call(`GET ${at(id)}`)).body).toMatchObject({ id, name: 'Two', version: '2' })
    const under10 = await call(`GET /api/Catalog/c/${encodeURIComponent(id)}`, { version: '1.0' })
    expect(under10.body).toMatchObject({ id, name: 'Two' })
    const { body } = await call('POST /api/Catalog/c/retrieveProducts', { body: { ids: [id] } })
    expect(body).toMatchObject([{ id }])
    expect((await call(`GET ${at(id)}/logs`)).body.items).toHaveLength(2)
    await expectOk(call(`DELETE ${at(id)}`))
    expect((await call(`GET ${at(id)}`)).status).toBe(404)
  })

  test.each([
    ['257 characters', 'x'.repeat(257)],
    ['a dot', '.'],
    ['two dots', '..'],
    ['a NUL', 'a\u0000b'],
    ['a separator of ours', 'a\u001fb'],
    ['half a surrogate pair', '\ud800'],
    ['a number', 17],
    ['a list', ['a']],
  ])('%s returns 400', async (_what, id) => {
    const answer = await create({ id })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(/\bid\b/)
  })

  test('257 characters in a path return 400 too', async () => {
    expect((await call(`GET ${at('x'.repeat(257))}`)).status).toBe(400)
  })
})

describe('names', () => {
  test('__proto__ is refused; constructor and the like are names', async () => {
    for (const field of ['attributes', 'filters', 'facets']) {
      const answer = await put(`{"${field}": {"__proto__": 1}}`)
      expect([answer.status, answer.body.message]).toEqual([
        400,
        `body.${field}: __proto__ is not allowed as a name`,
      ])
    }
    const names = ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', '0', 'a.b']
    const attributes = Object.fromEntries(names.map((name) => [name, `is ${name}`]))
    const filters = Object.fromEntries(names.map((name, index) => [name, index]))
    await expectOk(create({ id: 'names', attributes, filters, facets: attributes }))
    const got = (await call(`GET ${at('names')}`)).body
    expect(got).toMatchObject({ attributes, filters, facets: attributes })
    const { constructor: gone, ...rest } = attributes
    await expectOk(call(`PUT ${at('names')}`, { body: { attributes: rest } }))
    const after = (await call(`GET ${at('names')}`)).body.attributes
    expect(Object.hasOwn(after, 'constructor')).toBe(false)
    const { items } = (await call(`GET ${at('names')}/logs`)).body
    expect(items[0].changes).toEqual([
      { field: 'attributes', before: { constructor: gone }, after: {} },
    ])
  })

  test('are limited to 1,000', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`name ${n}`, `value ${n}`]))
    await expectOk(create({ id: 'full', attributes: many(1_000), facets: many(1_000) }))
    expect(Object.keys((await call(`GET ${at('full')}`)).body.attributes)).toHaveLength(1_000)
    for (const field of ['attributes', 'facets']) {
      const answer = await put({ [field]: many(1_001) })
      expect([answer.status, answer.body.message]).toEqual([400, `${field}: more than 1000 names`])
    }
  })
})

describe('refused bodies that change nothing', () => {
  const text = (length: number) => 'x'.repeat(length)
  test.each<[string, unknown, RegExp]>([
    ['a huge number', '{"msrp": 1e309}', /^msrp: expected number/],
    ['a huge filter', '{"filters": {"w": -1e400}}', /^filters\.w: expected number/],
    ['NaN', '{"msrp": NaN}', /^body: not valid JSON/],
    ['a number as text', { msrp: '1' }, /^msrp: expected number/],
    ['a negative price', { msrp: -0.01 }, /^msrp: /],
    ['a negative cost', { vendors: [{ vendorName: 'a', cost: -1 }] }, /^vendors\[0\]\.cost: /],
    ['text as a list', { vendors: 'Acme' }, /^vendors: expected array/],
    ['a list as an object', { attributes: ['a'] }, /^attributes: expected record/],
    ['a nested attribute', { attributes: { a: { b: 'c' } } }, /^attributes\.a: expected string/],
    ['a number as attribute', { attributes: { a: 1 } }, /^attributes\.a: expected string/],
    ['an empty attribute name', { attributes: { ' ': 'x' } }, /^attributes: a name is empty/],
    ['__proto__ between spaces', '{"facets": {" __proto__ ": "x"}}', /^facets: __proto__/],
    ['a name twice', { facets: { a: '1', ' a': '2' } }, /^facets: a is named twice/],
    ['a long name', { attributes: { [text(201)]: 'x' } }, /^attributes: .*200 characters/],
    ['a long value', { attributes: { a: text(2_001) } }, /^attributes\.a: .*2000/],
    ['a long product name', { name: text(501) }, /^name: /],
    ['a long manufacturer', { manufacturer: text(201) }, /^manufacturer: /],
    ['a vendor without a name', { vendors: [{ cost: 1 }] }, /^vendors\[0\]\.vendorName: /],
    ['an empty vendor name', { vendors: [{ vendorName: ' ' }] }, /^vendors\[0\]\.vendorName: /],
    [
      'a vendor twice',
      { vendors: [{ vendorName: 'a' }, { vendorName: 'a ' }] },
      /^vendors\[1\]\.vendorName: a is listed twice/,
    ],
    [
      '501 offers',
      { vendors: Array.from({ length: 501 }, (_, n) => ({ vendorName: `${n}` })) },
      /^vendors: /,
    ],
    ['a NUL', { name: 'a\u0000b' }, /^body\.name: control characters/],
    ['a separator of ours', { facets: { a: 'b\u001fc' } }, /^body\.facets\.a: control characters/],
    ['half a surrogate pair', { description: 'a\udc00' }, /^body\.description: .*surrogate/],
    ['half a pair in a name', { attributes: { '\ud83d': 'x' } }, /surrogate/],
    ['an image without url', { images: [{ name: 'x' }] }, /^images\[0\]\.url: /],
    ['a link without value', { links: [{ type: 'x' }] }, /^links\[0\]\.value: /],
    ['a list as body', [], /^body: expected object/],
    ['null as body', 'null', /^body: expected object/],
    ['no JSON', '{"name": ', /^body: not valid JSON/],
  ])('%s', async (_what, body, message) => {
    const answer = await put(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ success: false, id: null })
    expect(answer.body.message).toMatch(message)
    expect(answer.body.message.length).toBeLessThan(500)
    const { body: product } = await call(`GET ${at('target')}`)
    expect(product).toMatchObject({ name: 'Target', version: '1' })
  })

  test('a product above 1 MiB', async () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 600 }, (_, n) => [`name ${n}`, 'x'.repeat(1_900)]),
    )
    const answer = await put({ attributes })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('1048576')
  })

  test('one just below 1 MiB is stored, changed and found by id', async () => {
    const large = (letter: string) =>
      Object.fromEntries(Array.from({ length: 520 }, (_, n) => [`n${n}`, letter.repeat(1_990)]))
    await expectOk(create({ id: 'large', attributes: large('x') }))
    for (const letter of ['y', 'z']) {
      await expectOk(call(`PUT ${at('large')}`, { body: { attributes: large(letter) } }))
    }
    const { body } = await call(`GET ${at('large')}`)
    expect(body).toMatchObject({ version: '3', attributes: large('z') })
    expect((await call(`GET ${at('large')}/logs`)).body.items).toHaveLength(3)
  })

  test('a body above 2 MiB', async () => {
    expect((await put({ description: 'x'.repeat(2 * 1024 * 1024) })).status).toBe(413)
  })
})

describe('unusual but valid text', () => {
  test.each([
    'tab\tand\nlines\r\n.',
    '\u202eright to left\u202c',
    '👩‍👩‍👧 🇨🇭',
    '\ufeffmark',
    '\ufdfa'.repeat(200),
    '<script>alert(1)</script>',
    '{{7*7}} %s %n',
    "' OR 1=1 --",
  ])('%j is returned as it was sent', async (text) => {
    const id = crypto.randomUUID()
    const value = text.trim()
    await expectOk(
      create({
        id,
        name: text,
        description: text,
        attributes: { [value]: text },
        facets: { f: text },
        vendors: [{ vendorName: text, name: text }],
      }),
    )
    expect((await call(`GET ${at(id)}`)).body).toMatchObject({
      name: value,
      description: value,
      attributes: { [value]: text },
      facets: { f: text },
      vendors: [{ vendorName: value, name: value }],
    })
  })
})
