import { expect, test } from 'vitest'
import { storedBuffer } from '../../../src/formats/bytes/stored-bytes.ts'
import { zipEntry, zipNames } from '../../../src/formats/bytes/zip.ts'
import { zipFile } from '../../support/zip-file.ts'

test('an archive of many files is read in a few reads', async () => {
  const name = (at: number) => `media/${at}.png`
  const parts = Array.from({ length: 990 }, (_, at) => ({
    name: name(at),
    content: Buffer.from(`${at}`),
  }))
  const stored = storedBuffer(zipFile(parts))
  let reads = 0
  const file = {
    ...stored,
    read(range?: Parameters<typeof stored.read>[0]) {
      reads++
      return stored.read(range)
    },
  }
  expect(await zipNames(file)).toEqual(parts.map((part) => part.name))
  expect(reads).toBeLessThan(10)
  const entry = await zipEntry(file, name(700))
  for await (const chunk of entry.open()) expect(chunk.toString()).toBe('700')
  expect(reads).toBeLessThan(20)
})
