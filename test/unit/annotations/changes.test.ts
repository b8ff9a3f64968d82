import { describe, expect, test } from 'vitest'
import {
  addLinks,
  deleteNote,
  markFavorite,
  removeNote,
  replaceTags,
  replaceUserTags,
  setField,
  writeNote,
} from '../../../src/annotations/changes.ts'
import { type Annotations, noAnnotations } from '../../../src/products/product.ts'

const given = (fields: Partial<Annotations>): Annotations => ({ ...noAnnotations, ...fields })
const NAMES = ['constructor', '__proto__', 'toString', 'a.b', '', 'Smith, "Al"', "o'brien"]

describe('favorites', () => {
  test.each([
    [{ user: true }, given({ favoriteUsers: ['eve', 'ada'] })],
    [{ company: true }, given({ favorite: true, favoriteUsers: ['eve'] })],
    [{ company: true, user: true }, given({ favorite: true, favoriteUsers: ['eve', 'ada'] })],
    [{ user: false }, given({ favoriteUsers: ['eve'] })],
    [{}, given({ favoriteUsers: ['eve'] })],
  ])('of user ada set with %j', (change, after) => {
    expect(markFavorite('ada', change)(given({ favoriteUsers: ['eve'] }))).toEqual(after)
  })

  test('each user is added and removed separately', () => {
    const marked = given({ favoriteUsers: ['ada', 'eve'], favorite: true })
    expect(markFavorite('ada', { user: true })(marked)).toEqual(marked)
    expect(markFavorite('ada', { user: false })(marked).favoriteUsers).toEqual(['eve'])
    expect(markFavorite('ada', { company: false })(marked).favorite).toBe(false)
  })
})

describe('tags', () => {
  test('of the organization are replaced', () => {
    expect(replaceTags(['b', 'a'])(given({ tags: ['c'] })).tags).toEqual(['b', 'a'])
  })

  test('of a user are replaced, and removed if there are none', () => {
    const tagged = given({ userTags: { ada: ['x'], eve: ['y'] } })
    expect(replaceUserTags('ada', ['z'])(tagged).userTags).toEqual({ ada: ['z'], eve: ['y'] })
    expect(replaceUserTags('ada', [])(tagged).userTags).toEqual({ eve: ['y'] })
  })

  test.each(NAMES)('of a user called %j', (name) => {
    const tagged = replaceUserTags(name, ['x'])(given({ userTags: { eve: ['y'] } }))
    const stored = JSON.parse(JSON.stringify(tagged.userTags))
    expect(Object.entries(stored)).toEqual([
      ['eve', ['y']],
      [name, ['x']],
    ])
    expect(replaceUserTags(name, [])(tagged).userTags).toEqual({ eve: ['y'] })
  })
})

describe('notes', () => {
  const created = '2026-01-01T00:00:00.000Z'
  const now = new Date('2026-02-02T00:00:00Z')
  const note = (username: string, text: string, updated = created) => ({
    username,
    text,
    created,
    updated,
  })
  const noted = given({ notes: [note('ada', 'one'), note('eve', 'two')] })

  test('a new one is added at the end', () => {
    const at = now.toISOString()
    expect(writeNote('bob', ' three\n', now)(noted).notes).toEqual([
      ...noted.notes,
      { username: 'bob', text: ' three\n', created: at, updated: at },
    ])
  })

  test('a changed one keeps its position and creation time', () => {
    expect(writeNote('ada', 'new', now)(noted).notes).toEqual([
      note('ada', 'new', now.toISOString()),
      note('eve', 'two'),
    ])
  })

  test('the same text changes nothing', () => {
    expect(writeNote('ada', 'one', now)(noted)).toBe(noted)
  })

  test('removal deletes the user’s own, deletion fails if there is none', () => {
    expect(removeNote('ada')(noted).notes).toEqual([note('eve', 'two')])
    expect(removeNote('bob')(noted)).toEqual(noted)
    expect(deleteNote('ada')(noted).notes).toEqual([note('eve', 'two')])
    expect(() => deleteNote('bob')(noted)).toThrow('Note not found.')
  })

  test.each(NAMES)('of a user called %j are supported', (name) => {
    const written = writeNote(name, 'x', now)(noted)
    expect(written.notes.at(-1)).toMatchObject({ username: name, text: 'x' })
    expect(removeNote(name)(written)).toEqual(noted)
  })
})

describe('extension fields', () => {
  const fields = [
    { extensionId: 'erp', key: 'group', value: 'G1' },
    { extensionId: 'crm', key: 'group', value: 'C1' },
  ]
  const set = given({ extensionFields: fields })

  test('are set by extension and key, keeping their position', () => {
    expect(setField('erp', 'group', 'G2')(set).extensionFields).toEqual([
      { extensionId: 'erp', key: 'group', value: 'G2' },
      fields[1],
    ])
    expect(setField('erp', 'class', '7')(set).extensionFields).toEqual([
      ...fields,
      { extensionId: 'erp', key: 'class', value: '7' },
    ])
  })

  test('null removes one, or nothing', () => {
    expect(setField('crm', 'group', null)(set).extensionFields).toEqual([fields[0]])
    expect(setField('crm', 'other', null)(set)).toEqual(set)
  })
})

describe('links', () => {
  const link = { type: 'erp', value: '1', recommended: false }

  test('are added only once', () => {
    const linked = addLinks([link])(noAnnotations)
    expect(linked.links).toEqual([link])
    expect(addLinks([{ ...link, recommended: true }])(linked)).toBe(linked)
    expect(addLinks([{ ...link, value: '2' }])(linked).links).toHaveLength(2)
  })
})
