import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type AnnotationBench, annotationBench, PATIENCE } from '../support/annotations.ts'
import { type Call, caller, expectOk, newOrganization } from '../support/client.ts'

let bench: AnnotationBench
let editor: Call
let viewer: Call
beforeAll(async () => {
  bench = await annotationBench()
  editor = bench.editor
  viewer = bench.viewer
})

const put = (call: Call, path: string, list: 'tags' | 'userTags', body: unknown) =>
  call(`PUT ${path}/${list}`, { body })
const product = async (call: Call, path: string) => (await expectOk(call(`GET ${path}`))).body

describe.each(['tags', 'userTags'] as const)('%s', (list) => {
  const named = (word: string) => bench.create(`${list} ${word}`)

  test('are a set in the order of the body, which replaces them; returns true', async () => {
    const path = await named('ordered')
    const answer = await put(editor, path, list, [' b', 'a', 'b ', '', '  ', 'C', 'c', 'a'])
    expect([answer.status, answer.body]).toEqual([200, true])
    expect((await product(editor, path))[list]).toEqual(['b', 'a', 'C', 'c'])
    expect((await put(editor, path, list, ['z'])).body).toBe(true)
    expect((await product(editor, path))[list]).toEqual(['z'])
    expect((await put(editor, path, list, [])).body).toBe(true)
    expect(await product(editor, path)).toMatchObject({ [list]: [], version: '1' })
  })

  test('are limited to 100 of 100 characters', async () => {
    const path = await named('bounded')
    const most = Array.from({ length: 100 }, (_, n) => String(n).padStart(100, 'x'))
    await expectOk(put(editor, path, list, [...most, most[0]]))
    for (const [body, message] of [
      [[...most, 'one more'], 'body: more than 100 tags'],
      [['x'.repeat(101)], /^body\[0\]: /],
      ['tag', /^body: /],
      [{ tags: ['x'] }, /^body: /],
      [[1], /^body\[0\]: /],
      [[null], /^body\[0\]: /],
      ['null', /^body: /],
      [['a\u001fb'], /^body\[0\]: control characters/],
    ] as const) {
      const sent = body === 'tag' ? '"tag"' : body
      const answer = await put(editor, path, list, sent)
      expect([answer.status, answer.body.message]).toEqual([
        400,
        typeof message === 'string' ? message : expect.stringMatching(message),
      ])
    }
    expect((await product(editor, path))[list]).toEqual(most)
  })

  test('cannot be set in the body of a product', async () => {
    const path = await named('not in bodies')
    await expectOk(put(editor, path, list, ['mine']))
    await expectOk(editor(`PUT ${path}`, { body: { [list]: ['other'], name: 'new' } }))
    expect((await product(editor, path))[list]).toEqual(['mine'])
  })

  test('return 404 if the product is missing or foreign', async () => {
    const path = await named('foreign')
    const stranger = (await newOrganization(bench.service)).call
    const answers = [
      [await put(editor, '/api/Catalog/c/products/nothing', list, []), 'Product not found.'],
      [await put(editor, '/api/Catalog/nowhere/products/p', list, []), 'Catalog not found.'],
      [await put(stranger, path, list, []), 'Catalog not found.'],
    ] as const
    for (const [{ status, body }, message] of answers) {
      expect([status, body.message]).toEqual([404, message])
    }
  })
})

test('a viewer can set user tags, but not the organization’s', async () => {
  const path = await bench.create('roles')
  expect((await put(viewer, path, 'tags', ['x'])).status).toBe(403)
  await expectOk(put(viewer, path, 'userTags', ['x']))
  expect(await product(viewer, path)).toMatchObject({ tags: [], userTags: ['x'] })
  expect(await product(editor, path)).toMatchObject({ tags: [], userTags: [] })
})

test('tags are searchable at once: the organization’s by all, a user’s by that user', async () => {
  const own = await annotationBench()
  const path = await own.create('p')
  await own.create('q')
  const must = (value: string) => ({ must: [{ type: 'tag', value }] })
  await expectOk(put(own.editor, path, 'tags', ['Site 7']))
  await expectOk(put(own.viewer, path, 'userTags', ['für Montag']))
  await vi.waitFor(async () => {
    expect(await own.found(must('Site 7'), own.viewer)).toEqual(['p'])
    expect(await own.found(must('für Montag'), own.viewer)).toEqual(['p'])
  }, PATIENCE)
  expect(await own.found(must('für Montag'), own.editor)).toEqual([])
  expect(await own.found(must('site 7'))).toEqual([])
  expect(await own.found({ exclude: must('Site 7').must })).toEqual(['q'])
  const child = await newOrganization(own.service, own.org.id)
  expect(await own.found(must('Site 7'), child.call)).toEqual([])

  await expectOk(put(own.editor, path, 'tags', []))
  await vi.waitFor(async () => expect(await own.found(must('Site 7'))).toEqual([]), PATIENCE)
})

test('a search key sees no tags', async () => {
  const path = await bench.create('for web pages')
  await expectOk(put(editor, path, 'tags', ['internal']))
  const call = caller(bench.service, { key: await bench.org.key('editor', 'search') })
  expect(await product(call, path)).toMatchObject({ tags: [], userTags: [] })
  expect((await put(call, path, 'tags', [])).status).toBe(403)
})

test('the annotations of an organization fit into a product up to a limit', async () => {
  const path = await bench.create('full')
  const tags = Array.from({ length: 100 }, (_, n) => String(n).padStart(100, '界'))
  await expectOk(put(editor, path, 'tags', tags))
  await expectOk(put(editor, path, 'userTags', tags))
  const refused = await put(viewer, path, 'userTags', tags)
  expect(refused.status).toBe(400)
  expect(refused.body.message).toMatch(
    /^The organization's favorites, tags, notes, .* would take up \d+ bytes\. The limit is 65536\.$/,
  )
  expect(await product(viewer, path)).toMatchObject({ tags, userTags: [] })
  const child = await newOrganization(bench.service, bench.org.id)
  await expectOk(put(await child.as('viewer'), path, 'userTags', tags))
  await expectOk(put(editor, path, 'tags', []))
  await expectOk(put(viewer, path, 'userTags', tags))
})
