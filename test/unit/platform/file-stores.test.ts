import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TooLarge, Unavailable } from '../../../src/errors.ts'
import { createDirectoryStore } from '../../../src/platform/directory-store.ts'
import { openFileStore } from '../../../src/platform/file-stores.ts'
import type { FileStore } from '../../../src/platform/files.ts'
import { createS3Store } from '../../../src/platform/s3-store.ts'
import { BUCKET, KEYS, startBucket } from '../../support/bucket.ts'

const MIB = 1024 * 1024

let bucket: Awaited<ReturnType<typeof startBucket>>
let endpoint: string
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-stores-'))
  bucket = await startBucket()
  endpoint = bucket.endpoint
})

afterAll(() => bucket.stop())

const bucketStore = (prefix = 'files') =>
  createS3Store({ endpoint, bucket: BUCKET, prefix, region: 'us-east-1', ...KEYS })

const KINDS: [string, () => FileStore][] = [
  ['a directory', () => createDirectoryStore(folder)],
  ['an S3-compatible bucket', () => bucketStore()],
]

async function* chunks(count: number, size = MIB) {
  for (let i = 0; i < count; i++) yield new Uint8Array(size).fill(i)
}

async function* text(words: string) {
  yield Buffer.from(words)
}

async function contentOf(store: FileStore, name: string, start?: number) {
  const body = await store.read(name, start)
  if (!body) return undefined
  const parts: Uint8Array[] = []
  for await (const chunk of body) parts.push(chunk)
  return Buffer.concat(parts)
}

const textOf = async (store: FileStore, name: string, start?: number) =>
  (await contentOf(store, name, start))?.toString()

describe.each(KINDS)('%s', (_, open) => {
  test('keeps what is written, and gives it back from any place', async () => {
    const store = open()
    expect(await store.write('hello', text('hello world'), 100)).toEqual({ bytes: 11 })
    expect(await textOf(store, 'hello')).toBe('hello world')
    expect(await textOf(open(), 'hello', 6)).toBe('world')
    expect(await textOf(store, 'hello', 11)).toBe('')
    await store.write('hello', text('again'), 100)
    expect(await textOf(store, 'hello')).toBe('again')
    expect(await store.write('empty', text(''), 100)).toEqual({ bytes: 0 })
    expect(await textOf(store, 'empty')).toBe('')
  })

  test('keeps files of many parts byte for byte', async () => {
    const store = open()
    expect(await store.write('large', chunks(20), 20 * MIB)).toEqual({ bytes: 20 * MIB })
    const content = await contentOf(store, 'large')
    expect(content).toHaveLength(20 * MIB)
    expect([0, 8, 19].map((at) => content![at * MIB])).toEqual([0, 8, 19])
    expect((await contentOf(store, 'large', 19 * MIB))![0]).toBe(19)
  })

  test('has nothing of a file that was too large or whose sender failed', async () => {
    const store = open()
    await expect(store.write('over', chunks(20), 19 * MIB)).rejects.toBeInstanceOf(TooLarge)
    expect(await contentOf(store, 'over')).toBeUndefined()
    async function* breaking() {
      yield* chunks(18)
      throw new Error('the sender went away')
    }
    await expect(store.write('broken', breaking(), 100 * MIB)).rejects.toThrow('went away')
    expect(await contentOf(store, 'broken')).toBeUndefined()
  })

  test('removes files, also those that are not there', async () => {
    const store = open()
    await store.write('gone', text('x'), 10)
    await store.remove('gone')
    expect(await contentOf(store, 'gone')).toBeUndefined()
    await store.remove('gone')
  })

  test('says which storage it is, the same to all who see its files', async () => {
    const ids = await Promise.all([open().id(), open().id(), open().id()])
    expect(await open().id()).toBe(ids.at(-1))
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('takes no name that could lead elsewhere', async () => {
    for (const name of ['../x', 'a/b', '', '.id', 'x'.repeat(129)]) {
      await expect(open().write(name, text('x'), 10)).rejects.toThrow('letters')
    }
  })
})

test('prefixes of one bucket do not meet', async () => {
  await bucketStore('one').write('same', text('1'), 10)
  await bucketStore('two').write('same', text('2'), 10)
  expect(await textOf(bucketStore('one'), 'same')).toBe('1')
  expect(await bucketStore('one').id()).not.toBe(await bucketStore('two').id())
})

test('a bucket that does not answer is an outage, not a missing file', async () => {
  const settings = { bucket: BUCKET, prefix: '', region: 'us-east-1', ...KEYS }
  const away = createS3Store({ ...settings, endpoint: 'http://127.0.0.1:1' })
  await expect(away.read('hello')).rejects.toBeInstanceOf(Unavailable)
  const missing = createS3Store({ ...settings, endpoint, bucket: 'no-such-bucket' })
  await expect(missing.read('hello')).rejects.toBeInstanceOf(Unavailable)
})

describe('FILES_URL', () => {
  const opening = (url: string, keys: object = KEYS) => openFileStore({ url, folder, ...keys })

  test('names a bucket that is tried at once', async () => {
    const store = await opening(`s3://${BUCKET}/start?endpoint=${endpoint}`)
    await store.write('first', text('1'), 10)
    expect(await textOf(bucketStore('start'), 'first')).toBe('1')
  })

  test.each([
    ['https://bucket', 'must begin with s3://'],
    ['s3://', 'bucket'],
    ['s3://key:secret@bucket', 'must not hold credentials'],
    ['s3://bucket?key=1', 'knows no parameter key'],
    ['s3://bucket?endpoint=nowhere', 'endpoint like'],
  ])('%s is refused in one sentence', async (url, said) => {
    await expect(opening(url)).rejects.toThrow(said)
  })

  test('without credentials, or with a bucket that cannot be used, says what to do', async () => {
    await expect(opening(`s3://${BUCKET}`, {})).rejects.toThrow('set AWS_ACCESS_KEY_ID')
    const nobody = { accessKeyId: 'nobody', secretAccessKey: 'wrong' }
    const url = `s3://${BUCKET}/x?endpoint=${endpoint}`
    await expect(opening(url, nobody)).rejects.toThrow('cannot be used')
  })
})
