const FIRST_BYTES = 2 * 1024 * 1024
/** UTF-8 bytes that one UTF-16 unit of a string takes at most. */
const WIDEST = 3
const LF = 10

/** Items of a `_bulk` as bytes, so that large batches do not live as text while they are sent. */
export interface BulkBody {
  readonly count: number
  /** Bytes of all items. */
  readonly size: number
  /** Without a document: a deletion. */
  add(action: string, document?: string): void
  /** All items, or those at these places. */
  bytes(places?: readonly number[]): Buffer
  document(place: number): string
  /** Empties it for other items; nothing may be sending it. */
  clear(): void
}

export function createBulkBody(): BulkBody {
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let length = 0
  /** Where each item begins and where its document does. */
  const starts: number[] = []
  const documents: number[] = []

  function put(line: string): void {
    const needed = length + line.length * WIDEST + 1
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * buffer.length))
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    length += buffer.write(line, length)
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
    add(action, document) {
      starts.push(length)
      put(action)
      documents.push(length)
      if (document !== undefined) put(document)
    },
    bytes: (places) =>
      places === undefined ? buffer.subarray(0, length) : Buffer.concat(places.map(item)),
    clear() {
      length = 0
      starts.length = 0
      documents.length = 0
    },
    document: (place) => buffer.toString('utf8', documents[place]!, starts[place + 1] ?? length),
  }
}
