import type { z } from 'zod'

const SHOWN = 60

/** A name that somebody sent, fit to be shown: cut, on one line. */
export function shownName(name: string): string {
  const text = name.toWellFormed()
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

/** `filters[2].min`, behind `root` where there is one. */
export const placeOf = (path: readonly PropertyKey[], root = ''): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const name = shownName(String(part))
    return text === '' ? name : `${text}.${name}`
  }, root)

/**
 * `filters[2].min: expected number`: the first of what is wrong with a value. `whole` names the
 * value where it is wrong itself or is a list, and begins every place when `always`.
 */
export function problemText(
  { issues }: z.core.$ZodError,
  whole: string,
  { always = false } = {},
): string {
  const { path, reason } = problemOf(issues[0]!)
  const named = always || typeof path[0] !== 'string'
  return `${placeOf(path, named ? whole : '')}: ${reason}`
}

/** Says that a value is another kind of thing than an alternative wants. */
const OTHER: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value'])

/** Of alternatives that say nothing themselves, what the likeliest one has to say. */
function problemOf(issue: z.core.$ZodIssue): { path: PropertyKey[]; reason: string } {
  const { path, message } = issue
  if (issue.code === 'invalid_union' && message === 'Invalid input') {
    const firsts = issue.errors.flatMap(([first]) => (first ? [first] : []))
    const likely = firsts.find(({ code }) => !OTHER.has(code)) ?? firsts[0]
    if (likely) {
      const inner = problemOf(likely)
      return { path: [...path, ...inner.path], reason: inner.reason }
    }
  }
  const reason = message.endsWith('received undefined') ? 'required' : message
  return { path, reason: reason.replace(/^Invalid input: /, '') }
}
