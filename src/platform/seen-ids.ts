const BITS = 24

/** Remembers any number of ids in 2 MiB: knows every one that was added, and rarely another. */
export function createSeenIds() {
  let bits: Uint8Array | undefined
  return {
    add(id: string): void {
      bits ??= new Uint8Array(2 ** (BITS - 3))
      const at = placeOf(id)
      bits[at >> 3]! |= 1 << (at & 7)
    },
    has(id: string): boolean {
      const at = placeOf(id)
      return bits !== undefined && (bits[at >> 3]! & (1 << (at & 7))) !== 0
    },
  }
}

/** FNV-1a, folded. */
function placeOf(id: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at++) {
    hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  }
  return ((hash >>> BITS) ^ hash) & (2 ** BITS - 1)
}
