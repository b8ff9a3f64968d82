import { z } from 'zod'
import { Invalid } from '../errors.ts'
import type { SortKind } from './sort.ts'

/**
 * `strict` needs all words, `relaxed` fewer or misspelled ones, and `ofType` fewer words but the
 * named type, when no match of all words is of it. A walk keeps the mode of its first page.
 */
const MODES = ['strict', 'relaxed', 'ofType'] as const
export type Mode = (typeof MODES)[number]

/** Where a walk continues. */
export interface CursorPosition {
  readonly mode: Mode
  /** Sort values of the last product shown. */
  readonly after: readonly (string | number | null)[]
  /** The walk's point in time, as returned by `CursorWalks.leave`. */
  readonly walk?: string | undefined
  /** With pinned products: the number of products shown, and the fingerprint of the pins. */
  readonly pinned?: { readonly shown: number; readonly print: string } | undefined
}

/** Raised when sort values change, as with a tag before names: older cursors are not valid then. */
const VERSION = 2

const Written = z.tuple([
  z.literal(VERSION),
  z.string(),
  z.enum(MODES),
  z.array(z.union([z.string(), z.number(), z.null()])),
  z.string().nullable().optional(),
  z.tuple([z.int().min(0), z.string()]).optional(),
])

/** Serializes a position, to be sealed. `print` is the fingerprint of its request. */
export function writeCursor(print: string, { mode, after, walk, pinned }: CursorPosition): string {
  const places = pinned && [pinned.shown, pinned.print]
  const rest = places ? [walk ?? null, places] : walk === undefined ? [] : [walk]
  return JSON.stringify([VERSION, print, mode, after, ...rest])
}

/** Parses an opened cursor. Throws Invalid if it is malformed or belongs to another request. */
export function readCursor(
  cursor: string,
  { print, kinds }: { print: string; kinds: readonly SortKind[] },
): CursorPosition {
  const [, writtenFor, mode, after, walk, places] = parse(cursor)
  if (writtenFor !== print) {
    throw new Invalid('cursor: belongs to another search; start again with "*"')
  }
  // While only pinned products were shown, there are no sort values to continue after.
  const isWhole = after.length === kinds.length || (places !== undefined && after.length === 0)
  if (!isWhole || !after.every((value, at) => fits(value, kinds[at]!))) throw malformedCursor()
  const pinned = places && { shown: places[0], print: places[1] }
  return { mode, after, walk: walk ?? undefined, ...(pinned ? { pinned } : {}) }
}

export const malformedCursor = (): Invalid => new Invalid('cursor: not valid; start with "*"')

function parse(cursor: string): z.output<typeof Written> {
  try {
    return Written.parse(JSON.parse(cursor))
  } catch {
    throw malformedCursor()
  }
}

/** For a missing number, Elasticsearch writes the sort value `Infinity` as a string. */
function fits(value: string | number | null, kind: SortKind): boolean {
  if (kind === 'text') return typeof value === 'string' || value === null
  if (kind === 'whole') return Number.isSafeInteger(value)
  return typeof value === 'number' || value === 'Infinity' || value === '-Infinity'
}
