import { expect, test } from 'vitest'
import { RecordCursor } from '../../../src/platform/outbound/tls-records.ts'

test('records end where their headers say, in whatever pieces they arrive', () => {
  const bytes = Buffer.from([22, 3, 3, 0, 2, 1, 1, 23, 3, 3, 0, 0, 23, 3, 3, 1, 0])
  const all = Buffer.concat([bytes, Buffer.alloc(256)])
  const recordsIn = (pieceBytes: number) => {
    const cursor = new RecordCursor()
    const records: [size: number, isHandshake: boolean][] = []
    for (let from = 0; from < all.length; from += pieceBytes) {
      for (let rest = all.subarray(from, from + pieceBytes); rest.length > 0; ) {
        const { moved, ended } = cursor.advance(rest)
        if (ended !== undefined) records.push([ended, cursor.isHandshake()])
        rest = rest.subarray(moved)
      }
    }
    return records
  }
  for (const pieceBytes of [1, 2, 3, 7, 1_000]) {
    expect(recordsIn(pieceBytes)).toEqual([
      [7, true],
      [5, false],
      [261, false],
    ])
  }
})
