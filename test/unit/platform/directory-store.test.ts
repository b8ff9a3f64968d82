import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDirectoryStore } from '../../../src/platform/directory-store.ts'

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

test('tiny chunks are written together, in their order', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-store-'))
  const writes = async () =>
    Number(/syscw: (\d+)/.exec(await readFile('/proc/self/io', 'utf8'))![1])
  const tiny = Array.from({ length: 20_000 }, (_, at) => Buffer.from(`${at}`.padStart(8)))
  const chunks = [...tiny, Buffer.alloc(100_000, 'x'), Buffer.from('end')]
  const before = await writes()
  await createDirectoryStore(folder).write('file', chunks, 1e9)
  expect((await writes()) - before).toBeLessThan(5_000)
  expect(await readFile(join(folder, 'file'))).toEqual(Buffer.concat(chunks))
})
