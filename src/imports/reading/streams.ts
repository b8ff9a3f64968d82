import type { Transform } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { Damaged } from './damaged.ts'

const chunkSize = 64 * 1024
/** Packed bytes that are unpacked in one go: what comes of them is held in memory. */
const SLICE = 16 * 1024

type Bytes = () => AsyncGenerator<Buffer>

/** Unpacks gzip. Throws Damaged where it breaks off. */
export const gunzipped = (packed: Bytes) => through(packed, () => createGunzip({ chunkSize }))

/** Unpacks what a zip archive holds. Throws Damaged where it breaks off. */
export const inflated = (packed: Bytes) => through(packed, () => createInflateRaw({ chunkSize }))

// What fails drops all that came of the bytes it was given with the bad one. So those are read a
// second time one by one, after what led up to them.
async function* through(packed: Bytes, create: () => Transform): AsyncGenerator<Buffer> {
  const given = { bytes: 0, last: 0, all: false }
  let handedOn = 0
  try {
    for await (const chunk of unpacked(counted(slices(packed()), given), create())) {
      handedOn += chunk.length
      yield chunk
    }
    return
  } catch (error) {
    if (!(error instanceof Damaged) || given.all) throw error
  }
  const good = given.bytes - given.last
  for await (const chunk of unpacked(slices(packed(), good), create())) {
    if (chunk.length > handedOn) yield chunk.subarray(handedOn)
    handedOn = Math.max(0, handedOn - chunk.length)
  }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  given: { bytes: number; last: number; all: boolean },
) {
  for await (const chunk of chunks) {
    given.bytes += chunk.length
    given.last = chunk.length
    yield chunk
  }
  given.all = true
}

/** Slices of these bytes; behind the first `good` ones each byte alone. */
async function* slices(chunks: AsyncIterable<Buffer>, good = Number.POSITIVE_INFINITY) {
  let left = good
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const slice = chunk.subarray(at, at + Math.max(1, Math.min(SLICE, left)))
      yield slice
      at += slice.length
      left -= slice.length
    }
  }
}

/** Hands on everything that came of a slice before it takes the next one. Throws Damaged. */
async function* unpacked(packed: AsyncIterable<Buffer>, unpacker: Transform) {
  const ready: Buffer[] = []
  let over = false
  let failure: NodeJS.ErrnoException | undefined
  unpacker.on('data', (chunk: Buffer) => ready.push(chunk))
  unpacker.on('end', () => {
    over = true
  })
  unpacker.on('error', (error) => {
    failure = error
  })
  function* come(): Generator<Buffer> {
    yield* ready.splice(0)
    if (failure) throw failure.code?.startsWith('Z_') ? new Damaged() : failure
  }
  try {
    for await (const slice of packed) {
      await settled(unpacker, (done) => unpacker.write(slice, done))
      yield* come()
      if (over) return
    }
    await settled(unpacker, () => unpacker.end())
    yield* come()
  } finally {
    unpacker.destroy()
  }
}

/** Resolves when `start` calls back, or the stream ends or fails first. */
async function settled(unpacker: Transform, start: (done: () => void) => void): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  unpacker.once('end', done).once('error', done)
  start(done)
  await promise
  unpacker.off('end', done).off('error', done)
}
