import { TooLarge } from '../errors.ts'

/** The chunks of a file. */
export type FileBody = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** A stored file, from the byte on at which reading starts. */
export interface FileContent {
  /** Bytes of the whole file; null if the storage does not say. */
  readonly bytes: number | null
  /** A byte stream (BYOB). */
  readonly body: ReadableStream<Uint8Array>
}

/** Stores uploads, rejects and images. Names are generated, opaque and flat. */
export interface FileStore {
  /** Identifies the storage: instances with the same id share its files. */
  id(): Promise<string>
  /**
   * Streams to storage. The file is invisible until complete, and nothing remains when `body` fails
   * or exceeds `limit` bytes (TooLarge). A chunk of `body` is used only until the next one is
   * requested.
   */
  write(name: string, body: FileBody, limit: number): Promise<{ readonly bytes: number }>
  /** Undefined when there is no such file. `start` skips bytes. */
  read(name: string, start?: number): Promise<FileContent | undefined>
  /** Also removes what a process that died had begun to write. */
  remove(name: string): Promise<void>
}

const NAME = /^[A-Za-z0-9_-]{1,128}$/

/** Throws for an invalid file name, which is a programming error, never a caller's. */
export function checkFileName(name: string): void {
  if (!NAME.test(name)) throw new Error('A file name of the store has letters, digits, - and _.')
}

/** Passes chunks on up to `limit` bytes in total. Throws TooLarge beyond. */
export async function* bounded(body: FileBody, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new TooLarge(`The file is larger than ${limit} bytes.`)
    yield chunk
  }
}
