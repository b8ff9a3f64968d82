import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Invalid } from '../errors.ts'
import type { SortKind } from './sort.ts'

/** All words, or fewer and misspelt ones: a walk stays with what its first page found. */
export type Mode = 'strict' | 'relaxed'

/** Where a walk goes on. */
export interface CursorPosition {
  readonly mode: Mode
  /** Sort values of the last product before it. */
  readonly after: readonly (string | number | null)[]
  /** The walk that stays at one point in time, as `Walks` writes it. */
  readonly walk?: string | undefined
}

const Written = z.tuple([
  z.literal(1),
  z.string(),
  z.enum(['strict', 'relaxed']),
  z.array(z.union([z.string(), z.number(), z.null()])),
  z.string().optional(),
])

/** Tells requests apart: a cursor goes on with its own request only. */
export const fingerprint = (request: unknown): string =>
  createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 22)

/** Text for the position, to be sealed; `print` is the fingerprint of its request. */
export const writeCursor = (print: string, { mode, after, walk }: CursorPosition): string =>
  JSON.stringify([1, print, mode, after, ...(walk === undefined ? [] : [walk])])

/** The position in an opened cursor. Throws Invalid for what is malformed or belongs to another request. */
export function readCursor(
  cursor: string,
  { print, kinds }: { print: string; kinds: readonly SortKind[] },
): CursorPosition {
  const [, writtenFor, mode, after, walk] = parse(cursor)
  if (writtenFor !== print) {
    throw new Invalid('cursor: belongs to another search. Begin again with "*".')
  }
  if (after.length !== kinds.length || !after.every((value, at) => fits(value, kinds[at]!))) {
    throw malformed()
  }
  return { mode, after, walk }
}

export const malformed = (): Invalid => new Invalid('cursor: not one of ours. Begin with "*".')

function parse(cursor: string): z.output<typeof Written> {
  try {
    return Written.parse(JSON.parse(cursor))
  } catch {
    throw malformed()
  }
}

/** Elasticsearch writes the place of products without a number as Infinity, in a text. */
function fits(value: string | number | null, kind: SortKind): boolean {
  if (kind === 'text') return typeof value === 'string' || value === null
  if (kind === 'whole') return Number.isSafeInteger(value)
  return typeof value === 'number' || value === 'Infinity' || value === '-Infinity'
}
