import { Invalid } from '../../errors.ts'
import { gunzipped } from '../../imports/reading/streams.ts'
import { limits } from '../../limits.ts'
import { headOf, type Stored } from './stored.ts'
import { isZip, zipEntry } from './zip.ts'

/** The bytes of an import file, unpacked; can be read again and again. */
export interface Source {
  /**
   * Its pieces are good until the next one is asked for. Throws Damaged where the archive breaks
   * off, and Invalid past the limits.
   */
  open(): AsyncGenerator<Buffer>
}

/** Highly regular small files pack better than any real catalog. */
const RATIO_FROM = 64 * 1024 * 1024

/** Opens a plain, gzip or zip file, told by its first bytes. Throws NotFound, Invalid. */
export async function unpacked(file: Stored, wanted: string | null): Promise<Source> {
  const head = await headOf(file, 4)
  if (isZip(head)) return entrySource(file, wanted)
  if (isGzip(head))
    return {
      open: () =>
        bounded(
          gunzipped(() => file.read()),
          file.bytes,
        ),
    }
  return { open: () => file.read() }
}

const isGzip = (head: Buffer): boolean => head[0] === 0x1f && head[1] === 0x8b

/** One file of a zip archive. Throws Invalid. */
export async function entrySource(file: Stored, wanted: string | null): Promise<Source> {
  const entry = await zipEntry(file, wanted)
  return { open: () => bounded(entry.open(), entry.packedBytes) }
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
