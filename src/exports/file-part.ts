import type { FileLines } from '../formats/file-writer.ts'
import { createPacing } from '../platform/pacing.ts'
import type { ProductView } from '../products/view.ts'
import type { ExportCheckpoint } from './job.ts'
import {
  FIRST_PORTION,
  fittingPortion,
  type PagePortion,
  PORTION_BYTES,
} from './selected-portions.ts'

/** Limits that end a part. The next part begins with the next products. */
export interface PartLimits {
  readonly bytes: number
  readonly products: number
  readonly ms: number
}

interface FilePartsOptions {
  /** Waits until the next products may be read; returns a function that ends this. */
  readonly enter?: () => Promise<() => void>
  /**
   * Reads the next products, at most `size`, and none at the end; waits while storage does not
   * answer.
   */
  readonly read: (position: ExportCheckpoint, size: number) => Promise<PagePortion>
  readonly write: (product: ProductView) => FileLines
  readonly limits: PartLimits
  /** Whether the part should end early because its run is stopped. */
  readonly isEnding: () => boolean
  readonly advanced: (now: ExportCheckpoint) => void
  /** Called between the chunks of many products; throws when the part is not needed any more. */
  readonly checkNeeded: () => void
}

const LARGEST_SIZE = 250

/** The number of products to read next, by the bytes of the last ones. */
export const nextSize = (size: number, bytes: number): number =>
  fittingPortion(size, bytes, Math.min(LARGEST_SIZE, 2 * size))

/** The lines of products in chunks of about PORTION_BYTES. */
function* chunksOf(products: PagePortion, write: FilePartsOptions['write']): Generator<Buffer> {
  let lines: string[] = []
  let length = 0
  for (const product of products) {
    for (const line of product ? write(product) : []) {
      lines.push(line)
      length += line.length
      if (length < PORTION_BYTES) continue
      yield Buffer.from(lines.join(''))
      lines = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.from(lines.join(''))
}

/**
 * Returns a function that begins the next part of a file, which is written as its `body` is read.
 * `reached` is the checkpoint after that, without the file of the part itself.
 */
export function createFileParts(options: FilePartsOptions) {
  const { enter, read, write, limits, isEnding, advanced, checkNeeded } = options
  let size = FIRST_PORTION

  return (from: ExportCheckpoint) => {
    let now = from

    async function* nextProducts(): AsyncGenerator<Uint8Array> {
      const leave = await enter?.()
      try {
        const products = await read(now, size)
        const pace = createPacing()
        let bytes = 0
        for (const chunk of chunksOf(products, write)) {
          if (bytes > 0) {
            await pace()
            checkNeeded()
          }
          bytes += chunk.byteLength
          // Others need not wait until it is stored.
          leave?.()
          yield chunk
        }
        now = {
          ...now,
          exported: now.exported + products.length,
          after: products.findLast((product) => product !== undefined)?.id ?? now.after,
          done: products.length === 0,
          bytes: now.bytes + bytes,
        }
        size = nextSize(products.length, bytes)
      } finally {
        leave?.()
      }
      advanced(now)
    }

    async function* body(): AsyncGenerator<Uint8Array> {
      const began = performance.now()
      do {
        yield* nextProducts()
      } while (
        !now.done &&
        !isEnding() &&
        now.bytes - from.bytes < limits.bytes &&
        now.exported - from.exported < limits.products &&
        performance.now() - began < limits.ms
      )
    }

    return { body: body(), reached: () => now }
  }
}
