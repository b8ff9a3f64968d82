import type { z } from 'zod'
import { Invalid } from '../errors.ts'

/**
 * Stops parsing at the first problem, the only one that is shown: a value with many takes long to
 * describe. Zod's own `validate` uses the option; its types do not declare it for `safeParse`.
 */
export const firstProblem = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>

/** Parses a value up to its first problem. */
export const parse = <S extends z.ZodType>(
  schema: S,
  value: unknown,
): z.ZodSafeParseResult<z.output<S>> => schema.safeParse(value, firstProblem)

/** The data of a parsed value. Throws Invalid with the first problem, as `problemText`. */
export function dataOf<T>(
  { data, error }: z.ZodSafeParseResult<T>,
  whole: string,
  options?: ProblemOptions,
): T {
  if (!error) return data
  throw new Invalid(problemText(error, whole, options))
}

/** A value as its schema reads it. Throws Invalid like `dataOf`. */
export const parseWith = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  whole: string,
  options?: ProblemOptions,
): z.output<S> => dataOf(parse(schema, value), whole, options)

const SHOWN = 60

/** Makes a name from a request fit for display: shortened and on one line. */
export function shownName(name: string): string {
  const text = name.toWellFormed()
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  return cut.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
}

/** The path as `filters[2].min`, after `root` where there is one. */
export const placeOf = (path: readonly PropertyKey[], root = ''): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    const name = shownName(String(part))
    return text === '' ? name : `${text}.${name}`
  }, root)

interface ProblemOptions {
  /** Whether every place starts with the name of the whole value. */
  readonly always?: boolean
  /** Characters of the message. */
  readonly longest?: number
}

/**
 * The first problem of a value, as `filters[2].min: expected number`. `whole` names the value
 * itself or a list.
 */
export function problemText(
  { issues }: Pick<z.core.$ZodError, 'issues'>,
  whole: string,
  { always = false, longest = Infinity }: ProblemOptions = {},
): string {
  const { path, reason } = problemOf(issues[0]!)
  const named = always || typeof path[0] !== 'string'
  return `${placeOf(path, named ? whole : '')}: ${reason}`.slice(0, longest)
}

/** Issue codes of an alternative of another type. */
const OTHER: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value'])

/** For a union without a message of its own, the message of its likeliest alternative. */
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
