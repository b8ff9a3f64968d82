import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Invalid, TooLarge } from '../../src/errors.ts'
import type { FileStore } from '../../src/platform/file-store.ts'

const MIB = 1024 * 1024

export async function* pieces(...parts: (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

/** Chunks of a MiB filled with their index, so that lost, doubled or swapped ones are noticed. */
export async function* mebibytes(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield Buffer.alloc(MIB, i)
}

export async function textOf(store: FileStore, name: string, start?: number) {
  const found = await store.read(name, start)
  return found && Buffer.from(await new Response(found.body).arrayBuffer()).toString('latin1')
}

export interface Storage {
  /** Opens the same storage each time. */
  open(): FileStore
  /** Names of complete files and unfinished uploads, without the store's own files. */
  contents(): Promise<string[]>
}

/** The behavior of every kind of FileStore. `storage` is called in each test. */
export function fileStoreContract(storage: () => Storage): void {
  const fresh = () => `f-${randomBytes(8).toString('hex')}`
  const store = () => storage().open()

  test('reads what was written, as a whole and from any byte on', async () => {
    const name = fresh()
    expect(await store().write(name, pieces('abc', '', 'def'), 6)).toEqual({ bytes: 6 })
    expect(await textOf(store(), name)).toBe('abcdef')
    expect(await textOf(store(), name, 0)).toBe('abcdef')
    expect(await textOf(store(), name, 4)).toBe('ef')
    expect(await textOf(store(), name, 6)).toBe('')
    expect(await textOf(store(), name, 7)).toBe('')
  })

  test('stores an empty file', async () => {
    const name = fresh()
    expect(await store().write(name, pieces(), 10)).toEqual({ bytes: 0 })
    expect(await textOf(store(), name)).toBe('')
    expect(await textOf(store(), name, 1)).toBe('')
  })

  test('has nothing under a name that was never written or was removed', async () => {
    const name = fresh()
    expect(await store().read(name)).toBeUndefined()
    expect(await store().read(name, 5)).toBeUndefined()
    await store().remove(name)
    await store().write(name, pieces('x'), 1)
    await store().remove(name)
    expect(await store().read(name)).toBeUndefined()
    await store().remove(name)
  })

  test('returns the new file if it is written again', async () => {
    const name = fresh()
    await store().write(name, pieces('old and long'), 100)
    await store().write(name, pieces('new'), 100)
    expect(await textOf(store(), name)).toBe('new')
  })

  test.each([8, 17])('streams %i MiB in both directions', async (count) => {
    const name = fresh()
    expect(await store().write(name, mebibytes(count), count * MIB)).toEqual({ bytes: count * MIB })
    let at = 0
    for await (const chunk of (await store().read(name))!.body) {
      for (let i = 0; i < chunk.length; i += 4_096) {
        if (chunk[i] !== Math.floor((at + i) / MIB)) throw new Error(`wrong at ${at + i}`)
      }
      at += chunk.length
    }
    expect(at).toBe(count * MIB)
    const tail = await textOf(store(), name, count * MIB - 3)
    expect(tail).toBe(String.fromCharCode(count - 1).repeat(3))
  })

  test('stores every byte of chunks of any size', async () => {
    const sizes = [1, 262_143, 262_144, 3, 0, 8 * MIB - 1, 9 * MIB + 5, 70_001, 1, 17 * MIB]
    const chunks = sizes.map((size) => randomBytes(size))
    for (let count = 0; count <= sizes.length; count++) {
      const [name, sent] = [fresh(), chunks.slice(0, count)]
      const whole = Buffer.concat(sent)
      expect(await store().write(name, pieces(...sent), 1e9)).toEqual({ bytes: whole.length })
      const { bytes, body } = (await store().read(name))!
      expect(whole.equals(Buffer.from(await new Response(body).arrayBuffer()))).toBe(true)
      expect(bytes).toBe(whole.length)
      expect((await store().read(name, whole.length))?.bytes).toBe(whole.length)
      await store().remove(name)
    }
  })

  test('buffers only a few parts in memory, however large the file', async () => {
    const [name, count] = [fresh(), 200]
    const before = process.memoryUsage()
    let peak = 0
    const look = () => {
      const { external, heapUsed } = process.memoryUsage()
      peak = Math.max(peak, external + heapUsed - before.external - before.heapUsed)
    }
    async function* watched() {
      for await (const chunk of mebibytes(count)) {
        look()
        yield chunk
      }
    }
    await store().write(name, watched(), 1e9)
    let bytes = 0
    for await (const chunk of (await store().read(name))!.body) {
      bytes += chunk.length
      look()
    }
    expect(bytes).toBe(count * MIB)
    expect(peak).toBeLessThan(150 * MIB)
    await store().remove(name)
  })

  test.each([
    ['one byte too much', 1],
    ['much too much', 20],
  ])('refuses %s and leaves nothing behind', async (_, count) => {
    const [name, before] = [fresh(), await storage().contents()]
    await expect(store().write(name, mebibytes(count), count * MIB - 1)).rejects.toThrow(TooLarge)
    await expect(store().write(name, mebibytes(count), 1)).rejects.toThrow('larger than 1 bytes')
    expect(await store().read(name)).toBeUndefined()
    expect(await storage().contents()).toEqual(before)
    expect(await store().write(name, mebibytes(count), count * MIB)).toEqual({ bytes: count * MIB })
  })

  test.each([0, 1, 20])(
    'leaves nothing of a sender that disconnects after %i MiB',
    async (count) => {
      const [name, before] = [fresh(), await storage().contents()]
      let closed = false
      async function* broken() {
        try {
          yield* mebibytes(count)
          throw new Invalid('body: cut off')
        } finally {
          closed = true
        }
      }
      await expect(store().write(name, broken(), 1e9)).rejects.toThrow(new Invalid('body: cut off'))
      expect([await store().read(name), closed]).toEqual([undefined, true])
      expect(await storage().contents()).toEqual(before)
    },
  )

  test('does not show a file that is being written', async () => {
    const [name, end] = [fresh(), Promise.withResolvers<void>()]
    const begun = Promise.withResolvers<void>()
    async function* slow() {
      yield* mebibytes(17)
      begun.resolve()
      await end.promise
    }
    const writing = store().write(name, slow(), 1e9)
    await begun.promise
    expect(await store().read(name)).toBeUndefined()
    end.resolve()
    await writing
    expect(await store().read(name)).toBeDefined()
  })

  test('deletes parts of a dead process together with the file', async () => {
    const [name, before] = [fresh(), await storage().contents()]
    const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    async function* unfinished() {
      yield* mebibytes(17)
      begun.resolve()
      await end.promise
    }
    const writing = store().write(name, unfinished(), 1e9)
    writing.catch(() => undefined)
    await begun.promise
    expect(await storage().contents()).not.toEqual(before)
    await store().remove(name)
    expect(await storage().contents()).toEqual(before)
    end.reject(new Error('the process died'))
    await expect(writing).rejects.toThrow()
  })

  test('is unaffected by readers that disconnect halfway', async () => {
    const name = fresh()
    await store().write(name, mebibytes(4), 1e9)
    const reading = Array.from({ length: 20 }, async (_, i) => {
      const reader = (await store().read(name))!.body.getReader()
      const reads = Array.from({ length: i % 4 }, () => reader.read())
      await reader.cancel()
      await Promise.allSettled(reads)
    })
    await Promise.all(reading)
    expect(await textOf(store(), name, 4 * MIB - 1)).toBe('\x03')
  })

  test('does not mix up many concurrent files', async () => {
    const names = Array.from({ length: 30 }, fresh)
    await Promise.all(names.map((name) => store().write(name, pieces(name), 100)))
    const texts = await Promise.all(names.map((name) => textOf(store(), name)))
    expect(texts).toEqual(names)
  })

  test('has one id for all concurrent callers', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => store().id()))
    expect(new Set(ids).size).toBe(1)
    expect(await store().id()).toBe(ids[0])
    expect(ids[0]!.length).toBeGreaterThan(8)
  })

  test.each(['../up', 'a/b', '.id', '', 'a.b'])('refuses names such as %j', async (name) => {
    await expect(async () => store().write(name, pieces('x'), 1)).rejects.toThrow('file name')
    await expect(async () => store().read(name)).rejects.toThrow('file name')
    await expect(async () => store().remove(name)).rejects.toThrow('file name')
  })
}
