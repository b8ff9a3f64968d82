/** Repeatable random numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** A number from 0 up to but not including 1. */
  next(): number
  /** An integer between `min` and `max`, both included. */
  whole(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** FNV-1a: hashes a text to a seed of 32 bits. */
function hash(text: string): number {
  let bits = 0x811c9dc5
  for (const byte of Buffer.from(text, 'utf8')) bits = Math.imul(bits ^ byte, 0x01000193)
  return bits >>> 0
}

/** mulberry32: small, fast and good enough for made-up products, but not for secrets. */
export function randomFrom(seed: string): Random {
  let state = hash(seed)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), 1 | state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]): T => list[whole(0, list.length - 1)]!,
  }
}
