import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectoryStore, joinedChunks } from '../../../src/platform/directory-store.ts'

async function* text(...parts: string[]) {
  for (const part of parts) yield Buffer.from(part)
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

test('parts written by a killed process are deleted together with the file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-store-'))
  await createDirectoryStore(folder).write('kept', text('a', 'b'), 10)
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  async function* unfinished() {
    yield Buffer.from('half')
    begun.resolve()
    await end.promise
  }
  const writing = createDirectoryStore(folder).write('lost', unfinished(), 10)
  await begun.promise
  expect(await filesIn(folder)).toHaveLength(2)

  await createDirectoryStore(folder).remove('lost')
  expect(await filesIn(folder)).toEqual(['kept'])
  end.reject(new Error('the sender went away'))
  await expect(writing).rejects.toThrow('the sender went away')
  await createDirectoryStore(folder).remove('never-was')
  expect(await filesIn(folder)).toEqual(['kept'])
})

test('its id can be read as soon as an obstacle is removed', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'aisle-store-')), 'files')
  await writeFile(folder, 'no folder')
  const store = createDirectoryStore(folder)
  await expect(store.id()).rejects.toThrow()
  await rm(folder)
  const id = await store.id()
  expect(await store.id()).toBe(id)
  expect(await createDirectoryStore(folder).id()).toBe(id)
})

test('tiny chunks are joined, in their order', async () => {
  const tiny = Array.from({ length: 20_000 }, (_, at) => `${at}`.padStart(8))
  const chunks = [...tiny, 'x'.repeat(100_000), 'end']
  const joined: string[] = []
  for await (const chunk of joinedChunks(text(...chunks))) joined.push(`${chunk}`)
  expect(joined.map(({ length }) => length)).toEqual([65_536, 65_536, 28_928, 100_000, 3])
  expect(joined.join('')).toBe(chunks.join(''))
})
