import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { createPacing } from '../../platform/pacing.ts'
import { gunzipped } from './inflate.ts'
import { headOf, packedSize, type StoredBytes } from './stored-bytes.ts'
import { openTemporaryFile } from './temporary-file.ts'
import { isZip, zipEntry } from './zip.ts'

/** The unpacked bytes of a file, which can be read repeatedly. */
export interface ByteSource {
  /** A chunk is valid until the next one is requested. Throws Invalid for a damaged archive. */
  open(): AsyncGenerator<Buffer>
  /** Whether this is only the beginning of a file. */
  readonly isCut?: boolean
  close?(): Promise<void>
}

/** Size from which the ratio is checked. Small regular files may exceed it. */
const RATIO_FROM = 64 * 1024 * 1024

/**
 * Opens a plain, gzip or zip file, recognized by its first bytes. Throws NotFound, Invalid, while
 * it is read also for an archive in an archive.
 */
export async function unpacked(file: StoredBytes, wanted: string | null): Promise<ByteSource> {
  const source = await unpackedOnce(file, wanted)
  return { ...source, open: () => unnested(source.open()) }
}

async function* unnested(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst && (isGzip(chunk) || isZip(chunk))) {
      throw new Invalid('The archive contains another archive. Send the inner file itself.')
    }
    isFirst = false
    yield chunk
  }
}

/** Also opens an archive in an archive, such as a workbook, which is a zip. */
async function unpackedOnce(file: StoredBytes, wanted: string | null): Promise<ByteSource> {
  const { isCut = false } = file
  const head = await headOf(file, 4)
  if (isZip(head)) return entrySource(file, wanted)
  if (!isGzip(head)) return { open: () => file.read(), isCut }
  return { open: () => bounded(gunzipped(file.read(), { isCut }), file.bytes), isCut }
}

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b

/** One file of a zip archive. Throws Invalid. */
export async function entrySource(file: StoredBytes, wanted: string | null): Promise<ByteSource> {
  const entry = await zipEntry(file, wanted)
  return { open: () => bounded(entry.open(), Math.min(entry.packedBytes, packedSize(file))) }
}

async function* bounded(chunks: AsyncIterable<Buffer>, packed: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    checkUnpacked(bytes, packed)
    yield chunk
  }
}

/** Throws Invalid for a file that unpacks to more than any real one. */
export function checkUnpacked(bytes: number, packed: number): void {
  if (bytes > limits.importBytes) {
    throw new Invalid(`The file unpacks to more than ${limits.importBytes} bytes.`)
  }
  if (bytes > RATIO_FROM && bytes > packed * limits.importRatio) {
    throw new Invalid(`The file unpacks to more than ${limits.importRatio} times its size.`)
  }
}

/** A file with random access; must be closed. */
export interface SeekableFile {
  readonly file: StoredBytes
  close(): Promise<void>
}

/**
 * Unpacks a file to a temporary one; `check` is called with its first bytes. Throws Invalid, also if
 * it is larger than an uploaded file may be.
 */
export async function unpackedToDisk(
  file: StoredBytes,
  entry: string | null,
  check?: (head: Buffer) => void,
): Promise<SeekableFile> {
  const source = await unpackedOnce(file, entry)
  const scratch = await openTemporaryFile()
  const pace = createPacing()
  try {
    for await (const chunk of source.open()) {
      if (scratch.bytes === 0) check?.(chunk)
      scratch.append(chunk)
      if (scratch.bytes > limits.fileBytes) throw tooLargeOnDisk()
      await pace()
    }
    const { bytes, read, close } = scratch
    return { file: { bytes, archiveBytes: file.bytes, read }, close }
  } catch (error) {
    await scratch.close()
    throw error
  }
}

const tooLargeOnDisk = () =>
  new Invalid(
    `A workbook or Parquet file in an archive may unpack to at most ${limits.fileBytes} bytes. Send it without the archive.`,
  )

/** The first bytes, up to a line end if possible. Calls `cut` when more follow. */
export async function* firstBytes(
  chunks: AsyncIterable<Buffer>,
  most: number,
  cut: () => void,
): AsyncGenerator<Buffer> {
  let left = most
  for await (const chunk of chunks) {
    if (chunk.length > left) {
      cut()
      yield chunk.subarray(0, chunk.lastIndexOf('\n', left - 1) + 1 || left)
      return
    }
    yield chunk
    left -= chunk.length
  }
}

/** The bytes after the first ones. */
export async function* withoutFirst(
  chunks: AsyncIterable<Buffer>,
  count: number,
): AsyncGenerator<Buffer> {
  let left = count
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}
