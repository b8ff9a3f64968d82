import { NotFound } from '../../errors.ts'
import type { FileStore } from '../../platform/files.ts'

/** The bytes of a stored file from `start` up to `end`. Throws NotFound. */
export async function* storedBytes(
  files: FileStore,
  id: string,
  { start = 0, end = Number.POSITIVE_INFINITY } = {},
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
