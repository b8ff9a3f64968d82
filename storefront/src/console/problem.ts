import { AisleError } from 'aisle-client'

/** An error message and the field that it concerns, if the service names one. */
export interface Problem {
  /** A path such as `filters[2].min`; empty if it concerns no field. */
  readonly place: string
  readonly text: string
}

const PLACED = /^([A-Za-z][\w.[\]]{0,200}): (.+)$/s

export function problemOf(error: unknown): Problem {
  if (!(error instanceof AisleError)) return { place: '', text: 'Something went wrong. Try again.' }
  return placed(error.message)
}

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
