import { beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type addLinks,
  replaceUserTags,
  setField,
  writeNote,
} from '../../src/annotations/changes.ts'
import { changeAnnotations, readAnnotations } from '../../src/annotations/store.ts'
import type { Context } from '../../src/operation.ts'
import { type AnnotationBench, annotationBench, newUser, PATIENCE } from '../support/annotations.ts'
import { expectOk } from '../support/client.ts'

let bench: AnnotationBench
beforeAll(async () => {
  bench = await annotationBench()
})

test.each(["o'brien", 'constructor', 'toString', 'a.b.c', 'a..b', 'a.', '0', 'Ünï-çødé@x'])(
  'a user called %s has notes, favorites and tags like any other',
  async (username) => {
    const path = await bench.create(`of ${username}`)
    const user = await newUser(bench, username)
    const before = (await expectOk(user(`GET ${path}`))).body
    expect([before.userTags, before.favorite.user]).toEqual([[], false])
    await expectOk(user(`PUT ${path}/notes`, { body: { text: 'hello' } }))
    await expectOk(user(`PUT ${path}/favorites/user`))
    await expectOk(user(`PUT ${path}/userTags`, { body: [`t ${username}`] }))
    const notes = [{ username, text: 'hello' }]
    const own = { notes, favorite: { company: false, user: true }, userTags: [`t ${username}`] }
    expect((await expectOk(user(`GET ${path}`))).body).toMatchObject(own)
    expect((await expectOk(bench.viewer(`GET ${path}`))).body).toMatchObject({
      notes,
      favorite: { company: false, user: false },
      userTags: [],
    })
    const must = [
      { type: 'tag', value: `t ${username}` },
      { type: 'favorite', value: 'user' },
    ]
    await vi.waitFor(
      async () => expect(await bench.found({ must }, user)).toEqual([`of ${username}`]),
      PATIENCE,
    )
    expect(await bench.found({ must })).toEqual([])
  },
)

describe('usernames that may come from another user directory', () => {
  const NAMES = ['__proto__', '', ' ', '.', '..', '.a', 'Smith, "Al"', '\\', '*', '{}', '\u0000']

  test.each(NAMES)('%j is stored and returned unchanged', async (username) => {
    const id = `name ${NAMES.indexOf(username)}`
    await bench.create(id)
    const { services } = bench.service
    const ctx = {
      ...services,
      signal: AbortSignal.timeout(30_000),
      caller: { username },
      organization: { id: bench.org.id, parent: null, defaultCatalog: 'c' },
    } as unknown as Context
    const change = (annotations: Parameters<ReturnType<typeof addLinks>>[0]) =>
      [
        replaceUserTags(username, ['t']),
        writeNote(username, 'x', new Date()),
        setField('erp', username, 'v'),
      ].reduce((current, step) => step(current), annotations)
    await changeAnnotations(ctx, { id }, change)
    const { annotations } = await readAnnotations(ctx, { id })
    expect(Object.entries(annotations.userTags)).toEqual([[username, ['t']]])
    expect(annotations.notes).toMatchObject([{ username, text: 'x' }])
    expect(annotations.extensionFields).toEqual([{ extensionId: 'erp', key: username, value: 'v' }])
  })
})
