import { describe, expect, test } from 'vitest'
import { createBatchesInFlight } from '../../../src/imports/batches-in-flight.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Whether a promise has settled. */
async function isOver(promise: Promise<unknown>): Promise<boolean> {
  let over = false
  const note = () => {
    over = true
  }
  promise.then(note, note)
  await settled()
  return over
}

describe('batches in flight', () => {
  test('are three during writes, and committed in order', async () => {
    const flight = createBatchesInFlight()
    const writes = [1, 2, 3].map(() => Promise.withResolvers<number>())
    const done: number[] = []
    for (const [at, { promise }] of writes.entries()) {
      await flight.waitForRoom()
      flight.start([`P${at}`], promise, async (result) => void done.push(result))
    }
    const seat = flight.waitForRoom()
    expect(await isOver(seat)).toBe(false)
    writes[1]!.resolve(1)
    await seat
    expect(done).toEqual([])
    writes[0]!.resolve(0)
    writes[2]!.resolve(2)
    await flight.allCommitted()
    expect(done).toEqual([0, 1, 2])
  })

  test('are eight at most if commits are slow', async () => {
    const flight = createBatchesInFlight()
    const slow = Promise.withResolvers<void>()
    for (let at = 0; at < 8; at++) {
      await flight.waitForRoom()
      flight.start([`P${at}`], Promise.resolve(), () => slow.promise)
    }
    await flight.allWritten()
    const seat = flight.waitForRoom()
    expect(await isOver(seat)).toBe(false)
    slow.resolve()
    await seat
  })

  test('end with the next one if a commit fails', async () => {
    const flight = createBatchesInFlight()
    await flight.waitForRoom()
    flight.start(['P'], Promise.resolve(), () => Promise.reject(new Error('not kept')))
    await settled()
    await expect(flight.waitForRoom()).rejects.toThrow('not kept')
    await expect(flight.allCommitted()).rejects.toThrow('not kept')
  })
})
