import { describe, expect, test } from 'vitest'
import { createFileParts, nextSize, type PartLimits } from '../../../src/exports/file-part.ts'
import type { ExportCheckpoint } from '../../../src/exports/job.ts'
import { viewProduct } from '../../../src/products/view.ts'
import { productOf } from '../../support/catalog.ts'

const viewer = { organization: 'acme', username: 'ada', keyType: 'full' } as const
const view = (id: string) => viewProduct({ product: productOf({ id }, 'tools') }, viewer)

const beginning: ExportCheckpoint = {
  total: 1_000,
  mode: 'strict',
  headings: [],
  exported: 0,
  after: null,
  done: false,
  parts: [],
  bytes: 0,
  pages: 0,
  linked: 0,
}

/** Parts of 1,000 products of 10 bytes each; `reads` are the numbers that were requested. */
function parts(limits: Partial<PartLimits> = {}, isEnding = () => false) {
  const reads: number[] = []
  const begin = createFileParts({
    async read({ exported }, size) {
      reads.push(size)
      const count = Math.min(size, 1_000 - exported)
      return Array.from({ length: count }, (_, n) => view(`P${exported + n}`))
    },
    write: ({ id }) => [`${id.padEnd(9)}\n`],
    limits: { bytes: 1_000_000, products: 1_000_000, ms: 60_000, ...limits },
    isEnding,
    advanced: () => undefined,
    checkNeeded: () => undefined,
  })
  return { begin, reads }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a part of a file', () => {
  test('is read in growing portions, to the end', async () => {
    const { begin, reads } = parts()
    const { body, reached } = begin(beginning)
    expect((await textOf(body)).split('\n')).toHaveLength(1_001)
    expect(reads).toEqual([8, 16, 32, 64, 128, 250, 250, 250, 250, 4])
    expect(reached()).toEqual({
      ...beginning,
      exported: 1_000,
      after: 'P999',
      done: true,
      bytes: 10_000,
    })
  })

  test('ends with the portion that fills it; the next one continues there', async () => {
    const { begin, reads } = parts({ products: 120 })
    const first = begin(beginning)
    await textOf(first.body)
    expect(first.reached()).toMatchObject({ exported: 120, after: 'P119', done: false })
    const second = begin(first.reached())
    expect(await textOf(second.body)).toMatch(/^P120 /)
    expect(second.reached()).toMatchObject({ exported: 248, bytes: 2_480 })
    expect(reads).toEqual([8, 16, 32, 64, 128])
  })

  test('ends early if its run is interrupted', async () => {
    const { body, reached } = parts({}, () => true).begin(beginning)
    await textOf(body)
    expect(reached()).toMatchObject({ exported: 8, done: false })
  })

  test('writes the many lines of a product in chunks, and stops when nobody needs them', async () => {
    let written = 0
    const { body } = createFileParts({
      read: async () => [view('P')],
      *write() {
        for (; ; written++) yield 'x'.repeat(100_000)
      },
      limits: { bytes: 1_000_000, products: 1_000_000, ms: 60_000 },
      isEnding: () => false,
      advanced: () => undefined,
      checkNeeded() {
        if (written > 20) throw new Error('over')
      },
    })(beginning)
    await expect(textOf(body)).rejects.toThrow('over')
    expect(written).toBeLessThan(30)
  })

  test('counts products that are gone, which it cannot write', async () => {
    const found = [[view('A'), undefined], [undefined], []]
    const { body, reached } = createFileParts({
      read: async () => found.shift()!,
      write: ({ id }) => [`${id}\n`],
      limits: { bytes: 1_000_000, products: 1_000_000, ms: 60_000 },
      isEnding: () => false,
      advanced: () => undefined,
      checkNeeded: () => undefined,
    })(beginning)
    expect(await textOf(body)).toBe('A\n')
    expect(reached()).toMatchObject({ exported: 3, after: 'A', done: true })
  })

  test('reads no portion before the previous one is processed', async () => {
    const { begin, reads } = parts()
    const { body } = begin(beginning)
    expect(reads).toEqual([])
    await body.next()
    expect(reads).toEqual([8])
    await body.next()
    expect(reads).toEqual([8, 16])
  })
})

test('reads large products in small portions', () => {
  const MIB = 1024 * 1024
  expect(nextSize(200, 50 * MIB)).toBe(2)
  expect(nextSize(1, 40 * MIB)).toBe(1)
  expect(nextSize(250, 1_000)).toBe(250)
  expect(nextSize(2, 1_000)).toBe(4)
})
