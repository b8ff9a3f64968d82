import { expect, test } from 'vitest'
import { exportProducts } from '../../../client/src/export.ts'
import { pages, walk } from '../../../client/src/paging.ts'

const all = async <T>(list: AsyncIterable<T>): Promise<T[]> => {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

test('pages follow one another until one is empty, or shorter than asked for', async () => {
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

test('a walk goes from cursor to cursor, and no further than it is read', async () => {
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

test('exported products come line by line, however the bytes are cut', async () => {
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
