import { LRUCache } from 'lru-cache'
import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { openTemporaryFile } from '../bytes/temporary-file.ts'

/** The shared texts of a workbook's cells, in order. */
export interface SharedStrings {
  readonly bytes: number
  /** Throws Invalid if they take more of the disk than an uploaded file may. */
  add(texts: readonly string[]): void
  /** The text at an index; empty if there is none. */
  at(index: number): string
  close(): Promise<void>
}

const BLOCK = 64 * 1024
/** Number of blocks of the file that are cached in memory. */
const CACHED = 96
/** The offset of every sixteenth text is kept. */
const STEP = 16
const PREFIX = 4

/** Stores any number of texts in a temporary file, with about 6 MiB of memory. */
export async function createSharedStrings(): Promise<SharedStrings> {
  const file = await openTemporaryFile()
  const blocks = new LRUCache<number, Buffer>({ max: CACHED })
  const starts: number[] = []
  let count = 0

  function blockOf(number: number): Buffer {
    const block = blocks.get(number) ?? file.at(number * BLOCK, BLOCK)
    blocks.set(number, block)
    return block
  }

  function bytesAt(start: number, length: number): Buffer {
    const from = start % BLOCK
    const head = blockOf(Math.floor(start / BLOCK)).subarray(from, from + length)
    if (head.length === length) return head
    return Buffer.concat([head, bytesAt(start + head.length, length - head.length)])
  }

  const lengthAt = (start: number): number => bytesAt(start, PREFIX).readUInt32LE(0)

  return {
    get bytes() {
      return file.bytes
    },
    add(texts) {
      let start = file.bytes
      const records = texts.map((text) => {
        if (count++ % STEP === 0) starts.push(start)
        const length = Buffer.byteLength(text)
        const record = Buffer.allocUnsafe(PREFIX + length)
        record.writeUInt32LE(length)
        record.write(text, PREFIX)
        start += record.length
        return record
      })
      if (start > limits.fileBytes) throw tooLarge()
      file.append(Buffer.concat(records))
    },
    at(index) {
      if (!Number.isInteger(index) || index < 0 || index >= count) return ''
      let start = starts[Math.floor(index / STEP)]!
      for (let step = index % STEP; step > 0; step--) start += PREFIX + lengthAt(start)
      return bytesAt(start + PREFIX, lengthAt(start)).toString('utf8')
    },
    close: file.close,
  }
}

const tooLarge = () =>
  new Invalid(
    `The shared texts of the workbook take more than ${limits.fileBytes} bytes. Divide it, or send it as csv.`,
  )
