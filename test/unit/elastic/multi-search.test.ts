import { errors } from '@elastic/elasticsearch'
import { expect, test } from 'vitest'
import type { Elastic } from '../../../src/elastic/client.ts'
import { multiSearch } from '../../../src/elastic/multi-search.ts'

test('searches whose answers are too long together are repeated a few times only', async () => {
  const sent: number[] = []
  const msearch = async (
    { searches }: { searches: { size?: number }[] },
    { maxResponseSize }: { maxResponseSize?: number },
  ) => {
    const sizes = searches.flatMap(({ size }) => (size === undefined ? [] : [size]))
    sent.push(sizes.length)
    if (sizes.length > 2 && maxResponseSize !== undefined) {
      throw new errors.RequestAbortedError('The response is bigger than the maximum')
    }
    return { responses: sizes.map((took) => ({ took })) }
  }
  const elastic = { client: { msearch }, indexName: (kind: string) => kind } as unknown as Elastic
  const bodies = Array.from({ length: 10 }, (_, size) => ({ size }))
  const answers = await multiSearch(elastic, { kind: 'products', scope: 'o/c' }, bodies)
  expect(answers.map(({ took }) => took)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(sent).toEqual([10, 5, 2, 2, 2, 2, 2])
})
