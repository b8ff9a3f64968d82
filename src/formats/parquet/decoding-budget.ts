import { Invalid } from '../../errors.ts'

/** Steps of decoding a cell or a page. Those of any real file take far fewer. */
const MOST = 1_000_000
/** Bytes that are copied in the time of a step. */
const COPIED = 64

/** Limits the work of decoding, since numbers of no bits, and empty runs, take hardly any bytes. */
export class DecodingBudget {
  #steps = 0

  /** Begins the next cell or page. */
  restart(): void {
    this.#steps = 0
  }

  /** Throws Invalid when there was too much. */
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
