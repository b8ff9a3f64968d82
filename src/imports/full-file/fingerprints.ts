import { hash } from 'node:crypto'

/** Bytes that stand for a product: 128 bits of a hash, so that no two of a catalog are the same. */
export const FINGERPRINT_BYTES = 16

export const fingerprintOf = (id: string): Buffer =>
  hash('sha256', id, 'buffer').subarray(0, FINGERPRINT_BYTES)

/** Which of several shares of all products a fingerprint belongs to, from 0. */
export const shareOf = (fingerprint: Buffer, shares: number): number =>
  fingerprint.readUInt32BE(FINGERPRINT_BYTES - 4) % shares

const PREFIXES = 1 << 16

/** A set of the fingerprints in `bytes`, one after the other; takes twice their memory. */
export function setOf(bytes: Buffer): (fingerprint: Buffer) => boolean {
  const count = Math.floor(bytes.length / FINGERPRINT_BYTES)
  const ends = new Uint32Array(PREFIXES)
  for (let i = 0; i < count; i++) ends[bytes.readUInt16BE(i * FINGERPRINT_BYTES)]!++
  for (let prefix = 1; prefix < PREFIXES; prefix++) ends[prefix]! += ends[prefix - 1]!
  const starts = Uint32Array.from(ends)
  const sorted = Buffer.allocUnsafe(count * FINGERPRINT_BYTES)
  for (let i = 0; i < count; i++) {
    const at = i * FINGERPRINT_BYTES
    const place = --starts[bytes.readUInt16BE(at)]!
    bytes.copy(sorted, place * FINGERPRINT_BYTES, at, at + FINGERPRINT_BYTES)
  }
  return (fingerprint) => {
    const prefix = fingerprint.readUInt16BE(0)
    for (let place = starts[prefix]!; place < ends[prefix]!; place++) {
      const at = place * FINGERPRINT_BYTES
      if (sorted.compare(fingerprint, 0, FINGERPRINT_BYTES, at, at + FINGERPRINT_BYTES) === 0) {
        return true
      }
    }
    return false
  }
}
