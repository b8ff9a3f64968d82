import { expect, test } from 'vitest'
import { exportProducts } from '../../../client/src/export.ts'
import { getPriceLists, getPrices } from '../../../client/src/generated/operations.ts'
import { pages, pagesAfter, walk } from '../../../client/src/paging.ts'
import { followTask } from '../../../client/src/tasks.ts'

const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

test('pages are requested until one is empty or shorter than requested', async () => {
  const asked: unknown[] = []
  const list = async (input: { page?: number; pageSize?: number }) => {
    asked.push(input)
    return { total: 3, items: [['a', 'b'], ['c'], []][input.page!]! }
  }
  const found = await all(pages(list, {}))
  expect(found.map(({ items }) => items)).toEqual([['a', 'b'], ['c']])
  expect(asked).toEqual([{ page: 0 }, { page: 1 }, { page: 2 }])
  expect(await all(pages(list, { page: 1, pageSize: 2 }))).toHaveLength(1)
})

test('a walk follows cursors, and only as far as it is read', async () => {
  const asked: (string | undefined)[] = []
  const search = async ({ cursor }: { cursor?: string; keywords?: string }) => {
    asked.push(cursor)
    return { total: 3, ...(cursor === 'b' ? {} : { cursor: cursor === '*' ? 'a' : 'b' }) }
  }
  expect(await all(walk(search, { keywords: 'x' }))).toHaveLength(3)
  expect(asked).toEqual(['*', 'a', 'b'])
  for await (const answer of walk(search, {})) if (answer) break
  expect(asked).toHaveLength(4)
})

test('a list continues after the end of its page, and one without pages is refused', async () => {
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    const isLast = url.endsWith('after=b')
    const body = JSON.stringify({ lines: [{}], ...(isLast ? {} : { after: 'b' }) })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  const connection = { url: 'http://x', fetch: fetch as never }
  const list = { catalog: 'c', priceList: 'l' }
  const prices = (input: typeof list) => getPrices(connection, input)
  expect(await all(pagesAfter(prices, { ...list, pageSize: 1 } as typeof list))).toHaveLength(2)
  expect(asked[1]).toBe('http://x/api/Catalog/c/priceLists/l/prices?pageSize=1&after=b')
  // @ts-expect-error it has no pages
  await expect(all(pages(prices, list))).rejects.toThrow(
    'page: unknown field; known: catalog, priceList, pageSize, after',
  )
  const lists = (input: { catalog: string }) => getPriceLists(connection, input)
  // @ts-expect-error it has no pages
  await expect(all(pages(lists, { catalog: 'c' }))).rejects.toThrow('page: unknown field')
  expect(asked).toHaveLength(2)
})

test('exported products are read line by line, however the bytes are split', async () => {
  const text = '{"id":"ä"}\n\n{"id":"b"}\n{"id":"c"}'
  const bytes = new TextEncoder().encode(text)
  const pieces = ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte)))
  const json = { headers: { 'content-type': 'application/json' } }
  const run = { success: true, redirectUrl: 'https://elsewhere.example/api/files/f%201' }
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    return url.includes('/run')
      ? new Response(JSON.stringify(run), json)
      : new Response(pieces as never)
  }
  const connection = { url: 'http://x', fetch: fetch as never }
  expect(await all(exportProducts(connection, { catalog: 'c' }))).toEqual([
    { id: 'ä' },
    { id: 'b' },
    { id: 'c' },
  ])
  expect(asked.at(-1)).toBe('http://x/api/files/f%201')
})

test('an export that is cut off fails like any answer, wherever it was cut', async () => {
  const run = JSON.stringify({ success: true, redirectUrl: 'http://x/api/files/f' })
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"id":"a"}\n')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  for (const file of ['{"id":"a"}\n{"id":', broken]) {
    const fetch = async (url: string) =>
      url.includes('/run')
        ? new Response(run, { headers: { 'content-type': 'application/json' } })
        : new Response(file)
    const read: string[] = []
    const cut = (async () => {
      for await (const { id } of exportProducts({ url: 'http://x', fetch: fetch as never }))
        read.push(id)
    })()
    await expect(cut).rejects.toMatchObject({ name: 'AisleError', status: 0 })
    expect(read).toEqual(['a'])
  }
})

test('a task is requested by its id, however many came after it', async () => {
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    const body = JSON.stringify({ id: 't', completed: true, success: true })
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  }
  expect(await followTask({ url: 'http://x', fetch: fetch as never }, 't')).toMatchObject({
    id: 't',
  })
  expect(asked).toEqual(['http://x/api/tasks/t'])
})
