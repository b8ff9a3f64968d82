import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { TooLarge, Unavailable } from '../errors.ts'
import type { FileStore } from './files.ts'

const NAME = /^[A-Za-z0-9_-]{1,128}$/

/** Keeps files in one folder of this machine, each under its own name, readable by us only. */
export function createDirectoryStore(folder: string): FileStore {
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error('A file name of the store has letters, digits, - and _.')
    return join(folder, name)
  }
  return {
    async write(name, body, limit) {
      const path = pathOf(name)
      const part = `${path}.${randomUUID()}.part`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        const bytes = await writeAll(part, body, limit)
        await rename(part, path)
        return { bytes }
      } catch (error) {
        await rm(part, { force: true })
        throw noRoom(error)
      }
    },
    async read(name, start = 0) {
      const path = pathOf(name)
      const found = await stat(path).catch(missing)
      if (!found) return undefined
      return Readable.toWeb(createReadStream(path, { start })) as ReadableStream<Uint8Array>
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  }
}

async function writeAll(path: string, body: AsyncIterable<Uint8Array>, limit: number) {
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength
      if (bytes > limit) throw new TooLarge(`The file is larger than ${limit} bytes.`)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return bytes
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function noRoom(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new Unavailable('There is no room for files now.', { retryAfter: 30, cause: error })
}
