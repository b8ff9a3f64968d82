import { hash } from 'node:crypto'
import type { ProductDocument } from './product.ts'

/**
 * What is stored beside a product tells, without reading the product, that equal rows of an import
 * would change nothing: base64 of 12 bytes of a hash of the rows, 3 of the import's, and 3 with the
 * version that they made.
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

/** The digest of a product of this version; undefined past sixteen million. */
export const rowDigestOf = (by: DigestedRows, version: number): string | undefined =>
  version < VERSIONS ? by.rows + by.import + textOf(version) : undefined

const textOf = (version: number): string =>
  Buffer.from([version >> 16, version >> 8, version]).toString('base64')

/** The parts of a digest that was found: it is of the product as it is. */
export const partsOf = (digest: string): DigestedRows => ({
  rows: digest.slice(0, ROWS),
  import: digest.slice(ROWS, ROWS + PART),
})

/** The digest to store with a document: any change of catalog data or offers makes another version. */
export function currentDigest({
  product: { version },
  rowDigest,
}: Pick<ProductDocument, 'product' | 'rowDigest'>): string | undefined {
  return version < VERSIONS && rowDigest?.endsWith(textOf(version)) ? rowDigest : undefined
}
