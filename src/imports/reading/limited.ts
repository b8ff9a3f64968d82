import { Damaged } from './damaged.ts'
import type { Source } from './unpack.ts'

/** The beginning of a source; a longer one breaks off as a damaged one does. */
export const limited = (source: Source, most: number): Source => ({
  async *open() {
    let left = most
    for await (const chunk of source.open()) {
      yield chunk.subarray(0, left)
      left -= chunk.length
      if (left < 0) throw new Damaged()
    }
  },
})
