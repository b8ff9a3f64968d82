/**
 * Fields whose values in the index begin with a tag of their scope. A prefix query reads every term
 * that begins with the prefix before any filter applies, so it reads only those of its own scope.
 */
export interface TaggedFields {
  readonly names: ReadonlySet<string>
  readonly tag: string
}

/** The clauses that compare a field with whole terms or their beginnings. */
const CLAUSES: ReadonlySet<string> = new Set(['term', 'terms', 'prefix', 'match_phrase'])

/** Puts the tag before what the clauses of a body compare tagged fields with. */
export const withTags = <T>(body: T, tagged: TaggedFields | undefined): T =>
  tagged ? (tagsIn(body, tagged, false) as T) : body

/** Copies only what changes, since most of a body does not. */
function tagsIn(value: unknown, tagged: TaggedFields, inClause: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return tagsInList(value, tagged)
  const parts = value as Readonly<Record<string, unknown>>
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(parts)) {
    const part = parts[key]
    const changed =
      inClause && tagged.names.has(key)
        ? withTag(part, key, tagged)
        : tagsIn(part, tagged, CLAUSES.has(key))
    if (changed === part) continue
    copy ??= { ...parts }
    copy[key] = changed
  }
  return copy ?? value
}

function tagsInList(list: readonly unknown[], tagged: TaggedFields): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let at = 0; at < list.length; at++) {
    const part = list[at]
    const changed = tagsIn(part, tagged, false)
    if (changed === part) continue
    copy ??= [...list]
    copy[at] = changed
  }
  return copy ?? list
}

function withTag(compared: unknown, field: string, { tag }: TaggedFields): string | string[] {
  if (typeof compared === 'string') return tag + compared
  if (Array.isArray(compared)) return compared.map((one) => tag + one)
  // A defect of Aisle: without the tag, the clause would match nothing.
  throw new Error(`${field} can only be compared with strings`)
}
