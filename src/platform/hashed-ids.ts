const BITS = 24

const OFFSET_BASIS = 0x811c9dc5

/** FNV-1a of the code units of a text: 32 bits. `before` is the hash of a text that precedes it. */
export function fnv1a(text: string, before = OFFSET_BASIS): number {
  let hash = before
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

function placeOf(id: string): number {
  const hash = fnv1a(id)
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1)
}

/** A set of any number of ids in 2 MiB. It has every id that was added, and rarely another one. */
export class HashedIds {
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
  countMissingIn(others: HashedIds): number {
    let count = 0
    for (const [at, bits] of this.#bits?.entries() ?? []) {
      for (let rest = bits & ~(others.#bits?.[at] ?? 0); rest !== 0; rest &= rest - 1) count++
    }
    return count
  }
}
