import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { fileStoreContract, mebibytes } from './contract.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-store-'))
})

async function contents(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== '.id')
  return files.map(({ name }) => name.split('.')[0]!).toSorted()
}

test('a reader that cancels while the file is opened leaves none open', async () => {
  const store = createDirectoryStore(folder)
  await store.write('large', mebibytes(4), 1e9)
  const before = (await readdir('/proc/self/fd')).length
  const reading = Array.from({ length: 50 }, async () => {
    const reader = (await store.read('large'))!.body.getReader()
    const read = reader.read()
    await reader.cancel()
    await read
  })
  await Promise.all(reading)
  const open = async () => (await readdir('/proc/self/fd')).length
  await expect.poll(open).toBeLessThan(before + 10)
})

describe('a directory', () => {
  fileStoreContract(() => ({ open: () => createDirectoryStore(folder), contents }))
})
