/** A file that was stored. */
export interface StoredFile {
  readonly bytes: number
}

/** Keeps uploads, rejects and images. Names are ours (no caller's text), opaque and flat. */
export interface FileStore {
  /** Names the storage itself: instances with the same one see the same files. */
  id(): Promise<string>
  /** Streams to storage; nothing is left behind when it fails or passes `limit` bytes (TooLarge). */
  write(name: string, body: AsyncIterable<Uint8Array>, limit: number): Promise<StoredFile>
  /** Undefined when there is no such file. `start` skips bytes. */
  read(name: string, start?: number): Promise<ReadableStream<Uint8Array> | undefined>
  remove(name: string): Promise<void>
}
