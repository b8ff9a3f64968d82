import { pipeline, Readable, type Transform } from 'node:stream'
import { constants, createGunzip, createInflateRaw } from 'node:zlib'
import { Invalid } from '../../errors.ts'

const chunkSize = 64 * 1024

export const damagedArchive = () => new Invalid('The archive is damaged or incomplete.')

/**
 * Unpacks gzip. With `isCut`, the bytes may break off anywhere. Throws Invalid if they are damaged.
 */
export const gunzipped = (packed: AsyncIterable<Buffer>, { isCut }: { readonly isCut: boolean }) =>
  through(
    packed,
    createGunzip({ chunkSize, ...(isCut ? { finishFlush: constants.Z_SYNC_FLUSH } : {}) }),
  )

/** Unpacks an entry of a zip archive. Throws Invalid if it is damaged. */
export const inflated = (packed: AsyncIterable<Buffer>) =>
  through(packed, createInflateRaw({ chunkSize }))

async function* through(
  packed: AsyncIterable<Buffer>,
  unpacker: Transform,
): AsyncGenerator<Buffer> {
  const source = Readable.from(copies(packed), { objectMode: false })
  try {
    // Failures also reach the reader. The callback keeps them from ending the process.
    yield* pipeline(source, unpacker, () => undefined)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code?.startsWith('Z_') ? damagedArchive() : error
  }
}

/** Copies pieces, so that a stream may keep them (see StoredBytes.read). */
async function* copies(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) yield Buffer.from(piece)
}
