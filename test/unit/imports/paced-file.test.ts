import { expect, test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { pacedFile } from '../../../src/imports/open-file.ts'

test('the bytes that a file passes to its thread are counted over all of its ranges', async () => {
  const looks: string[] = []
  const requests = {
    hasOthers(owner: string) {
      looks.push(owner)
      return false
    },
  }
  const ctx = { requests, organization: { id: 'one', parent: null } } as never
  const file = pacedFile(ctx, storedBuffer(Buffer.alloc(1_000_000)))
  let bytes = 0
  for (let at = 0; at < 3; at++) for await (const chunk of file.read()) bytes += chunk.length
  expect([bytes, looks]).toEqual([3_000_000, ['one', 'one']])
})

test('the milliseconds for which a file rested are known', async () => {
  const ctx = { requests: { hasOthers: () => true }, organization: { id: 'one', parent: null } }
  const file = pacedFile(ctx as never, storedBuffer(Buffer.alloc(1_100_000)))
  for await (const _ of file.read())
    for (const at = performance.now(); performance.now() - at < 3; );
  expect(file.restedMs!()).toBeGreaterThan(30)
})
