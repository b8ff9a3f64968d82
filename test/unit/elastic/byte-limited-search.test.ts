import { errors } from '@elastic/elasticsearch'
import { expect, test } from 'vitest'
import { pagesWithinBytes, searchWithinBytes } from '../../../src/elastic/byte-limited-search.ts'
import type { SearchAnswer, SearchBody, SearchOptions } from '../../../src/elastic/search.ts'
import { Unavailable } from '../../../src/errors.ts'

interface Stored {
  readonly text: string
}

/** Answers from a list, and records the length of each answer, also of those that are too long. */
function searchOf(all: readonly Stored[], sent: number[], refused: number[] = []) {
  return async (
    { size = 10, search_after: [after] = [-1] }: SearchBody,
    { longest = 0 }: SearchOptions = {},
  ): Promise<SearchAnswer<Stored>> => {
    const from = Number(after) + 1
    const hits = all
      .slice(from, from + size)
      .map((_source, at) => ({ _index: 'i', _source, sort: [from + at] }))
    const { length } = JSON.stringify(hits)
    if (length > longest) {
      refused.push(length)
      const cause = new errors.RequestAbortedError('bigger than the maximum')
      throw new Unavailable('Too long.', { cause })
    }
    sent.push(length)
    return { hits: { hits } } as unknown as SearchAnswer<Stored>
  }
}

const of = (count: number, length: number): Stored[] =>
  Array.from({ length: count }, () => ({ text: 'x'.repeat(length) }))

test('documents that are much longer than those before them are read a few at a time', async () => {
  const sent: number[] = []
  const all = [...of(30, 1), ...of(500, 10_000), ...of(1, 300_000)]
  const asked = { size: all.length, sort: ['id'] }
  const found = await searchWithinBytes({ search: searchOf(all, sent) }, asked, { most: 200_000 })
  expect(found).toEqual(all.slice(0, found.length))
  expect(found.length).toBeGreaterThan(30 + 15)
  expect(sent.length).toBeLessThan(12)
  const alone = await searchWithinBytes({ search: searchOf(of(1, 300_000), sent) }, asked, {
    most: 9,
  })
  expect(alone).toEqual([])
})

test('pages go on with short answers once documents became longer', async () => {
  const [sent, refused]: [number[], number[]] = [[], []]
  const all = [...of(500, 1), ...of(60, 250_000)]
  const search = searchOf(all, sent, refused)
  const asked = { size: all.length, sort: ['id'] }
  const pages = pagesWithinBytes({ search }, asked, { most: Infinity, largest: 250 })
  const found: Stored[] = []
  for await (const page of pages) found.push(...page)
  expect(found).toEqual(all)
  expect(Math.max(...sent)).toBeLessThan(1024 * 1024)
  expect(refused.length).toBeLessThan(15)
})
