import { describe, expect, test } from 'vitest'
import { createFilePart, nextSize, type PartLimits } from '../../../src/exports/file-part.ts'
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

/** A part of 1,000 products of 10 bytes each; `reads` are the page sizes that were requested. */
function part(limits: Partial<PartLimits> = {}, from = beginning, isEnding = () => false) {
  const reads: number[] = []
  const created = createFilePart({
    from,
    async read({ exported }, size) {
      reads.push(size)
      const count = Math.min(size, 1_000 - exported)
      const products = Array.from({ length: count }, (_, n) => view(`P${exported + n}`))
      return { products, seen: count, last: exported + count === 1_000 }
    },
    write: ({ id }) => [`${id.padEnd(9)}\n`],
    limits: { bytes: 1_000_000, products: 1_000_000, ms: 60_000, ...limits },
    isEnding,
    advanced: () => undefined,
    checkNeeded: () => undefined,
  })
  return { ...created, reads }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

describe('a part of a file', () => {
  test('is read in growing pages, to the end', async () => {
    const { body, reached, reads } = part()
    expect((await textOf(body)).split('\n')).toHaveLength(1_001)
    expect(reads).toEqual([50, 100, 200, 250, 250, 250])
    expect(reached()).toEqual({
      ...beginning,
      exported: 1_000,
      after: 'P999',
      done: true,
      bytes: 10_000,
    })
  })

  test('ends with the page that fills it; the next one continues there', async () => {
    const first = part({ products: 120 })
    await textOf(first.body)
    expect(first.reached()).toMatchObject({ exported: 150, after: 'P149', done: false })
    const second = part({ bytes: 1 }, first.reached())
    expect(await textOf(second.body)).toMatch(/^P150 /)
    expect(second.reached()).toMatchObject({ exported: 200, bytes: 2_000 })
  })

  test('ends early if its run is interrupted', async () => {
    const { body, reached } = part({}, beginning, () => true)
    await textOf(body)
    expect(reached()).toMatchObject({ exported: 50, done: false })
  })

  test('writes the many lines of a product in chunks, and stops when nobody needs them', async () => {
    let written = 0
    const { body } = createFilePart({
      from: beginning,
      read: async () => ({ products: [view('P')], seen: 1, last: true }),
      *write() {
        for (; ; written++) yield 'x'.repeat(100_000)
      },
      limits: { bytes: 1_000_000, products: 1_000_000, ms: 60_000 },
      isEnding: () => false,
      advanced: () => undefined,
      checkNeeded() {
        if (written > 20) throw new Error('over')
      },
    })
    await expect(textOf(body)).rejects.toThrow('over')
    expect(written).toBeLessThan(30)
  })

  test('reads no page before the previous one is processed', async () => {
    const { body, reads } = part()
    expect(reads).toEqual([])
    await body.next()
    expect(reads).toEqual([50])
    await body.next()
    expect(reads).toEqual([50, 100])
  })
})

test('reads large products in small pages', () => {
  const MIB = 1024 * 1024
  expect(nextSize(200, 50 * MIB)).toBe(2)
  expect(nextSize(1, 40 * MIB)).toBe(1)
  expect(nextSize(250, 1_000)).toBe(250)
  expect(nextSize(2, 1_000)).toBe(4)
})
