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
export interface ColumnPage {
  readonly header: PageHeader
  /** Levels of a version 2 page, stored before the values and not compressed. */
  readonly levels: Buffer
  /** The decompressed body. */
  readonly body: Buffer
}

/** Decompressed bytes of all columns that are held in memory. */
export interface HeldBytes {
  bytes: number
  /** Decompressed bytes of all pages so far. */
  unpacked: number
}

export interface ParquetBytes {
  readonly bytes: number
  /** Bytes to which the size of its unpacked pages is compared. */
  readonly packedBytes: number
  readonly read: RangeReader
}

const READ_AHEAD = 64 * 1024
/** Maximum bytes of a page header, whose statistics are short. */
const HEADER = 32 * 1024

const UNPACKERS: Readonly<Record<string, (packed: Buffer, size: number) => Buffer>> = {
  UNCOMPRESSED: (packed) => packed,
  SNAPPY(packed, size) {
    const unpacked = Buffer.alloc(size)
    snappyUncompress(packed, unpacked)
    return unpacked
  },
  GZIP: (packed, maxOutputLength) => gunzipSync(packed, { maxOutputLength }),
  BROTLI: (packed, maxOutputLength) => brotliDecompressSync(packed, { maxOutputLength }),
  ZSTD: (packed, maxOutputLength) => zstdDecompressSync(packed, { maxOutputLength }),
}

/** The pages of a column in a row group. Throws Invalid. */
export async function* pagesOf(
  file: ParquetBytes,
  { codec, start, bytes }: StoredColumn,
  held: HeldBytes,
): AsyncGenerator<ColumnPage> {
  const unpacker = UNPACKERS[codec ?? '']
  if (!unpacker) {
    const known = Object.keys(UNPACKERS).join(', ')
    throw new Invalid(
      `The Parquet file is compressed with ${codec}, which is not supported. Supported: ${known}.`,
    )
  }
  let at = start
  const end = at + bytes
  if (!(at > 0 && end <= file.bytes)) throw damaged()
  let ahead: Buffer = Buffer.alloc(0)

  /** The next bytes of the column, without advancing; fewer at its end. */
  async function peek(count: number): Promise<Buffer> {
    if (ahead.length < Math.min(count, end - at)) {
      const until = Math.min(end, at + Math.max(count, READ_AHEAD))
      ahead = await file.read(at, until)
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

  let dictionary = 0
  let mine = 0
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
    // The position of each text in a dictionary is held as well.
    if (header.type === 'DICTIONARY_PAGE') dictionary = 2 * whole
    held.bytes += dictionary + size + whole - mine
    mine = dictionary + size + whole
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
    yield { header, levels: packed.subarray(0, levels), body }
  }
}
