import { hash } from 'node:crypto'
import type { ProductDocument } from './product.ts'

/**
 * A digest stored with a product shows, without reading the product, that equal import rows would
 * change nothing. It is base64 of 12 bytes of a hash of the rows, 3 bytes of a hash of the import,
 * and 3 bytes with the version that they made.
 */
const ROWS = 16
const PART = 4
const VERSIONS = 2 ** 24

export interface DigestedRows {
  /** `hashOfRows`. */
  readonly rows: string
  /** `hashOfImport`. */
  readonly import: string
}

export const hashOfRows = (text: string): string => hash('sha256', text, 'base64').slice(0, ROWS)

export const hashOfImport = (task: string): string => hash('sha256', task, 'base64').slice(0, PART)

/** The digest for a version of a product; undefined from version 2^24 on. */
export const rowDigestOf = (by: DigestedRows, version: number): string | undefined =>
  version < VERSIONS ? by.rows + by.import + textOf(version) : undefined

const textOf = (version: number): string =>
  Buffer.from([version >> 16, version >> 8, version]).toString('base64')

/** The parts of a stored digest, which always belongs to the current version. */
export const parseRowDigest = (digest: string): DigestedRows => ({
  rows: digest.slice(0, ROWS),
  import: digest.slice(ROWS, ROWS + PART),
})

/** The digest to store with a document; undefined if it was made for another version. */
export function currentDigest({
  product: { version },
  rowDigest,
}: Pick<ProductDocument, 'product' | 'rowDigest'>): string | undefined {
  return version < VERSIONS && rowDigest?.endsWith(textOf(version)) ? rowDigest : undefined
}
