import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FileLines } from '../formats/file-writer.ts'
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
  readonly write: (product: ProductView) => FileLines
  readonly limits: PartLimits
  /** Whether the part should end early because its run is stopped. */
  readonly isEnding: () => boolean
  readonly advanced: (now: ExportCheckpoint) => void
  /** Called between the chunks of a long page; throws when the part is not needed any more. */
  readonly checkNeeded: () => void
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

/** The lines of products in chunks of about PAGE_BYTES. */
function* chunksOf(
  products: readonly ProductView[],
  write: FilePartOptions['write'],
): Generator<Buffer> {
  let lines: string[] = []
  let length = 0
  for (const product of products) {
    for (const line of write(product)) {
      lines.push(line)
      length += line.length
      if (length < PAGE_BYTES) continue
      yield Buffer.from(lines.join(''))
      lines = []
      length = 0
    }
  }
  if (length > 0) yield Buffer.from(lines.join(''))
}

/** A part of a file, written page by page as `body` is read. */
export function createFilePart(options: FilePartOptions) {
  const { from, read, write, limits, isEnding, advanced, checkNeeded } = options
  let now = from

  async function* body(): AsyncGenerator<Uint8Array> {
    const began = performance.now()
    let size = FIRST_SIZE
    do {
      const page = await read(now, size)
      let bytes = 0
      for (const chunk of chunksOf(page.products, write)) {
        if (bytes > 0) {
          await yieldToEventLoop()
          checkNeeded()
        }
        bytes += chunk.byteLength
        yield chunk
      }
      now = {
        ...now,
        exported: now.exported + page.seen,
        after: page.products.at(-1)?.id ?? now.after,
        done: page.last,
        bytes: now.bytes + bytes,
      }
      advanced(now)
      size = nextSize(page.seen, bytes)
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
