import type { Steps } from './steps.ts'

/** Characters that are parsed in a step. */
const PIECE = 16 * 1024
/** Characters of a string that are looked through in a step, for each that is parsed. */
const LOOKED_THROUGH = 16
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const BLANK = /^[\t\n\r ]*$/

/** A list or object whose end has not been reached yet. */
interface OpenValue {
  readonly isList: boolean
  /** Position after its bracket. */
  readonly start: number
  /** Position of its first member that is not in `value`. */
  from: number
  /** Position of its latest member. */
  member: number
  /** Position after its latest member, if that is in `value` because a part of it was parsed. */
  end?: number | undefined
  /** Present once a part of it was parsed. */
  value?: unknown[] | Record<string, unknown>
}

/**
 * Parses JSON to what JSON.parse returns, a few KiB in each step, since values with many names or
 * shapes take a hundred times as long as their length suggests. The caller has checked the depth of
 * nesting, by which each step takes longer. Throws SyntaxError.
 */
export function* parsingJson(text: string, piece = PIECE): Steps<unknown> {
  const open: OpenValue[] = []
  let parsedTo = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const inner = open.at(-1)
    if (isInString || code === QUOTE) {
      const limit = Math.min(text.length, at + LOOKED_THROUGH * piece)
      const end = endOfString(text, isInString ? at : at + 1, limit)
      isInString = end >= limit
      at = isInString ? end - 1 : end
    } else if (code === LIST || code === OBJECT) {
      const start = at + 1
      open.push({ isList: code === LIST, start, from: start, member: start })
    } else if (code === COMMA && inner) passComma(text, inner, at)
    else if (code === LIST_END || code === OBJECT_END) {
      open.pop()
      // A value of which nothing was parsed is parsed with its parent.
      if (inner?.value) {
        if (inner.isList !== (code === LIST_END)) throw malformed(at)
        addLast(text, inner, at)
        const parent = open.at(-1)
        if (!parent) {
          checkBlank(text, at + 1)
          return inner.value
        }
        parent.end = at + 1
      } else if (open.length === 0) break
    }
    if (at - parsedTo < piece) continue
    parseSoFar(text, open)
    parsedTo = at
    yield
  }
  if (open[0]?.value) throw malformed(text.length)
  return JSON.parse(text)
}

const malformed = (at: number) => new SyntaxError(`malformed near character ${at}`)

/** Throws SyntaxError unless this part of the text has no value. */
function checkBlank(text: string, from: number, to = text.length): void {
  if (!BLANK.test(text.slice(from, to))) throw malformed(from)
}

/** The position of the quotation mark that ends a string, or one from `limit` on. */
function endOfString(text: string, start: number, limit: number): number {
  let at = start
  while (at < limit) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    at += code === BACKSLASH ? 2 : 1
  }
  return at
}

function passComma(text: string, one: OpenValue, at: number): void {
  one.member = at + 1
  if (one.end === undefined) return
  checkBlank(text, one.end, at)
  one.from = one.member
  one.end = undefined
}

/** Parses the members that are complete, and enters the values that are open. */
function parseSoFar(text: string, open: readonly OpenValue[]): void {
  for (const [depth, one] of open.entries()) {
    if (!one.value) {
      one.value = one.isList ? [] : {}
      const parent = open[depth - 1]
      if (parent) enter(text, parent, one)
      else checkBlank(text, 0, one.start - 1)
    }
    if (one.member > one.from) addMembers(text, one, one.member - 1)
    one.from = one.member
  }
}

/** Adds an open value to its parent, under the name that comes before its bracket. */
function enter(text: string, parent: OpenValue, inner: OpenValue): void {
  const { isList, value, member } = parent
  const end = inner.start - 1
  // Without a comma in between, the member before may be long, and would be parsed again.
  if (parent.end !== undefined) throw malformed(end)
  if (isList) {
    checkBlank(text, member, end)
    ;(value as unknown[]).push(inner.value)
  } else {
    const [name] = Object.keys(parsed(`{${text.slice(member, end)}null}`, end) as object)
    setMember(value as Record<string, unknown>, name!, inner.value)
  }
}

/** Adds what is left of a value at its end. */
function addLast(text: string, one: OpenValue, at: number): void {
  if (one.end !== undefined) checkBlank(text, one.end, at)
  else if (one.from > one.start || !BLANK.test(text.slice(one.from, at))) addMembers(text, one, at)
}

function addMembers(text: string, { isList, value, from }: OpenValue, to: number): void {
  const members = text.slice(from, to)
  if (BLANK.test(members)) throw malformed(to)
  if (isList) {
    for (const member of parsed(`[${members}]`, to) as unknown[]) (value as unknown[]).push(member)
  } else {
    const named = parsed(`{${members}}`, to) as Record<string, unknown>
    for (const name of Object.keys(named)) {
      setMember(value as Record<string, unknown>, name, named[name])
    }
  }
}

/** Parses a part that ends at `at`. */
function parsed(part: string, at: number): unknown {
  try {
    return JSON.parse(part)
  } catch {
    throw malformed(at)
  }
}

/** Sets a member of any name, `__proto__` included. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else {
    const own = { writable: true, enumerable: true, configurable: true }
    Object.defineProperty(object, name, { value, ...own })
  }
}
