import { pipeline, Readable, type Transform } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { Damaged } from './damaged.ts'

const chunkSize = 64 * 1024

type Bytes = () => AsyncGenerator<Buffer>

/** Unpacks gzip. Throws Damaged where it breaks off. */
export const gunzipped = (packed: Bytes) => through(packed, createGunzip({ chunkSize }))

/** Unpacks what a zip archive holds. Throws Damaged where it breaks off. */
export const inflated = (packed: Bytes) => through(packed, createInflateRaw({ chunkSize }))

async function* through(packed: Bytes, unpacker: Transform): AsyncGenerator<Buffer> {
  pipeline(Readable.from(packed(), { objectMode: false }), unpacker, () => undefined)
  try {
    yield* unpacker
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code?.startsWith('Z_') ? new Damaged() : error
  }
}
