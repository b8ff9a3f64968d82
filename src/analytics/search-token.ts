import { z } from 'zod'
import { fnv1a } from '../platform/hashed-ids.ts'
import { type Assignment, VARIANTS } from './experiment.ts'

/** What a search's answer lets its caller say of it later. */
export interface SearchToken {
  /** Of the counted search; other searches of the same id are counted as one. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly catalog: string
  /** As `queryText` writes it. */
  readonly query: string | null
  /** Whether reports count the search; of later pages and single letters they do not. */
  readonly isCounted: boolean
  /** Hits before the first product; null where nobody knows, as on later pages of a walk. */
  readonly from: number | null
  /** The products of the answer, in order, as `marksOf` writes them. */
  readonly marks: string
  /** Absent where no experiment compares the search. */
  readonly assignment?: Assignment | undefined
}

const Written = z.tuple([
  z.literal(1),
  z.string(),
  z.number(),
  z.string(),
  z.string().nullable(),
  z.boolean(),
  z.number().nullable(),
  z.string(),
  z.tuple([z.string(), z.enum(VARIANTS), z.int()]).optional(),
])

/** Text for the token, to be sealed. */
export const writeToken = ({ assignment, ...token }: SearchToken): string =>
  JSON.stringify([
    1,
    token.id,
    token.time,
    token.catalog,
    token.query,
    token.isCounted,
    token.from,
    token.marks,
    ...(assignment ? [[assignment.experiment, assignment.variant, assignment.group]] : []),
  ])

/** What an opened token says. Throws for other texts. */
export function readToken(text: string): SearchToken {
  const [, id, time, catalog, query, isCounted, from, marks, assigned] = Written.parse(
    JSON.parse(text),
  )
  const token = { id, time, catalog, query, isCounted, from, marks }
  if (!assigned) return token
  const [experiment, variant, group] = assigned
  return { ...token, assignment: { experiment, variant, group } }
}

const MARK_BYTES = 4

/** Four bytes for each product: enough to find it again among those of a page. */
export function marksOf(productIds: readonly string[]): string {
  const bytes = Buffer.allocUnsafe(productIds.length * MARK_BYTES)
  for (const [at, id] of productIds.entries()) bytes.writeUInt32LE(fnv1a(id), at * MARK_BYTES)
  return bytes.toString('base64url')
}

/** The place of a product among those of the answer, from 0; -1 where it is none of them. */
export function placeIn(marks: string, productId: string): number {
  const bytes = Buffer.from(marks, 'base64url')
  const mark = fnv1a(productId)
  for (let at = 0; at < bytes.length; at += MARK_BYTES) {
    if (bytes.readUInt32LE(at) === mark) return at / MARK_BYTES
  }
  return -1
}
