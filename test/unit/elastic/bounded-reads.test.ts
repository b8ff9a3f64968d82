import { setImmediate, setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import {
  boundedReader,
  createDocumentSizes,
  fittingSlices,
  isSmall,
  portionSize,
  readInPortions,
} from '../../../src/elastic/bounded-reads.ts'
import type { Elastic } from '../../../src/elastic/client.ts'
import { limits } from '../../../src/limits.ts'
import { partOf } from '../../../src/platform/load-owner.ts'
import { newTrace, requestTrace } from '../../../src/platform/request-trace.ts'

const MIB = 1024 * 1024

describe('the size of recent reads', () => {
  test('is remembered by its maximum, which decays', () => {
    let now = 0
    const sizes = createDocumentSizes(() => now)
    expect(sizes.of('shop')).toBeUndefined()
    sizes.note('shop', 2_000, 10)
    sizes.note('shop', 0, 0)
    expect(sizes.of('shop')).toBe(200)
    sizes.note('shop', 3_000_000, 3)
    expect(sizes.of('shop')).toBe(1_000_000)
    for (let reads = 0; reads < 100; reads++) sizes.note('shop', 2_000, 10)
    expect(sizes.of('shop')).toBe(1_000_000)
    now += 1_000
    for (let reads = 0; reads < 100; reads++) sizes.note('shop', 2_000, 10)
    expect(sizes.of('shop')).toBe(900_020)
    expect(sizes.of('other')).toBeUndefined()
  })
})

describe('a portion', () => {
  test.each([
    [undefined, limits.readDocuments],
    [500, limits.readSmallDocuments],
    [MIB / 4, 4],
    [MIB / 2, 2],
    [MIB, 1],
    [15 * MIB, 1],
  ])('of documents of %s bytes contains %i', (size, count) => {
    expect(portionSize(size)).toBe(count)
  })

  test('is limited unless documents are known to be small', () => {
    expect(isSmall(1, undefined)).toBe(true)
    expect(isSmall(2, undefined)).toBe(false)
    expect(isSmall(250, 2_000)).toBe(true)
    expect(isSmall(3, MIB)).toBe(false)
  })

  test('stays small for large documents, however many missing ones are requested', async () => {
    const read = { elastic: {} as Elastic, place: { kind: 'products', scope: 'a' }, source: null }
    const portions: number[] = []
    const ask = (wanted: readonly number[]) =>
      readInPortions(read, wanted, {}, async (portion) => {
        portions.push(portion.length)
        const documents = portion.map((length) => (length > 0 ? { length } : undefined))
        return { documents, length: portion.reduce((sum, length) => sum + length, 100) }
      })
    await ask([MIB, MIB])
    await ask(Array(100).fill(0))
    portions.length = 0
    await ask([MIB, MIB])
    expect(portions).toEqual([1, 1])
  })

  test('can be any length if the caller may see nothing of it', async () => {
    const read = { elastic: {} as Elastic, place: { kind: 'products', scope: 'a' }, source: null }
    const weigh = (some: readonly unknown[]) =>
      some.reduce<number>((sum, one) => sum + Number(one ?? 0), 0)
    const ask = (lengths: readonly (number | undefined)[]) =>
      readInPortions(read, lengths, { most: 100, weigh }, async (portion) => ({
        documents: portion,
        length: 90,
        count: portion.length,
      }))
    const many = limits.readDocuments
    const hidden = Array<undefined>(3 * many).fill(undefined)
    expect(await ask(hidden)).toEqual(hidden)
    expect(await ask([...hidden, 60, 40])).toHaveLength(3 * many + 2)
    await expect(ask([...hidden, 60, 41])).rejects.toThrow('Request fewer products')
    await expect(ask([60, ...hidden, 41])).rejects.toThrow('Request fewer products')
  })

  test('ends with the last portion that fits, if the caller can do with the first documents', async () => {
    const read = { elastic: {} as Elastic, place: { kind: 'products', scope: 'a' }, source: null }
    const wanted = Array.from({ length: 4 * limits.readDocuments }, (_, n) => n)
    const ask = (most: number) =>
      readInPortions(read, wanted, { most, isPartial: true }, async (documents) => ({
        documents,
        length: documents.length,
      }))
    const fitting = await ask(wanted.length - 1)
    expect(fitting.length).toBeGreaterThanOrEqual(limits.readDocuments)
    expect(fitting.length).toBeLessThan(wanted.length)
    expect(fitting).toEqual(wanted.slice(0, fitting.length))
    expect(await ask(wanted.length)).toEqual(wanted)
    expect(await ask(10)).toEqual(wanted.slice(0, 6))
    expect(await ask(0)).toEqual([])
  })

  test('of large documents waits for its turn, whoever reads them', async () => {
    const elastic = {} as Elastic
    let underWay = 0
    let most = 0
    const ask = (scope: string, length: number) =>
      readInPortions(
        { elastic, place: { kind: 'products', scope }, source: null },
        [1, 2, 3],
        {},
        async (documents) => {
          most = Math.max(most, ++underWay)
          await setImmediate()
          underWay--
          return { documents, length: documents.length * length }
        },
      )
    const both = (length: number) => Promise.all([ask('a/shop', length), ask('b/shop', length)])
    await both(MIB)
    expect(most).toBe(2)
    most = 0
    expect(await both(MIB)).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ])
    expect(most).toBe(1)
  })

  test('of large documents is followed by a pause as long as it took', async () => {
    const elastic = {} as Elastic
    const times: number[] = []
    const ask = (count: number) =>
      readInPortions(
        { elastic, place: { kind: 'products', scope: 'a' }, source: null },
        Array(count).fill(1),
        {},
        async (documents) => {
          times.push(performance.now())
          await setTimeout(40)
          times.push(performance.now())
          return { documents, length: documents.length * MIB }
        },
      )
    await ask(2)
    times.length = 0
    await ask(2)
    expect(times[2]! - times[1]!).toBeGreaterThan(35)
  })

  test('of large documents takes turns with those of whole families', async () => {
    const elastic = {} as Elastic
    const order: string[] = []
    const ask = (owner: string, scope: string) =>
      requestTrace.run(newTrace({ requestId: '', operation: '', owner }), () =>
        readInPortions(
          { elastic, place: { kind: 'products', scope }, source: null },
          [1, 2, 3],
          {},
          async (documents) => {
            order.push(scope)
            await setImmediate()
            return { documents, length: documents.length * MIB }
          },
        ),
      )
    const all = () =>
      Promise.all([
        ...Array.from({ length: 8 }, (_, at) => ask(partOf('family', `${at}`), `${at}`)),
        ask('other', 'other'),
      ])
    await all()
    order.length = 0
    await all()
    expect(order).toHaveLength(27)
    expect(order.lastIndexOf('other')).toBeLessThan(7)
  })

  test('of large documents for a request does not wait for those of tasks', async () => {
    const elastic = {} as Elastic
    const { promise: hanging, resolve } = Promise.withResolvers<void>()
    const ask = (scope: string, until?: Promise<void>) => {
      const read = { elastic, place: { kind: 'products', scope }, source: null }
      const options = until ? { timeoutMs: 30_000 } : {}
      return readInPortions(read, [1, 2], options, async (documents) => {
        await until
        return { documents, length: documents.length * MIB }
      })
    }
    await Promise.all([ask('a/shop'), ask('b/shop'), ask('c/shop')])
    const tasks = [ask('a/shop', hanging), ask('b/shop', hanging)]
    expect(await ask('c/shop')).toEqual([1, 2])
    resolve()
    expect(await Promise.all(tasks)).toEqual([
      [1, 2],
      [1, 2],
    ])
  })
})

test('slices of ids follow the size of the documents that were read last', () => {
  const elastic = {} as Elastic
  const place = { kind: 'products', scope: 'a' }
  const { note } = boundedReader({ elastic, place, source: undefined })
  const ids = Array.from({ length: 80 }, (_, at) => at)
  const lengths: number[] = []
  for (const slice of fittingSlices({ elastic }, { place }, ids)) {
    lengths.push(slice.length)
    // The first 75 are small.
    note((lengths.length === 1 ? 1_000 : MIB / 2) * slice.length, slice.length)
  }
  expect(lengths).toEqual([25, 50, 2, 2, 1])
})
