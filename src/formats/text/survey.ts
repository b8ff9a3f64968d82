import { createEncodingJudge, type Encoding } from './encoding.ts'

/** The result of reading a whole file once. */
export interface Survey {
  readonly bytes: number
  readonly encoding: Encoding
  /** The beginning of the file, as text. */
  readonly head: string
}

const HEAD_BYTES = 64 * 1024

/**
 * Reads a whole file without its rows. Only then are its size and encoding certain, and a damaged
 * archive or a zip bomb is refused before anything is imported.
 */
export async function survey(chunks: AsyncIterable<Buffer>): Promise<Survey> {
  const judge = createEncodingJudge()
  const head: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    if (bytes < HEAD_BYTES) head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - bytes)))
    bytes += chunk.length
    judge.see(chunk)
  }
  const encoding = judge.verdict()
  const label = encoding === 'utf-8-damaged' ? 'utf-8' : encoding
  return { bytes, encoding, head: new TextDecoder(label).decode(Buffer.concat(head)) }
}
