import { readSync, writeSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskFull } from '../../errors.ts'
import type { ByteRange } from './stored-bytes.ts'

const CHUNK = 64 * 1024

/**
 * Opens a temporary file without a name, which disappears when the process ends for any reason.
 * Throws DiskFull if there is no room.
 */
export async function openTemporaryFile() {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-import-')).catch(noRoom)
  const file = await open(join(folder, 'scratch'), 'wx+', 0o600).catch(noRoom)
  const unlink = () => rm(folder, { recursive: true, force: true }).catch(() => undefined)
  await unlink()
  let bytes = 0

  /** Up to `length` bytes from `start`. */
  function at(start: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, bytes - start)))
    let filled = 0
    while (filled < buffer.length) {
      const more = readSync(file.fd, buffer, filled, buffer.length - filled, start + filled)
      if (more === 0) break
      filled += more
    }
    return buffer.subarray(0, filled)
  }

  return {
    get bytes() {
      return bytes
    },
    append(chunk: Buffer): void {
      try {
        for (let done = 0; done < chunk.length; ) {
          done += writeSync(file.fd, chunk, done, chunk.length - done, bytes + done)
        }
      } catch (error) {
        noRoom(error)
      }
      bytes += chunk.length
    },
    at,
    async *read({ start = 0, end = bytes }: ByteRange = {}): AsyncGenerator<Buffer> {
      const last = Math.min(end, bytes)
      for (let from = start; from < last; from += CHUNK)
        yield at(from, Math.min(CHUNK, last - from))
    },
    async close(): Promise<void> {
      await file.close().catch(() => undefined)
      // In case an open file could not be removed before.
      await unlink()
    },
  }
}

function noRoom(cause: unknown): never {
  throw new DiskFull(
    'The disk for temporary files is full or cannot be written. Try again later.',
    { cause },
  )
}
