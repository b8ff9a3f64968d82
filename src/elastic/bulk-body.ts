const FIRST_BYTES = 256 * 1024
/** The most UTF-8 bytes that one UTF-16 unit takes. */
const WIDEST = 3
const LF = 10

type BodyPiece = string | Buffer

/** The items of a `_bulk` as bytes, so that large batches are not kept as text while sent. */
export interface BulkBody {
  readonly count: number
  /** Bytes of all items. */
  readonly size: number
  /** Adds an item; without a document it is a deletion. The document may come in pieces. */
  add(action: string, ...document: readonly BodyPiece[]): void
  /** The bytes of all items, or of those at these positions. */
  bytes(places?: readonly number[]): Buffer
  document(place: number): string
  /** A document in the pieces it was added in: views, which `clear` invalidates. */
  pieces(place: number): Buffer[]
  /** Empties it for other items. Nothing may still be sending the previous ones. */
  clear(): void
}

/**
 * Creates an empty body. `most` is its final size in bytes, if known, so that its buffer grows only
 * once.
 */
export function createBulkBody(most = 0): BulkBody {
  let buffer = Buffer.alloc(0)
  let length = 0
  /** Offsets where each item begins and where the pieces of its document end. */
  const starts: number[] = []
  const documents: number[][] = []

  function makeRoom(bytes: number): void {
    const needed = length + bytes
    if (needed <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(most, FIRST_BYTES, needed, 2 * buffer.length))
    buffer.copy(larger, 0, 0, length)
    buffer = larger
  }

  function put(piece: BodyPiece): void {
    if (typeof piece === 'string') {
      makeRoom(piece.length * WIDEST)
      length += buffer.write(piece, length)
    } else {
      makeRoom(piece.length)
      length += piece.copy(buffer, length)
    }
  }

  function endLine(): void {
    makeRoom(1)
    buffer[length++] = LF
  }

  const item = (place: number): Buffer =>
    buffer.subarray(starts[place]!, starts[place + 1] ?? length)

  return {
    get count() {
      return starts.length
    },
    get size() {
      return length
    },
    add(action, ...document) {
      starts.push(length)
      put(action)
      endLine()
      const ends = [length]
      for (const piece of document) {
        put(piece)
        ends.push(length)
      }
      documents.push(ends)
      if (document.length > 0) endLine()
    },
    bytes: (places) =>
      places === undefined ? buffer.subarray(0, length) : Buffer.concat(places.map(item)),
    document: (place) => {
      const ends = documents[place]!
      return buffer.toString('utf8', ends[0], ends.at(-1))
    },
    pieces(place) {
      const [start = 0, ...ends] = documents[place]!
      return ends.map((end, at) => buffer.subarray(at === 0 ? start : ends[at - 1], end))
    },
    clear() {
      length = 0
      starts.length = 0
      documents.length = 0
    },
  }
}
