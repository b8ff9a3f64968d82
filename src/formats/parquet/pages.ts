import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { type PageHeader, snappyUncompress } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { RangeReader } from '../bytes/stored-bytes.ts'
import { checkUnpacked } from '../bytes/unpack.ts'
import type { StoredColumn } from './metadata.ts'
import { structEnd } from './thrift.ts'

export const damaged = () => new Invalid('The Parquet file is damaged or incomplete.')

/** Runs `work` and maps its errors to Invalid, since decoding damaged bytes fails in many ways. */
export function refusingDamage<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Invalid ? error : damaged()
  }
}

/** A page of a column: the levels of its values, then the values. */
export interface ParquetPage {
  readonly header: PageHeader
  /** Levels of a version 2 page, stored before the values and not compressed. */
  readonly levels: Buffer
  /** The decompressed body. */
  readonly body: Buffer
}

export interface HeldBytes {
  /** Bytes of all columns in memory: what is read ahead, and decompressed pages. */
  bytes: number
  /** Decompressed bytes of all pages so far. */
  unpacked: number
}

export interface ParquetBytes {
  readonly bytes: number
  /** Bytes to which the size of its unpacked pages is compared. */
  readonly packedBytes: number
  readonly read: RangeReader
  /** Bytes of a column that are read at once. */
  readonly readAhead: number
}

/** Maximum bytes of a page header, whose statistics are short. */
const HEADER = 32 * 1024

/** Bytes of a column that are read at once: less of each if there are many. */
export const readAheadOf = (columns: number): number =>
  Math.max(HEADER, Math.min(64 * 1024, Math.floor(limits.parquetHeldBytes / 4 / columns)))

const UNPACKERS: Readonly<Record<string, (packed: Buffer, size: number) => Buffer>> = {
  UNCOMPRESSED: (packed) => packed,
  SNAPPY(packed, size) {
    const unpacked = Buffer.alloc(size)
    snappyUncompress(packed, unpacked)
    return unpacked
  },
  GZIP: (packed, size) => gunzipSync(packed, inOnePiece(size)),
  BROTLI: (packed, size) => brotliDecompressSync(packed, inOnePiece(size)),
  ZSTD: (packed, size) => zstdDecompressSync(packed, inOnePiece(size)),
}

/** Options of zlib with which it neither collects pieces nor joins them: no byte is held twice. */
const inOnePiece = (size: number) => ({
  maxOutputLength: size,
  // A piece that is full makes zlib begin another.
  chunkSize: Math.max(SMALLEST_PIECE, size + 1),
})
const SMALLEST_PIECE = 64

/**
 * The pages of a column in a row group, each valid until the next one is requested; the dictionary
 * until the generator returns. Throws Invalid.
 */
export async function* pagesOf(
  file: ParquetBytes,
  { codec, start, bytes }: StoredColumn,
  held: HeldBytes,
): AsyncGenerator<ParquetPage> {
  const unpacker = UNPACKERS[codec ?? '']
  if (!unpacker) {
    const known = Object.keys(UNPACKERS).join(', ')
    throw new Invalid(
      `The Parquet file is compressed with ${codec ?? 'an unknown codec'}, which is not supported. Supported: ${known}.`,
    )
  }
  let at = start
  const end = at + bytes
  if (!(at > 0 && end <= file.bytes)) throw damaged()
  let ahead: Buffer = Buffer.alloc(0)

  /** Bytes that are read at once if `count` are needed. */
  const readAhead = (count: number): number => Math.min(end - at, Math.max(count, file.readAhead))

  /** The next bytes of the column, without advancing; fewer at its end. */
  async function peek(count: number): Promise<Buffer> {
    if (ahead.length < Math.min(count, end - at)) {
      ahead = await file.read(at, at + readAhead(count))
    }
    return ahead.subarray(0, count)
  }

  function advance(count: number): void {
    at += count
    ahead = ahead.subarray(count)
  }

  function unpack(packed: Buffer, size: number): Buffer {
    if (size === 0) return Buffer.alloc(0)
    const body = refusingDamage(() => unpacker!(packed, size))
    if (body.length !== size) throw damaged()
    return body
  }

  let dictionaryBytes = 0
  let mine = 0
  let dictionary: Buffer | undefined
  let page: Buffer | undefined
  let packedPage: Buffer | undefined
  try {
    while (at < end) {
      const head = await peek(HEADER)
      const length = refusingDamage(() => structEnd(head, 0))
      const view = new DataView(head.buffer, head.byteOffset, length)
      const header = refusingDamage(() => parquetHeader({ view, offset: 0 }))
      advance(length)
      // A damaged number may be a bigint.
      const size = Number(header.compressed_page_size)
      const whole = Number(header.uncompressed_page_size)
      if (!(size >= 0 && whole >= 0 && size <= end - at)) throw damaged()
      const isDictionary = header.type === 'DICTIONARY_PAGE'
      // The position of each text in a dictionary is held as well.
      if (isDictionary) dictionaryBytes = 2 * whole
      const before = mine
      mine = dictionaryBytes + readAhead(size) + whole
      held.bytes += mine - before
      if (held.bytes > limits.parquetHeldBytes) {
        throw new Invalid(
          `Reading the Parquet file needs more than ${limits.parquetHeldBytes} bytes at once. Write it with smaller pages or row groups.`,
        )
      }
      held.unpacked += whole
      checkUnpacked(held.unpacked, file.packedBytes)
      const packed = await peek(size)
      if (packed.length < size) throw damaged()
      advance(size)
      const v2 = header.data_page_header_v2
      const levels = v2
        ? Number(v2.repetition_levels_byte_length) + Number(v2.definition_levels_byte_length)
        : 0
      if (!(levels >= 0 && levels <= size && levels <= whole)) throw damaged()
      const rest = packed.subarray(levels)
      const isPacked = v2?.is_compressed !== false
      const body = isPacked ? unpack(rest, whole - levels) : rest
      const own = body.buffer === packed.buffer ? undefined : body
      // Otherwise the bytes are part of the dictionary or of what is read ahead.
      packedPage = own && ahead.length === 0 ? packed : undefined
      if (isDictionary) dictionary = own
      else page = own
      yield { header, levels: packed.subarray(0, levels), body }
      free(page)
      free(packedPage)
    }
  } finally {
    free(page)
    free(packedPage)
    free(dictionary)
  }
}

/** Bytes from which a buffer is never part of a pool. */
const FREED = 1024 * 1024

/** Frees a page at once: otherwise several of its size wait to be collected. */
function free(page: Buffer | undefined): void {
  if (page && page.length >= FREED) (page.buffer as ArrayBuffer).transfer(0)
}
