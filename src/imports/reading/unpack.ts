import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FileStore } from '../../platform/files.ts'
import { storedBytes } from './stored.ts'
import { gunzipped } from './streams.ts'
import { isZip, zipEntry } from './zip.ts'

/** The bytes of an import file, unpacked; can be read again and again. */
export interface Source {
  /** Throws Damaged where the archive breaks off, and Invalid past the limits. */
  open(): AsyncGenerator<Buffer>
}

export interface PackedFile {
  readonly id: string
  readonly bytes: number
  /** The entry of a zip archive; needed when it has several. */
  readonly entry: string | null
}

/** Highly regular small files pack better than any real catalog. */
const RATIO_FROM = 64 * 1024 * 1024

/** Opens a plain, gzip or zip file, told by its first bytes. Throws NotFound, Invalid. */
export async function openSource(files: FileStore, file: PackedFile): Promise<Source> {
  const head = await firstBytes(files, file.id)
  const stored = () => storedBytes(files, file.id)
  if (isZip(head)) {
    const entry = await zipEntry(files, file)
    return { open: () => bounded(entry.open(), entry.packedBytes) }
  }
  if (head[0] === 0x1f && head[1] === 0x8b) {
    return { open: () => bounded(gunzipped(stored), file.bytes) }
  }
  return { open: stored }
}

async function firstBytes(files: FileStore, id: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of storedBytes(files, id, { end: 4 })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function* bounded(chunks: AsyncIterable<Buffer>, packed: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > limits.importBytes) {
      throw new Invalid(`The file unpacks to more than ${limits.importBytes} bytes.`)
    }
    if (bytes > RATIO_FROM && bytes > packed * limits.importRatio) {
      throw new Invalid(`The file unpacks to more than ${limits.importRatio} times its size.`)
    }
    yield chunk
  }
}
