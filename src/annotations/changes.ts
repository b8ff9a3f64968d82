import { NotFound } from '../errors.ts'
import type { ExtensionField, Note, ProductLink } from '../products/product.ts'
import type { AnnotationChange } from './annotate.ts'
import type { Favorite } from './schemas.ts'

/** Sets the mark of the organization, of `username`, or both. */
export const markFavorite =
  (username: string, { company, user }: Favorite): AnnotationChange =>
  (annotations) => ({
    ...annotations,
    favorite: company ?? annotations.favorite,
    favoriteUsers: usersAfter(annotations.favoriteUsers, username, user),
  })

function usersAfter(users: readonly string[], username: string, marks: Favorite['user']) {
  if (typeof marks !== 'boolean' || users.includes(username) === marks) return users
  return marks ? [...users, username] : users.filter((user) => user !== username)
}

/** Replaces the organization's tags. */
export const replaceTags =
  (tags: readonly string[]): AnnotationChange =>
  (annotations) => ({ ...annotations, tags })

/** Replaces one user's tags. Built from entries, since a user may be called `constructor`. */
export const replaceUserTags =
  (username: string, tags: readonly string[]): AnnotationChange =>
  (annotations) => {
    const others = Object.entries(annotations.userTags).filter(([user]) => user !== username)
    const all = tags.length === 0 ? others : [...others, [username, tags] as const]
    return { ...annotations, userTags: Object.fromEntries(all) }
  }

/** Sets one user's note; the same text again changes nothing. */
export const writeNote =
  (username: string, text: string, now: Date): AnnotationChange =>
  (annotations) => {
    const { notes } = annotations
    const at = notes.findIndex((note) => note.username === username)
    const known = notes[at]
    if (known?.text === text) return annotations
    const updated = now.toISOString()
    const note: Note = { username, text, created: known?.created ?? updated, updated }
    return { ...annotations, notes: known ? notes.with(at, note) : [...notes, note] }
  }

/** Removes that user's note, if there is one. */
export const removeNote =
  (username: string): AnnotationChange =>
  (annotations) => ({
    ...annotations,
    notes: annotations.notes.filter((note) => note.username !== username),
  })

/** Like removeNote, but throws NotFound when there is none. */
export const deleteNote =
  (username: string): AnnotationChange =>
  (annotations) => {
    if (!annotations.notes.some((note) => note.username === username)) throw new NotFound('Note')
    return removeNote(username)(annotations)
  }

/** Sets a field of an extension; null removes it. */
export const setField =
  (extensionId: string, key: string, value: string | null): AnnotationChange =>
  (annotations) => {
    const { extensionFields: fields } = annotations
    const at = fields.findIndex((field) => field.extensionId === extensionId && field.key === key)
    return { ...annotations, extensionFields: fieldsWith(fields, at, { extensionId, key, value }) }
  }

function fieldsWith(
  fields: readonly ExtensionField[],
  at: number,
  { value, ...name }: Omit<ExtensionField, 'value'> & { value: string | null },
): readonly ExtensionField[] {
  if (value === null) return fields.filter((_, index) => index !== at)
  const field = { ...name, value }
  return at === -1 ? [...fields, field] : fields.with(at, field)
}

const linkKey = ({ type, value }: ProductLink): string => JSON.stringify([type, value])

/** Adds links, without those whose type and value exist. */
export const addLinks =
  (added: readonly ProductLink[]): AnnotationChange =>
  (annotations) => {
    const { links } = annotations
    const known = new Set(links.map(linkKey))
    const more = new Map(added.map((link) => [linkKey(link), link]))
    for (const key of known) more.delete(key)
    return more.size === 0 ? annotations : { ...annotations, links: [...links, ...more.values()] }
  }
