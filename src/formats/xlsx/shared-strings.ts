import { openTemporaryFile, type TemporaryFile } from '../bytes/temporary-file.ts'

/** The texts that the cells of a workbook share, in their order. */
export interface SharedStrings {
  add(text: string): Promise<void>
  /** Empty for a number that is not there. */
  at(index: number): string
  close(): Promise<void>
}

const BLOCK = 64 * 1024
/** Blocks that are held in memory; further texts are in a temporary file. */
const HELD = 96
/** Of each sixteenth text it is kept where it begins. */
const STEP = 16
const PREFIX = 4

/** Holds any number of texts in some 6 MiB of memory. */
export function createSharedStrings(): SharedStrings {
  const starts: number[] = []
  /** In the order of their last use once they come from the file. */
  const blocks = new Map<number, Buffer>()
  let scratch: TemporaryFile | undefined
  let open = Buffer.allocUnsafe(BLOCK)
  let count = 0
  let size = 0

  async function put(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const filled = size % BLOCK
      const taken = bytes.copy(open, filled, at)
      at += taken
      size += taken
      if (size % BLOCK === 0) await keep(size / BLOCK - 1)
    }
  }

  async function keep(number: number): Promise<void> {
    const block = open
    open = Buffer.allocUnsafe(BLOCK)
    if (!scratch && number >= HELD) {
      scratch = await openTemporaryFile()
      for (const held of blocks.values()) scratch.append(held)
      blocks.clear()
    }
    if (scratch) scratch.append(block)
    else blocks.set(number, block)
  }

  function blockOf(number: number): Buffer {
    if (number === Math.floor(size / BLOCK)) return open
    const known = blocks.get(number)
    if (!scratch) return known!
    const block = known ?? scratch.at(number * BLOCK, BLOCK)
    blocks.delete(number)
    blocks.set(number, block)
    if (blocks.size > HELD) blocks.delete(blocks.keys().next().value!)
    return block
  }

  function bytesAt(start: number, length: number): Buffer {
    const first = blockOf(Math.floor(start / BLOCK))
    const from = start % BLOCK
    if (from + length <= BLOCK) return first.subarray(from, from + length)
    const head = first.subarray(from)
    return Buffer.concat([head, bytesAt(start + head.length, length - head.length)])
  }

  const lengthAt = (start: number): number => bytesAt(start, PREFIX).readUInt32LE(0)

  return {
    async add(text) {
      if (count++ % STEP === 0) starts.push(size)
      const length = Buffer.byteLength(text)
      const record = Buffer.allocUnsafe(PREFIX + length)
      record.writeUInt32LE(length)
      record.write(text, PREFIX)
      await put(record)
    },
    at(index) {
      if (!Number.isInteger(index) || index < 0 || index >= count) return ''
      let start = starts[Math.floor(index / STEP)]!
      for (let step = index % STEP; step > 0; step--) start += PREFIX + lengthAt(start)
      return bytesAt(start + PREFIX, lengthAt(start)).toString('utf8')
    },
    close: async () => scratch?.close(),
  }
}
