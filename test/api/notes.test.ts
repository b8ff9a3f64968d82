import { beforeAll, describe, expect, test } from 'vitest'
import { type AnnotationBench, annotationBench } from '../support/annotations.ts'
import { type Call, caller, expectOk, newOrganization, OPERATOR_KEY } from '../support/client.ts'
import { startService } from '../support/service.ts'

let bench: AnnotationBench
let editor: Call
let viewer: Call
beforeAll(async () => {
  bench = await annotationBench()
  editor = bench.editor
  viewer = bench.viewer
})

const write = (call: Call, path: string, text: unknown) =>
  expectOk(call(`PUT ${path}/notes`, { body: { text } }))
const notesOf = async (call: Call, path: string) =>
  (await expectOk(call(`GET ${path}/notes`))).body.notes

describe('under 6.0', () => {
  test('everybody sees the organization’s notes, and each user writes one', async () => {
    const path = await bench.create('noted')
    expect(await notesOf(viewer, path)).toEqual([])
    await write(viewer, path, 'First')
    await write(editor, path, 'Second')
    await write(viewer, path, 'First again')
    const notes = await notesOf(editor, path)
    expect(notes).toEqual([
      {
        username: 'viewer',
        text: 'First again',
        created: notes[0].created,
        updated: expect.any(String),
      },
      { username: 'editor', text: 'Second', created: notes[1].created, updated: notes[1].created },
    ])
    expect(notes[0].updated > notes[0].created).toBe(true)
    const { body } = await expectOk(viewer(`GET ${path}`))
    expect(body.notes).toEqual([
      { username: 'viewer', text: 'First again' },
      { username: 'editor', text: 'Second' },
    ])
    expect(body.version).toBe('1')
  })

  test.each([
    ['empty', ''],
    ['null', null],
  ])('%s removes the user’s own note', async (word, text) => {
    const path = await bench.create(`emptied by ${word}`)
    await write(viewer, path, 'mine')
    await write(editor, path, 'yours')
    expect((await write(viewer, path, text)).body.message).toBe('Note removed.')
    expect(await notesOf(viewer, path)).toMatchObject([{ username: 'editor' }])
    await write(viewer, path, text)
  })

  test('writing the same text again changes nothing', async () => {
    const path = await bench.create('same note')
    await write(viewer, path, 'x')
    const before = await notesOf(viewer, path)
    await write(viewer, path, 'x')
    expect(await notesOf(viewer, path)).toEqual(before)
  })
})

describe('under 1.0', () => {
  const at = (id: string) => `/api/Catalog/c/${id}/notes`
  const version = '1.0'

  test('a note is the user’s own; user, product and catalog in the body are ignored', async () => {
    const path = await bench.create('n10')
    await write(editor, path, 'not yours')
    const line = `GET ${at('n10')}`
    const empty = { text: '', username: 'viewer', productId: 'n10', catalog: 'c' }
    expect((await expectOk(viewer(line, { version }))).body).toEqual(empty)
    const body = { text: 'mine', username: 'editor', productId: 'other', catalog: 'nowhere' }
    await expectOk(viewer(`PUT ${at('n10')}`, { version, body }))
    expect((await expectOk(viewer(line, { version }))).body).toEqual({ ...empty, text: 'mine' })
    expect(await notesOf(viewer, path)).toMatchObject([
      { username: 'editor', text: 'not yours' },
      { username: 'viewer', text: 'mine' },
    ])
    const got = (await expectOk(viewer(line, { version }))).body
    await expectOk(viewer(`PUT ${at('n10')}`, { version, body: { ...got, text: '' } }))
    expect((await expectOk(viewer(line, { version }))).body).toEqual(empty)
  })
})

describe.each(['1.0', '6.0'])('Delete Note under %s', (version) => {
  test('removes only the user’s own note; returns 404 if there is none', async () => {
    const path = await bench.create(`deleted ${version}`)
    const remove = () => viewer(`DELETE ${path}/notes`, { version })
    const none = { success: false, message: 'Note not found.', id: null, taskId: null }
    await write(editor, path, 'stays')
    expect(await remove()).toMatchObject({ status: 404, body: none })
    await write(viewer, path, 'goes')
    await expectOk(remove())
    expect(await remove()).toMatchObject({ status: 404, body: none })
    expect(await notesOf(viewer, path)).toMatchObject([{ username: 'editor', text: 'stays' }])
  })
})

describe('a text is returned unchanged', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '  spaces, \ttabs\r\nand lines\n',
    '"quotes" \'and\' \\backslashes\\ {{a}} template',
    '=1+1;@cmd|-3',
    '{"json": null}',
    '\u202eright to left\u2028 🇨🇭 e\u0301',
    ' ',
    'x'.repeat(2_000),
  ])('%j', async (text) => {
    const path = await bench.create(`text ${crypto.randomUUID()}`)
    await write(viewer, path, text)
    expect((await notesOf(viewer, path))[0].text).toBe(text)
    const { body, headers } = await expectOk(viewer(`GET ${path}`))
    expect(body.notes[0].text).toBe(text)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
    const old = await viewer(`GET ${path.replace('/products', '')}/notes`, { version: '1.0' })
    expect(old.body.text).toBe(text)
  })

  test.each([
    ['x'.repeat(2_001), /^text: /],
    [7, /^text: /],
    [['x'], /^text: /],
    [undefined, /^text: /],
    ['\u0000', /^body\.text: control characters/],
    ['\ud800', /^body\.text: unpaired surrogates/],
  ])('%j is refused', async (text, message) => {
    const path = await bench.create(`bad ${crypto.randomUUID()}`)
    for (const [line, version] of [
      [`PUT ${path}/notes`, '6.0'],
      [`PUT ${path.replace('/products', '')}/notes`, '1.0'],
    ] as const) {
      const answer = await viewer(line, { version, body: { text } })
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
    }
    expect(await notesOf(viewer, path)).toEqual([])
  })
})

test('an organization called constructor has annotations of its own', async () => {
  const operator = caller(bench.service, { key: OPERATOR_KEY })
  const body = { id: 'constructor', name: 'constructor', parent: bench.org.id }
  await expectOk(operator('POST /api/organizations', { body }))
  const child: Call = (line, parts) => operator(line, { ...parts, organization: 'constructor' })
  const path = await bench.create('of children')
  expect(await notesOf(child, path)).toEqual([])
  await write(viewer, path, 'of the parent')
  await write(child, path, 'of the child')
  expect(await notesOf(viewer, path)).toMatchObject([{ text: 'of the parent' }])
  expect(await notesOf(child, path)).toMatchObject([{ text: 'of the child' }])
})

test('missing and foreign products return the same 404', async () => {
  const path = await bench.create('foreign note')
  await write(viewer, path, 'secret')
  const stranger = (await newOrganization(bench.service)).call
  const nothing = '/api/Catalog/c/products/nothing'
  const nowhere = '/api/Catalog/nowhere/products/p'
  for (const [call, place, message] of [
    [viewer, nothing, 'Product not found.'],
    [viewer, nowhere, 'Catalog not found.'],
    [stranger, path, 'Catalog not found.'],
  ] as const) {
    for (const line of [`GET ${place}/notes`, `PUT ${place}/notes`, `DELETE ${place}/notes`]) {
      const body = line.startsWith('PUT') ? { text: 'x' } : undefined
      const answer = await call(line, { body })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ success: false, message, id: null, taskId: null })
    }
  }
  expect(await notesOf(viewer, path)).toHaveLength(1)
})

test('a note written on one instance is visible on another at once', async () => {
  const path = await bench.create('two instances')
  const other = caller(await startService(), {
    key: await bench.org.key('viewer'),
    organization: bench.org.id,
  })
  await write(other, path, 'from there')
  expect(await notesOf(viewer, path)).toMatchObject([{ text: 'from there' }])
})

test('a search key cannot read notes, and sees none on products', async () => {
  const path = await bench.create('for web pages')
  await write(viewer, path, 'internal')
  const call = caller(bench.service, { key: await bench.org.key('viewer', 'search') })
  expect((await call(`GET ${path}/notes`)).status).toBe(403)
  expect((await expectOk(call(`GET ${path}`))).body.notes).toEqual([])
})

describe('ids that equal segments of the path', () => {
  const IDS = ['products', 'notes', 'retrieveProducts', 'extensionFields', 'a/b', '%2F', 'c']

  test.each(IDS)('%s', async (id) => {
    const path = await bench.create(id)
    await write(viewer, path, `note of ${id}`)
    const old = `/api/Catalog/c/${encodeURIComponent(id)}/notes`
    const { body } = await expectOk(viewer(`GET ${old}`, { version: '1.0' }))
    expect(body).toMatchObject({ text: `note of ${id}`, productId: id })
    await expectOk(viewer(`PUT ${old}`, { version: '1.0', body: { text: `new of ${id}` } }))
    expect(await notesOf(viewer, path)).toMatchObject([{ text: `new of ${id}` }])
    await expectOk(viewer(`DELETE ${path}/notes`, { version: '1.0' }))
    expect(await notesOf(viewer, path)).toEqual([])
  })
})
