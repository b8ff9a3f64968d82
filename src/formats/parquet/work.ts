import { Invalid } from '../../errors.ts'

/** Steps of decoding without a pause. A cell of any real file takes far fewer. */
const MOST = 1_000_000
/** Steps after which to yield to other work. */
const PAUSE = 10_000
/** Bytes that are copied in the time of a step. */
const COPIED = 64

/** Counts the work of decoding, since numbers of no bits, and empty runs, take hardly any bytes. */
export class DecodingWork {
  /** Steps since the last pause. */
  #steps = 0

  get isPauseDue(): boolean {
    return this.#steps >= PAUSE
  }

  notePause(): void {
    this.#steps = 0
  }

  /** Throws Invalid when there was too much since the last pause. */
  add(steps: number): void {
    this.#steps += steps
    if (this.#steps > MOST) {
      throw new Invalid('The Parquet file has a cell or a page that takes too long to decode.')
    }
  }

  addCopied(bytes: number): void {
    this.add(bytes / COPIED)
  }
}
