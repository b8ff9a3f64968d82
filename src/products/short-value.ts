import { hash } from 'node:crypto'
import { limits } from '../limits.ts'
import { fold } from '../text.ts'

const ENCODER = new TextEncoder()
const SCRATCH = new Uint8Array(limits.termBytes)

/** The first characters of a text that have at most so many bytes in UTF-8, up to `termBytes`. */
export function firstBytes(text: string, most: number = limits.termBytes): string {
  if (3 * text.length <= most) return text
  return text.slice(0, ENCODER.encodeInto(text, SCRATCH.subarray(0, most)).read)
}

/** Bytes of a value that it keeps when it is shortened, in which facet searches find it. */
export const KEPT_BYTES = 200
/** Letters of the hash after them. */
const HASH = 16
const HASHED = /…[A-P]{16}$/

/**
 * A value as searches count and list it: whole up to `termBytes`, else its beginning, an ellipsis
 * and a hash. A shortened value stays as it is. Elasticsearch reads terms in blocks of 64, each
 * into a buffer for the longest block of any catalog.
 */
export function shortValue(value: string): string {
  if (firstBytes(value).length === value.length) return value
  // Capital letters, which no folded text has, so that a facet search does not find the hash.
  const letters = hash('sha256', value, 'hex')
    .slice(0, HASH)
    .replace(/./g, (digit) => 'ABCDEFGHIJKLMNOP'[Number.parseInt(digit, 16)]!)
  return `${firstBytes(value, KEPT_BYTES)}…${letters}`
}

/** The folded text of a `shortValue` in its term, without the hash. */
export const foldedValue = (value: string): string => firstBytes(fold(value.replace(HASHED, '')))
