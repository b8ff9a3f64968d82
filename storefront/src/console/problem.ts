import { AisleError } from 'aisle-client'

/** What was refused, and at which field where the service names one. */
export interface Problem {
  /** As in `filters[2].min`; empty where it concerns no field. */
  readonly place: string
  readonly text: string
}

const PLACED = /^([A-Za-z][\w.[\]]{0,200}): (.+)$/s

export function problemOf(error: unknown): Problem {
  if (!(error instanceof AisleError)) return { place: '', text: 'Something went wrong. Try again.' }
  return placed(error.message)
}

/** A message of the service that begins with its place. */
export function placed(message: string): Problem {
  const [, place, text] = PLACED.exec(message) ?? []
  return place === undefined ? { place: '', text: message } : { place, text: text! }
}

/** What is wrong at a field, or at something inside of it; undefined where it is elsewhere. */
export function textAt(problem: Problem, field: string): string | undefined {
  if (!isAt(problem, field)) return undefined
  const inside = problem.place.slice(field.length).match(/\d+|[^.[\]]+/g) ?? []
  const named = inside.map((part) => (/^\d/.test(part) ? `entry ${Number(part) + 1}` : part))
  return named.length === 0 ? problem.text : `${named.join(', ')}: ${problem.text}`
}

/** Whether a place is that of a field, or of something inside of it. */
export const isAt = ({ place }: Problem, field: string): boolean =>
  place === field || place.startsWith(`${field}.`) || place.startsWith(`${field}[`)
