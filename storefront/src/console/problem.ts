import { AisleError } from 'aisle-client'
import { messageOf } from '../shop/failure.ts'

/** An error message and the field that it concerns, if the service names one. */
export interface Problem {
  /** A path such as `filters[2].min`; empty if it concerns no field. */
  readonly place: string
  readonly text: string
}

const PLACED = /^([A-Za-z][\w.[\]]{0,200}): (.+)$/s

export const problemOf = (error: unknown): Problem => placed(messageOf(error))

const LONGEST_BACKOFF = 30
/** `setTimeout` fires at once after longer ones: 2^31 ms. */
const LONGEST_WAIT = 2_147_483

/**
 * Seconds after which a failed request is worth sending again, as Retry-After says, else doubling
 * with each try. Undefined if the same request would fail again.
 */
export function waitAfter(error: unknown, tries: number): number | undefined {
  if (!(error instanceof AisleError) || !PASSING.includes(error.status)) return undefined
  const backoff = Math.min(LONGEST_BACKOFF, 2 ** (tries + 1))
  return Math.min(LONGEST_WAIT, Math.max(1, error.retryAfter ?? backoff))
}

/** Unreachable, too many requests, and the service or a proxy in front of it is not ready. */
const PASSING: readonly number[] = [0, 429, 502, 503, 504]

/** Splits a message of the service that begins with a path. */
export function placed(message: string): Problem {
  const [, place, text] = PLACED.exec(message) ?? []
  return place === undefined ? { place: '', text: message } : { place, text: text! }
}

/** The message if it concerns this field or a part of it; otherwise undefined. */
export function textAt(problem: Problem, field: string): string | undefined {
  if (!isAt(problem, field)) return undefined
  const inside = problem.place.slice(field.length).match(/\d+|[^.[\]]+/g) ?? []
  const named = inside.map((part) => (/^\d/.test(part) ? `entry ${Number(part) + 1}` : part))
  return named.length === 0 ? problem.text : `${named.join(', ')}: ${problem.text}`
}

/** Whether the problem concerns this field or a part of it. */
export const isAt = ({ place }: Problem, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`)
