import { expect, test } from 'vitest'
import { criteriaOf } from '../../../src/search/criteria.ts'
import { metadataOf } from '../../../src/search/metadata.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'
import type { SearchTarget } from '../../../src/search/target.ts'
import { NO_WORDS } from '../../../src/search/understanding/reading.ts'
import { token } from '../../../src/text.ts'

/** Two readings of the metadata of one answer with such paths, and the characters spent on each. */
async function readTwice(paths: readonly string[]) {
  const buckets = paths.map((key) => ({ key, doc_count: 1 }))
  const answer = { aggregations: { paths: { buckets } } } as never
  const criteria = criteriaOf(SearchRequest.parse({ facets: { tree: true } }))
  const read = async () => {
    let spent = 0
    const spend = (characters: number) => {
      spent += characters
    }
    const target = {
      viewer: { organization: 'org', username: 'ann', hide: [] },
      piece: { turn: async () => undefined, spend },
    } as unknown as SearchTarget
    const { categoryTree } = await metadataOf(target, criteria, { answer, reading: NO_WORDS })
    return { categoryTree, spent }
  }
  return [await read(), await read()] as const
}

test('a category tree is made once for a cached answer, and spent each time', async () => {
  const [first, again] = await readTwice([token('A', 'B', ''), token('A', 'C', '')])
  expect(first.categoryTree).toMatchObject([{ name: 'A', count: 2 }])
  expect(again.categoryTree).toBe(first.categoryTree)
  expect([first.spent, again.spent]).toEqual([155, 155])
})

test('a category tree that is far longer than its paths is not kept', async () => {
  const levels = [...'abcdefghijk']
  const paths = Array.from({ length: 100 }, (_, at) => token(`${at}`, ...levels, ''))
  const [first, again] = await readTwice(paths)
  expect(first.spent).toBeGreaterThan(500 * paths.length)
  expect(again.spent).toBe(first.spent)
  expect(again.categoryTree).not.toBe(first.categoryTree)
})
