const BITS = 2 ** 17

/**
 * Estimates how many distinct hashes of 32 bits were added, in 16 KiB: a linear counter, which is
 * off by some 2 % for up to a million, and returns at most one and a half.
 */
export class DistinctEstimate {
  readonly #bits = new Uint8Array(BITS / 8)
  #unset = BITS

  add(hash: number): void {
    // The low bits of FNV-1a alone are spread less evenly.
    const at = (hash ^ (hash >>> 15)) & (BITS - 1)
    const mask = 1 << (at & 7)
    if ((this.#bits[at >> 3]! & mask) !== 0) return
    this.#bits[at >> 3]! |= mask
    this.#unset--
  }

  count(): number {
    return Math.round(BITS * Math.log(BITS / Math.max(this.#unset, 1)))
  }
}
