import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Unavailable } from '../errors.ts'
import { createFileIfAbsent } from './create-file-if-absent.ts'
import { bounded, checkFileName, type FileBody, type FileStore } from './file-store.ts'
import { once } from './once.ts'

const CHUNK = 64 * 1024

/** Stores files in one folder of this machine, readable by this user only. */
export function createDirectoryStore(folder: string): FileStore {
  const pathOf = (name: string): string => {
    checkFileName(name)
    return join(folder, name)
  }
  const parts = join(folder, '.parts')
  return {
    id: once(() =>
      identityOf(folder).catch((error: unknown) => {
        throw noRoom(error)
      }),
    ),
    async write(name, body, limit) {
      const path = pathOf(name)
      const part = join(parts, `${name}.${randomUUID()}`)
      await mkdir(parts, { recursive: true, mode: 0o700 })
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
      return found && { bytes: found.size, body: bytesOf(path, start) }
    },
    async remove(name) {
      await rm(pathOf(name), { force: true })
      // Left by a process that crashed.
      const begun = ((await readdir(parts).catch(missing)) ?? []).filter((part) =>
        part.startsWith(`${name}.`),
      )
      for (const part of begun) await rm(join(parts, part), { force: true })
    },
  }
}

/**
 * Opens the file on first read, and closes it at its end or when the reader goes away. Node's own
 * Readable.toWeb crashes the process when that happens during a read.
 */
function bytesOf(path: string, start: number): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined
  let at = start
  let over = false
  const close = async () => {
    over = true
    await file?.close()
  }
  return new ReadableStream(
    {
      type: 'bytes',
      autoAllocateChunkSize: CHUNK,
      async pull(controller) {
        file ??= await open(path)
        // The reader went away while the file was being opened.
        const request = controller.byobRequest
        if (!request) return close()
        const { bytesRead } = await file.read(request.view as Uint8Array, { position: at })
        at += bytesRead
        // The reader went away during the read.
        if (over) return close()
        if (bytesRead === 0) {
          await close()
          controller.close()
        }
        request.respond(bytesRead)
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

/** The text of the file `.id`, created atomically by the first process. */
async function identityOf(folder: string): Promise<string> {
  const path = join(folder, '.id')
  // Read first, which also works on a full disk.
  const known = await readFile(path, 'utf8').catch(missing)
  if (known) return known
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await createFileIfAbsent(path, randomUUID())
  return readFile(path, 'utf8')
}

async function writeAll(path: string, body: FileBody, limit: number) {
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of joinedChunks(bounded(body, limit))) {
      bytes += chunk.byteLength
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return bytes
}

/** Joins small chunks, each of which would be a write of its own, in a buffer that is used again. */
export async function* joinedChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const small = Buffer.allocUnsafe(CHUNK)
  let length = 0
  for await (const chunk of chunks) {
    if (length > 0 && length + chunk.byteLength > CHUNK) {
      yield small.subarray(0, length)
      length = 0
    }
    if (chunk.byteLength >= CHUNK) yield chunk
    else {
      small.set(chunk, length)
      length += chunk.byteLength
    }
  }
  if (length > 0) yield small.subarray(0, length)
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function noRoom(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new Unavailable('The file storage is full. Try again later.', {
    retryAfter: 30,
    cause: error,
  })
}
