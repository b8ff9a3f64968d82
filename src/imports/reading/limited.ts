import type { Source } from '../../formats/bytes/unpack.ts'
import { Damaged } from './damaged.ts'

/** The beginning of a source; a longer one breaks off as a damaged one does. */
export const limited = (source: Source, most: number): Source => ({
  async *open() {
    let left = most
    for await (const chunk of source.open()) {
      if (chunk.length > left) {
        // A line is whole or not there at all, where there are lines.
        yield chunk.subarray(0, chunk.lastIndexOf('\n', left - 1) + 1 || left)
        throw new Damaged()
      }
      yield chunk
      left -= chunk.length
    }
  },
})
