import { z } from 'zod'
import { fnv1a } from '../platform/fnv1a.ts'
import { type Assignment, VARIANTS } from './experiment.ts'

/** What the `searchId` of an answer contains, for reporting choices later. */
export interface SearchToken {
  /** Id of the counted search. Searches with the same id count as one. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly catalog: string
  /** The result of `queryText`. */
  readonly query: string | null
  /** Whether reports count the search. Later pages and the first letters typed do not count. */
  readonly isCounted: boolean
  /** Number of hits before the first product; null when unknown, as on later pages of a walk. */
  readonly from: number | null
  /** The products of the answer in order, as written by `marksOf`. */
  readonly marks: string
  /** Absent when the search is not part of an experiment. */
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

/** Serializes the token; the text still has to be sealed. */
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

/** Parses the text of an opened token. Throws for any other text. */
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

/** Writes a hash of four bytes for each product, enough to recognize it within a page. */
export function marksOf(productIds: readonly string[]): string {
  const bytes = Buffer.allocUnsafe(productIds.length * MARK_BYTES)
  for (const [at, id] of productIds.entries()) bytes.writeUInt32LE(fnv1a(id), at * MARK_BYTES)
  return bytes.toString('base64url')
}

/** The position of a product in the answer, from 0; -1 if it is not in it. */
export function placeIn(marks: string, productId: string): number {
  const bytes = Buffer.from(marks, 'base64url')
  const mark = fnv1a(productId)
  for (let at = 0; at < bytes.length; at += MARK_BYTES) {
    if (bytes.readUInt32LE(at) === mark) return at / MARK_BYTES
  }
  return -1
}
