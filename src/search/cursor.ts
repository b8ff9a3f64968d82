import { z } from 'zod'
import { Invalid } from '../errors.ts'
import type { SortKind } from './sort.ts'

/**
 * All words; fewer and misspelt ones; or fewer of what is of the type that is named, where nothing
 * with all words is. A walk stays with what its first page found.
 */
const MODES = ['strict', 'relaxed', 'ofType'] as const
export type Mode = (typeof MODES)[number]

/** Where a walk goes on. */
export interface CursorPosition {
  readonly mode: Mode
  /** Sort values of the last product before it. */
  readonly after: readonly (string | number | null)[]
  /** The walk that stays at one point in time, as `Walks` writes it. */
  readonly walk?: string | undefined
  /** Where products have fixed places: how many were shown, and the fingerprint of those places. */
  readonly pinned?: { readonly shown: number; readonly print: string } | undefined
}

const Written = z.tuple([
  z.literal(1),
  z.string(),
  z.enum(MODES),
  z.array(z.union([z.string(), z.number(), z.null()])),
  z.string().nullable().optional(),
  z.tuple([z.int().min(0), z.string()]).optional(),
])

/** Text for the position, to be sealed; `print` is the fingerprint of its request. */
export function writeCursor(print: string, { mode, after, walk, pinned }: CursorPosition): string {
  const places = pinned && [pinned.shown, pinned.print]
  const rest = places ? [walk ?? null, places] : walk === undefined ? [] : [walk]
  return JSON.stringify([1, print, mode, after, ...rest])
}

/** The position in an opened cursor. Throws Invalid for what is malformed or belongs to another request. */
export function readCursor(
  cursor: string,
  { print, kinds }: { print: string; kinds: readonly SortKind[] },
): CursorPosition {
  const [, writtenFor, mode, after, walk, places] = parse(cursor)
  if (writtenFor !== print) {
    throw new Invalid('cursor: belongs to another search. Begin again with "*".')
  }
  // Before the first product without a fixed place there is nothing to go on after.
  const isWhole = after.length === kinds.length || (places !== undefined && after.length === 0)
  if (!isWhole || !after.every((value, at) => fits(value, kinds[at]!))) throw malformed()
  const pinned = places && { shown: places[0], print: places[1] }
  return { mode, after, walk: walk ?? undefined, ...(pinned ? { pinned } : {}) }
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
