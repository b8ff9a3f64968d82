import { NotFound } from '../../errors.ts'
import type { FileStore } from '../../platform/file-store.ts'

/** A range from `start` up to, but not including, `end`. */
export interface ByteRange {
  readonly start?: number
  readonly end?: number
}

/** Bytes that can be read from any offset, repeatedly. */
export interface StoredBytes {
  readonly bytes: number
  /** Whether this is only the beginning of a remote file. */
  readonly isCut?: boolean
  /** Size of the archive from which the file was unpacked. */
  readonly archiveBytes?: number
  /** Milliseconds that reading has rested so far, for others; none when absent. */
  restedMs?(): number
  /**
   * Reads a range, or all bytes. A chunk is valid until the next one is requested, which may reuse
   * its memory.
   */
  read(range?: ByteRange): AsyncGenerator<Buffer>
}

const PIECE = 64 * 1024

/**
 * The size to which that of the content is compared. Archives inside each other count once, and
 * padding in the inner one does not count.
 */
export const packedSize = ({ bytes, archiveBytes = bytes }: StoredBytes): number =>
  Math.min(bytes, archiveBytes)

/** A file of the store. Reading throws NotFound when it is gone. */
export const storedFile = (
  files: FileStore,
  { id, bytes }: { readonly id: string; readonly bytes: number },
): StoredBytes => ({ bytes, read: (range) => storedBytes(files, id, range) })

/** Bytes that are held in memory. */
export const storedBuffer = (buffer: Buffer, isCut = false): StoredBytes => ({
  bytes: buffer.length,
  isCut,
  async *read({ start = 0, end = buffer.length } = {}) {
    const last = Math.min(end, buffer.length)
    for (let at = start; at < last; at += PIECE) {
      yield buffer.subarray(at, Math.min(at + PIECE, last))
    }
  },
})

/** The bytes of a stored file from `start` up to `end`. Throws NotFound. */
async function* storedBytes(
  files: FileStore,
  id: string,
  { start = 0, end = Number.POSITIVE_INFINITY }: ByteRange = {},
): AsyncGenerator<Buffer> {
  const found = await files.read(id, start)
  if (!found) throw new NotFound('The uploaded file was')
  const reader = found.body.getReader({ mode: 'byob' })
  try {
    let space = new Uint8Array(PIECE)
    for (let left = end - start; left > 0; ) {
      const { done, value } = await reader.read(space)
      if (done) return
      const piece = Buffer.from(value.buffer, value.byteOffset, Math.min(value.byteLength, left))
      left -= piece.length
      yield piece
      space = new Uint8Array(value.buffer)
    }
  } finally {
    // Rejects when the stream broke off before.
    await reader.cancel().catch(() => undefined)
  }
}

/** The first bytes, up to `count`. */
export const headOf = (file: StoredBytes, count: number): Promise<Buffer> =>
  bytesOf(file, { start: 0, end: count })

/** The bytes from `start` up to `end`, or fewer at the end of the file, in a buffer of their own. */
export async function bytesOf(
  file: StoredBytes,
  { start, end }: Required<ByteRange>,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(end, file.bytes) - start))
  let filled = 0
  for await (const chunk of file.read({ start, end })) filled += chunk.copy(buffer, filled)
  return buffer.subarray(0, filled)
}

/** Reads ranges of a file into separate buffers. Short ranges close together take one read. */
export function createRangeReader(file: StoredBytes) {
  let from = 0
  let ahead: Buffer = Buffer.alloc(0)
  return async (start: number, end: number): Promise<Buffer> => {
    if (end - start >= PIECE) return bytesOf(file, { start, end })
    if (start < from || end > from + ahead.length) {
      ahead = await bytesOf(file, { start, end: start + PIECE })
      from = start
    }
    return Buffer.from(ahead.subarray(start - from, end - from))
  }
}

export type RangeReader = ReturnType<typeof createRangeReader>
