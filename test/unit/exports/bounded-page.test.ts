import { expect, test } from 'vitest'
import { createBoundedPages } from '../../../src/exports/bounded-page.ts'
import { slicesOf } from '../../../src/platform/slices.ts'
import type { ProductView } from '../../../src/products/view.ts'

const START = { exported: 0, after: null, mode: 'strict' } as const

const hasName = ({ name }: { readonly name: string }) => name !== ''

/** Pages of products whose names have these lengths, 0 for products that are gone. */
function pagesOf(lengths: readonly number[], pageSize: number, maxBytes: number) {
  const products = lengths.map((length, at) => ({ id: `${at}`, name: 'x'.repeat(length) }))
  let read = 0
  const next = createBoundedPages({
    ...{ pageSize, maxBytes },
    async *read({ exported, size, first }) {
      const left = products.slice(exported, exported + size) as unknown as ProductView[]
      for (const portion of slicesOf(left, first)) {
        read += portion.length
        yield portion.map((one) => (one.name === '' ? undefined : one))
      }
    },
  })
  async function allFrom(exported = 0): Promise<number[]> {
    const { seen, last, texts } = await next({ ...START, exported })
    expect(texts).toHaveLength(products.slice(exported, exported + seen).filter(hasName).length)
    return last ? [seen] : [seen, ...(await allFrom(exported + seen))]
  }
  return { next, allFrom, read: () => read }
}

test('small products are sent in pages of the requested size, and hardly more is read', async () => {
  const pages = pagesOf(Array(600).fill(10), 250, 1e6)
  expect(await pages.allFrom()).toEqual([250, 250, 100])
  expect(pages.read()).toBeLessThanOrEqual(602)
})

test('the last page is known when it is full, and products that are gone count', async () => {
  expect(await pagesOf(Array(8).fill(10), 4, 1e6).allFrom()).toEqual([4, 4])
  expect(await pagesOf([10, 0, 0, 10, 0], 2, 1e6).allFrom()).toEqual([2, 2, 1])
  expect(await pagesOf([], 2, 1e6).allFrom()).toEqual([0])
})

test('large products after small ones are not read before they are needed', async () => {
  const pages = pagesOf([...Array(250).fill(10), ...Array(100).fill(900_000)], 250, 4e6)
  expect((await pages.allFrom()).slice(0, 3)).toEqual([250, 4, 4])
  const next = pagesOf([...Array(250).fill(10), ...Array(100).fill(900_000)], 250, 4e6)
  await next.next(START)
  const before = next.read()
  await next.next({ ...START, exported: 250 })
  expect(next.read() - before).toBeLessThanOrEqual(50)
})

test('large products are sent in smaller pages, and hardly more is read', async () => {
  const pages = pagesOf(Array(100).fill(1_000_000), 250, 4.2e6)
  expect(await pages.allFrom()).toEqual(Array(25).fill(4))
  expect(pages.read()).toBeLessThanOrEqual(8 + 24 * 5)
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
