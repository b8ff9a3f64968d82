/** Bytes of a record's header: its type, the version, and how many bytes follow. */
const HEADER = 5
const HANDSHAKE = 22

/** Follows the records of a TLS connection, in whatever pieces their bytes arrive. */
export class RecordCursor {
  #header: number[] = []
  #left = 0

  /** Whether the current record is a message of a handshake that is not disguised as data. */
  isHandshake(): boolean {
    return this.#header[0] === HANDSHAKE
  }

  /**
   * Moves on to the end of the current record, or of these bytes. Returns how many bytes it moved,
   * and the size of the record if it has ended.
   */
  advance(bytes: Uint8Array): { readonly moved: number; readonly ended?: number } {
    if (this.#left === 0 && this.#header.length === HEADER) this.#header = []
    let moved = 0
    while (this.#header.length < HEADER) {
      if (moved === bytes.length) return { moved }
      this.#header.push(bytes[moved++]!)
      this.#left = this.#bodyBytes()
    }
    const part = Math.min(this.#left, bytes.length - moved)
    this.#left -= part
    moved += part
    return this.#left > 0 ? { moved } : { moved, ended: HEADER + this.#bodyBytes() }
  }

  #bodyBytes(): number {
    const [, , , high = 0, low = 0] = this.#header
    return high * 256 + low
  }
}
