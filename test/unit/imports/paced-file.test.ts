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
