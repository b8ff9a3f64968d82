import { expect, test } from 'vitest'
import { createBoundedPages, pageSizes } from '../../../src/exports/bounded-page.ts'
import type { ProductView } from '../../../src/products/view.ts'

const START = { exported: 0, after: null, mode: 'strict' } as const

/** Pages of products whose names have these lengths. */
function pagesOf(lengths: readonly number[], pageSize: number, maxBytes: number) {
  const products = lengths.map((length, at) => ({ id: `${at}`, name: 'x'.repeat(length) }))
  let read = 0
  const next = createBoundedPages({
    ...{ pageSize, maxBytes },
    async read({ exported, size }) {
      const page = products.slice(exported, exported + size) as unknown as ProductView[]
      read += page.length
      return { products: page, seen: page.length, last: exported + size >= products.length }
    },
  })
  async function allFrom(exported = 0): Promise<number[]> {
    const { seen, last, texts } = await next({ ...START, exported })
    expect(texts).toHaveLength(seen)
    return last ? [seen] : [seen, ...(await allFrom(exported + seen))]
  }
  return { next, allFrom, read: () => read }
}

test('sizes of pages are halves of each other', () => {
  expect(pageSizes(250)).toEqual([1, 2, 4, 8, 16, 32, 63, 125, 250])
  expect(pageSizes(1)).toEqual([1])
})

test('small products are sent in pages of the requested size, and read once', async () => {
  const pages = pagesOf(Array(600).fill(10), 250, 1e6)
  expect(await pages.allFrom()).toEqual([250, 250, 100])
  expect(pages.read()).toBe(600)
})

test('large products are sent in smaller pages, and hardly more is read', async () => {
  const pages = pagesOf(Array(100).fill(1_000_000), 250, 4.2e6)
  expect(await pages.allFrom()).toEqual(Array(25).fill(4))
  expect(pages.read()).toBeLessThan(250)
})

test('a product larger than a page is sent alone', async () => {
  const pages = pagesOf([5_000_000, 10, 10], 250, 4e6)
  expect(await pages.allFrom()).toEqual([1, 2])
})

test('a page is the same whatever was sent before', async () => {
  const lengths = Array.from({ length: 300 }, (_, at) => (at % 60 < 12 ? 900_000 : 2_000))
  const sizes = await pagesOf(lengths, 250, 4e6).allFrom()
  let exported = 0
  for (const size of sizes) {
    expect((await pagesOf(lengths, 250, 4e6).next({ ...START, exported })).seen).toBe(size)
    exported += size
  }
})
