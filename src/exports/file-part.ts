import type { ProductView } from '../products/view.ts'
import type { ExportCheckpoint } from './job.ts'
import type { ProductPage } from './selected-products.ts'

/** Limits that end a part. The next part begins with the next page. */
export interface PartLimits {
  readonly bytes: number
  readonly products: number
  readonly ms: number
}

interface FilePartOptions {
  readonly from: ExportCheckpoint
  /** Reads the next page; waits while storage does not answer. */
  readonly read: (position: ExportCheckpoint, size: number) => Promise<ProductPage>
  readonly write: (product: ProductView) => string
  readonly limits: PartLimits
  /** Whether the part should end early because its run is stopped. */
  readonly isEnding: () => boolean
  readonly advanced: (now: ExportCheckpoint) => void
}

const FIRST_SIZE = 50
const LARGEST_SIZE = 250
/** Bounds memory to a few pages, whatever the size of products. */
const PAGE_BYTES = 512 * 1024

/** The number of products in the next page, by the bytes of the last one. */
export function nextSize(size: number, bytes: number): number {
  const fitting = Math.floor((size * PAGE_BYTES) / Math.max(1, bytes))
  return Math.max(1, Math.min(LARGEST_SIZE, 2 * size, fitting))
}

/** A part of a file, written page by page as `body` is read. */
export function createFilePart(options: FilePartOptions) {
  const { from, read, write, limits, isEnding, advanced } = options
  let now = from

  async function* body(): AsyncGenerator<Uint8Array> {
    const began = performance.now()
    let size = FIRST_SIZE
    do {
      const page = await read(now, size)
      const chunk = Buffer.from(page.products.map(write).join(''))
      now = {
        ...now,
        exported: now.exported + page.seen,
        after: page.products.at(-1)?.id ?? now.after,
        done: page.last,
        bytes: now.bytes + chunk.byteLength,
      }
      if (chunk.byteLength > 0) yield chunk
      advanced(now)
      size = nextSize(page.seen, chunk.byteLength)
    } while (
      !now.done &&
      !isEnding() &&
      now.bytes - from.bytes < limits.bytes &&
      now.exported - from.exported < limits.products &&
      performance.now() - began < limits.ms
    )
  }

  /** `reached`: the checkpoint after the body was read, without the file of the part itself. */
  return { body: body(), reached: () => now }
}
