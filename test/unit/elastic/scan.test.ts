import { errors } from '@elastic/elasticsearch'
import { expect, test } from 'vitest'
import { searchPages } from '../../../src/elastic/scan.ts'
import type { SearchAnswer, SearchBody } from '../../../src/elastic/search.ts'
import { Unavailable } from '../../../src/errors.ts'

/** Answers with lengths of documents, at most 100 together. */
function searchOf(lengths: readonly number[], pages: number[], failed: number[]) {
  return async ({ size = 10, search_after: [after] = [-1] }: SearchBody) => {
    const from = Number(after) + 1
    const found = lengths.slice(from, from + size)
    if (found.reduce((sum, length) => sum + length, 0) > 100) {
      failed.push(size)
      const cause = new errors.RequestAbortedError('bigger than the maximum')
      throw new Unavailable('Too long.', { cause })
    }
    pages.push(found.length)
    const hits = found.map((_source, at) => ({ _index: 'i', _source, sort: [from + at] }))
    return { hits: { hits } } as unknown as SearchAnswer<number>
  }
}

async function read(lengths: readonly number[]) {
  const pages: number[] = []
  const failed: number[] = []
  const found: number[] = []
  for await (const hits of searchPages(searchOf(lengths, pages, failed), { size: 8 })) {
    found.push(...hits.map(({ _source }) => _source!))
  }
  return { found, pages, failed }
}

test('pages that are too long are read in smaller ones, and later ones grow again', async () => {
  const lengths = [...Array(8).fill(1), ...Array(6).fill(30), ...Array(200).fill(1)]
  const { found, pages } = await read(lengths)
  expect(found).toEqual(lengths)
  expect(pages.slice(0, 2)).toEqual([8, 2])
  expect(Math.max(...pages.slice(4))).toBe(8)
})

test('a size that was too long is not tried again soon', async () => {
  const { found, failed } = await read(Array(30).fill(30))
  expect(found).toHaveLength(30)
  expect(failed).toEqual([8, 4])
})

test('a document that is too long by itself is a failure', async () => {
  await expect(read([1, 101, 1])).rejects.toThrow('Too long.')
})
