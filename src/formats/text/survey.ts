import { Damaged } from '../../imports/reading/damaged.ts'
import type { Source } from '../bytes/unpack.ts'
import { createEncodingJudge, type Encoding } from './encoding.ts'

/** What a first look through a whole file says about it. */
export interface Survey {
  /** Unpacked bytes that can be read. */
  readonly bytes: number
  readonly encoding: Encoding
  /** The archive breaks off after `bytes`. */
  readonly damaged: boolean
  /** The beginning of the file, as text. */
  readonly head: string
}

const HEAD_BYTES = 64 * 1024

/**
 * Reads a file once without looking at its rows: only then are its size and its encoding certain,
 * and an archive that is a bomb is refused before anything was imported. Undefined when cancelled.
 */
export async function survey(
  source: Source,
  isCancelled: () => boolean,
): Promise<Survey | undefined> {
  const judge = createEncodingJudge()
  const head: Buffer[] = []
  let bytes = 0
  let damaged = false
  try {
    for await (const chunk of source.open()) {
      if (isCancelled()) return undefined
      if (bytes < HEAD_BYTES) head.push(Buffer.from(chunk.subarray(0, HEAD_BYTES - bytes)))
      bytes += chunk.length
      judge.see(chunk)
    }
  } catch (error) {
    if (!(error instanceof Damaged)) throw error
    damaged = true
  }
  const encoding = judge.verdict()
  const label = encoding === 'utf-8-damaged' ? 'utf-8' : encoding
  return { bytes, encoding, damaged, head: new TextDecoder(label).decode(Buffer.concat(head)) }
}
