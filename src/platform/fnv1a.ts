const OFFSET_BASIS = 0x811c9dc5

/** FNV-1a of the code units of a text: 32 bits. `before` is the hash of a text that precedes it. */
export function fnv1a(text: string, before = OFFSET_BASIS): number {
  let hash = before
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
