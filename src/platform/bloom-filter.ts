import { fnv1a } from './fnv1a.ts'

const BITS = 24

function placeOf(id: string): number {
  const hash = fnv1a(id)
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1)
}

/** A Bloom filter in 2 MiB with one hash function: no false negatives, few false positives. */
export class BloomFilter {
  #bits: Uint8Array | undefined

  add(id: string): void {
    this.#bits ??= new Uint8Array(2 ** (BITS - 3))
    const at = placeOf(id)
    this.#bits[at >> 3]! |= 1 << (at & 7)
  }

  has(id: string): boolean {
    const at = placeOf(id)
    return this.#bits !== undefined && (this.#bits[at >> 3]! & (1 << (at & 7))) !== 0
  }

  /** How many of these ids `others` lacks. */
  countMissingIn(others: BloomFilter): number {
    let count = 0
    for (const [at, bits] of this.#bits?.entries() ?? []) {
      for (let rest = bits & ~(others.#bits?.[at] ?? 0); rest !== 0; rest &= rest - 1) count++
    }
    return count
  }
}
