import { TooLarge } from '../errors.ts'

/** A file that was stored. */
interface StoredFile {
  readonly bytes: number
}

/** Keeps uploads, rejects and images. Names are ours (no caller's text), opaque and flat. */
export interface FileStore {
  /** Names the storage itself: instances with the same one see the same files. */
  id(): Promise<string>
  /**
   * Streams to storage, seen by nobody before it is whole; nothing is left behind when `body`
   * fails or passes `limit` bytes (TooLarge). A chunk of `body` is looked at only until the next
   * one is asked for.
   */
  write(name: string, body: AsyncIterable<Uint8Array>, limit: number): Promise<StoredFile>
  /** Undefined when there is no such file. `start` skips bytes. It is a stream of bytes (BYOB). */
  read(name: string, start?: number): Promise<ReadableStream<Uint8Array> | undefined>
  /** Also what a process that died had begun to write. */
  remove(name: string): Promise<void>
}

const NAME = /^[A-Za-z0-9_-]{1,128}$/

/** Throws for what no store takes as a name: a mistake of ours, never a caller's. */
export function checkFileName(name: string): void {
  if (!NAME.test(name)) throw new Error('A file name of the store has letters, digits, - and _.')
}

/** Passes chunks on until they are more than `limit` bytes together: TooLarge. */
export async function* bounded(
  body: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new TooLarge(`The file is larger than ${limit} bytes.`)
    yield chunk
  }
}
