import { detachedText } from '../../text.ts'

/** Ids are told apart by so many hashes: of as many as a shop has hardly any share one. */
const HASHES = 2 ** 23

function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % HASHES
}

/** Ids that are kept to see them again: of so many rows each is told that repeats one. */
const SEEN = 100_000

/** Ids that came before; beyond so many others are not kept. */
export function createSeenIds() {
  const seen = new Set<string>()
  return {
    isSeen(id: string): boolean {
      if (id === '' || seen.has(id)) return id !== ''
      if (seen.size < SEEN) seen.add(detachedText(id))
      return false
    },
  }
}

/** Ids that rows name, and those that have a row: in memory that does not grow with the file. */
export function createMetIds() {
  const named = new Uint8Array(HASHES / 8)
  const met = new Uint8Array(HASHES / 8)
  const add = (set: Uint8Array, id: string) => {
    const hash = hashOf(id)
    set[hash >>> 3]! |= 1 << (hash & 7)
  }
  return {
    name: (id: string) => add(named, id),
    meet: (id: string) => add(met, id),
    /** How many were named and not met. */
    missing(): number {
      let count = 0
      for (const [at, bits] of named.entries()) {
        for (let rest = bits & ~met[at]!; rest !== 0; rest &= rest - 1) count++
      }
      return count
    },
  }
}
