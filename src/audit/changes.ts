import { isDeepStrictEqual } from 'node:util'
import { limits } from '../limits.ts'
import type { Steps } from '../platform/steps.ts'
import { cut } from '../text.ts'

/** A field that was changed. Values are present only if they are recorded; null: there is none. */
interface AuditedChange {
  readonly field: string
  readonly from?: string | null
  readonly to?: string | null
}

export interface Changes {
  readonly changes: readonly AuditedChange[]
  /** Fields beyond `limits.auditFields`. */
  readonly more: number
}

/**
 * The differences between two states of a target, either of which may be absent: by field, and in
 * lists of named elements by name. Values are recorded only for `told` fields and fields in them.
 */
export function* changesBetween(
  before: object | undefined,
  after: object | undefined,
  told: readonly string[],
): Steps<Changes> {
  const changes: AuditedChange[] = []
  let more = 0
  const isTold = ({ top }: Path) => top !== undefined && told.includes(top)
  const add = (path: Path, { before: from, after: to }: States) => {
    if (changes.length === limits.auditFields) {
      more++
      return
    }
    const field = cut(path.text.toWellFormed(), limits.auditNameLength)
    changes.push(isTold(path) ? { field, from: textOf(from), to: textOf(to) } : { field })
  }
  yield* compare(ROOT, { before, after }, { isTold, add })
  return { changes, more }
}

/** The path of a value: `text` for people, `top` the field of the target that contains it. */
interface Path {
  readonly text: string
  readonly top: string | undefined
  /** Whether it is a named element of a list. */
  readonly isElement?: boolean
}

const ROOT: Path = { text: '', top: undefined }

const fieldOf = ({ text, top }: Path, name: string): Path => ({
  text: text === '' ? name : `${text}.${name}`,
  top: top ?? name,
})
const elementOf = ({ text, top }: Path, name: string): Path => ({
  text: `${text}[${name}]`,
  top,
  isElement: true,
})

interface States {
  readonly before: unknown
  readonly after: unknown
}

interface Report {
  readonly isTold: (path: Path) => boolean
  readonly add: (path: Path, states: States) => void
}

function* compare(path: Path, states: States, report: Report): Steps<void> {
  const { before, after } = states
  if (isNothing(before) && isNothing(after)) return
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  // An added or removed value is one change. If its value is not recorded, the names inside are.
  const isWhole = (isNothing(before) || isNothing(after)) && (path.isElement || report.isTold(path))
  if (was && is && !isWhole) {
    for (const name of new Set([...was.keys(), ...is.keys()])) {
      const inside = { before: was.get(name), after: is.get(name) }
      yield* compare(fieldOf(path, name), inside, report)
    }
    return
  }
  const [had, has] = [namedIn(before), namedIn(after)]
  if (!had || !has) {
    if (!isDeepStrictEqual(before, after)) report.add(path, states)
    return
  }
  for (const name of new Set([...had.keys(), ...has.keys()])) {
    const inside = { before: had.get(name), after: has.get(name) }
    yield
    if (isDeepStrictEqual(inside.before, inside.after)) continue
    yield* compare(elementOf(path, name), inside, report)
  }
  const kept = (names: Iterable<string>) => [...names].filter((one) => had.has(one) && has.has(one))
  if (!isDeepStrictEqual(kept(had.keys()), kept(has.keys()))) {
    report.add({ ...path, text: `${path.text} (order)` }, { before: null, after: null })
  }
}

/** Absent, null and empty all count as nothing. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** The fields of an object: empty for nothing, undefined for other values. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isNothing(value)) return new Map()
  const isPlain = typeof value === 'object' && !Array.isArray(value)
  return isPlain ? new Map(Object.entries(value as object)) : undefined
}

/** The elements of a list by name: empty for nothing, undefined if they have no names. */
function namedIn(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isNothing(value)) return new Map()
  if (!Array.isArray(value)) return undefined
  const names = value.map((one: { name?: unknown; username?: unknown } | null) =>
    String(one?.name ?? one?.username ?? ''),
  )
  const isNamed = names.every((name) => name !== '') && new Set(names).size === names.length
  return isNamed ? new Map(value.map((one, at) => [names[at]!, one])) : undefined
}

function textOf(value: unknown): string | null {
  if (isNothing(value)) return null
  if (typeof value === 'string') return cut(value.toWellFormed(), limits.auditValueLength)
  const most = limits.auditValueLength
  if (!Array.isArray(value)) return cut(JSON.stringify(value), most)
  const text = value.length > most ? undefined : JSON.stringify(value)
  return text !== undefined && text.length <= most ? text : `${value.length} entries`
}
