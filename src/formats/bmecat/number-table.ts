import { hash } from 'node:crypto'

/**
 * Maps millions of texts to numbers, in 16 bytes each. Texts are stored as 64 bits of their hash.
 * Among a million, two collide in one of 10^7 files.
 */
export function createNumberTable() {
  let slots = 1024
  let size = 0
  let high = new Uint32Array(slots)
  let low = new Uint32Array(slots)
  /** The number plus one; 0 marks a free slot. */
  let numbers = new Uint32Array(slots)

  function slotOf(a: number, b: number): number {
    let at = b & (slots - 1)
    while (numbers[at] !== 0 && (high[at] !== a || low[at] !== b)) at = (at + 1) & (slots - 1)
    return at
  }

  function put(a: number, b: number, number: number): void {
    const at = slotOf(a, b)
    if (numbers[at] !== 0) return
    high[at] = a
    low[at] = b
    numbers[at] = number
    size++
  }

  function grow(): void {
    const [oldHigh, oldLow, oldNumbers] = [high, low, numbers]
    slots *= 2
    size = 0
    high = new Uint32Array(slots)
    low = new Uint32Array(slots)
    numbers = new Uint32Array(slots)
    for (const [at, number] of oldNumbers.entries()) {
      if (number !== 0) put(oldHigh[at]!, oldLow[at]!, number)
    }
  }

  function hashed(text: string): [number, number] {
    const bytes = hash('sha1', text, 'buffer')
    return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)]
  }

  return {
    /** Keeps the first number of a text. */
    add(text: string, number: number): void {
      if (size * 4 > slots * 3) grow()
      put(...hashed(text), number + 1)
    },
    get(text: string): number | undefined {
      const number = numbers[slotOf(...hashed(text))]!
      return number === 0 ? undefined : number - 1
    },
    get size(): number {
      return size
    },
  }
}
