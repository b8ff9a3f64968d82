import { NotFound } from '../../errors.ts'
import type { FileStore } from '../../platform/files.ts'

/** Bytes that can be read from anywhere, again and again. */
export interface Stored {
  readonly bytes: number
  /** The bytes from `start` up to `end`; all of them when absent. */
  read(range?: { readonly start?: number; readonly end?: number }): AsyncGenerator<Buffer>
}

/** A file of the store. Reading throws NotFound when it is gone. */
export const storedFile = (
  files: FileStore,
  { id, bytes }: { readonly id: string; readonly bytes: number },
): Stored => ({ bytes, read: (range) => storedBytes(files, id, range) })

/** Bytes that are held in memory. */
export const storedBuffer = (buffer: Buffer): Stored => ({
  bytes: buffer.length,
  async *read({ start = 0, end = buffer.length } = {}) {
    if (start < end) yield buffer.subarray(start, end)
  },
})

/** The bytes of a stored file from `start` up to `end`. Throws NotFound. */
export async function* storedBytes(
  files: FileStore,
  id: string,
  { start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number } = {},
): AsyncGenerator<Buffer> {
  const body = await files.read(id, start)
  if (!body) throw new NotFound('The uploaded file was')
  let left = end - start
  if (left <= 0) return
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.byteLength, left))
    left -= bytes.length
    yield bytes
    if (left <= 0) return
  }
}

/** The first bytes, up to `count`. */
export async function headOf(file: Stored, count: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file.read({ end: count })) chunks.push(chunk)
  return Buffer.concat(chunks)
}
