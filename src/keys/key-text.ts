import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { limits } from '../limits.ts'
import type { KeyType } from '../operation.ts'

const BRAND = 'aisle_'
const GENERATED = /^(aisle_(?:full|search|import)_[0-9a-f]{48})_([0-9a-f]{8})$/
const LONGEST = 256
const SHOWN = 8

// CRC-32 notices every change of up to 32 bits in a row, so of any one character.
const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** A new key: `aisle_<type>_<192 random bits>_<checksum>`. */
export const newSecret = (keyType: KeyType): string => secretOf(keyType, randomBytes(24))

/** The key made of 24 bytes, which must be unguessable. */
export function secretOf(keyType: KeyType, bytes: Buffer): string {
  const body = `${BRAND}${keyType}_${bytes.toString('hex')}`
  return `${body}_${checksum(body)}`
}

/** Begins a signed key, before its payload. */
export const SIGNED = `${BRAND}signed_`

/** False for text that cannot be a key, which saves a lookup. */
export function couldBeKey(secret: string): boolean {
  if (secret.startsWith(SIGNED)) return secret.length <= limits.signedKeyLength
  if (!secret.startsWith(BRAND)) return secret.length >= 32 && secret.length <= LONGEST
  const parts = GENERATED.exec(secret)
  return parts !== null && checksum(parts[1]!) === parts[2]
}

/** The stored form of a key. */
export const hashOf = (secret: string): string =>
  createHash('sha256').update(secret, 'utf8').digest('base64url')

/** The readable prefix by which people recognize their keys. */
export const prefixOf = (secret: string): string =>
  secret.startsWith(BRAND) ? secret.slice(0, secret.indexOf('_', BRAND.length) + 1 + SHOWN) : ''
