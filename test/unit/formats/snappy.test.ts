import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { snappyUncompress } from 'hyparquet'
import { expect, test } from 'vitest'
import { unpackSnappy } from '../../../src/formats/parquet/snappy.ts'

/** A block of one literal followed by `count` copies of 64 bytes. */
function block(count: number): { packed: Buffer; size: number } {
  const size = 1 + count * 64
  const length: number[] = []
  for (let left = size; ; left = Math.floor(left / 128)) {
    length.push(left < 128 ? left : (left % 128) + 128)
    if (left < 128) break
  }
  const copies = Buffer.from('\xfe\x01\x00'.repeat(count), 'latin1')
  return { packed: Buffer.concat([Buffer.from([...length, 0, 120]), copies]), size }
}

test('a block is decompressed to its content', async () => {
  const { packed, size } = block(1_000)
  expect(await unpackSnappy(packed, size)).toEqual(Buffer.alloc(size, 'x'))
  const literal = (text: string) => [60 << 2, text.length - 1, ...Buffer.from(text)]
  const mixed = Buffer.from([11, ...literal('abc'), 1, 3, ...literal('defg')])
  expect((await unpackSnappy(mixed, 11)).toString()).toBe('abcabcadefg')
})

test('a damaged block is refused or read exactly as by a library', async () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 100 }), async (tail, size) => {
      const packed = Buffer.from([size, ...tail])
      const read = await unpackSnappy(packed, size).catch((error) => error)
      if (!Buffer.isBuffer(read)) {
        expect(read).toBeInstanceOf(RangeError)
        return
      }
      const theirs = new Uint8Array(size)
      snappyUncompress(packed, theirs)
      expect(new Uint8Array(read)).toEqual(theirs)
    }),
    { numRuns: 2_000 },
  )
})

test('others can run while a large block is decompressed', async () => {
  const { packed, size } = block(128 * 1024)
  let turns = 0
  let isOver = false
  const others = async () => {
    for (; !isOver; turns++) await setImmediate()
  }
  void others()
  await unpackSnappy(packed, size)
  isOver = true
  expect(turns).toBeGreaterThan(6)
})
