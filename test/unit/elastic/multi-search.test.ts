import { errors } from '@elastic/elasticsearch'
import { expect, test } from 'vitest'
import type { Elastic } from '../../../src/elastic/client.ts'
import { multiSearch } from '../../../src/elastic/multi-search.ts'
import { parsedResponse, SizeTrackingSerializer } from '../../../src/elastic/response-size.ts'
import type { SearchBody } from '../../../src/elastic/search.ts'
import { limits } from '../../../src/limits.ts'

const place = { kind: 'products', scope: 'o/c' }

interface Bounds {
  readonly maxResponseSize?: number
}

/** An Elasticsearch whose every search finds `hits` documents of `length` characters. */
function elasticWith(hits: number, length: number) {
  const serializer = new SizeTrackingSerializer()
  /** Searches in each request for several, and bytes of each response. */
  const [together, received]: [number[], number[]] = [[], []]
  const response = async (answer: object, { maxResponseSize = Infinity }: Bounds = {}) => {
    const json = JSON.stringify(answer)
    if (json.length > maxResponseSize) {
      throw new errors.RequestAbortedError('The response is bigger than the maximum')
    }
    received.push(json.length)
    return parsedResponse(serializer.deserialize(json))
  }
  const document = (_id: string) => ({ _index: 'i', _id, _source: { text: 'x'.repeat(length) } })
  const found = ({ _source, min_score = 0 }: SearchBody) => ({
    max_score: min_score,
    hits: {
      hits: Array.from({ length: hits }, (_, at) =>
        _source === false ? { _index: 'i', _id: `${at}` } : document(`${at}`),
      ),
    },
  })
  const client = {
    msearch: async ({ searches }: { searches: SearchBody[] }, bounds: Bounds) => {
      const bodies = searches.filter(({ size }) => size !== undefined)
      together.push(bodies.length)
      return response({ responses: bodies.map(found) }, bounds)
    },
    search: async (body: SearchBody, bounds: Bounds) => response(found(body), bounds),
    mget: async ({ docs }: { docs: { _id: string }[] }) =>
      response({ docs: docs.map(({ _id }) => ({ ...document(_id), found: true })) }),
  }
  const elastic = { client, indexName: (kind: string) => kind } as unknown as Elastic
  return { elastic, together, received }
}

const bodies = (count: number, size: number): SearchBody[] =>
  Array.from({ length: count }, (_, at) => ({ size, min_score: at, _source: ['text'] }))

/** How many searches each part answers. */
async function partsOf(elastic: Elastic, asked: readonly SearchBody[]): Promise<number[]> {
  const parts: number[] = []
  for await (const answers of multiSearch(elastic, place, asked)) parts.push(answers.length)
  return parts
}

test.each([
  ['short', 100],
  ['long', 80_000],
  ['too long for one response', 200_000],
])('%s answers come in the order of the searches', async (_, length) => {
  const { elastic } = elasticWith(10, length)
  const scores: unknown[] = []
  for await (const answers of multiSearch(elastic, place, bodies(6, 50))) {
    for (const answer of answers) scores.push((answer as { max_score?: unknown }).max_score)
  }
  expect(scores).toEqual([0, 1, 2, 3, 4, 5])
})

test('searches whose answers are known to be large wait for their turn', async () => {
  const { elastic } = elasticWith(10, 200_000)
  await partsOf(elastic, bodies(1, 50))
  const many = Array.from({ length: 8 }, () => partsOf(elastic, bodies(2, 50)))
  expect(await Promise.all(many)).toEqual(many.map(() => [1, 1]))
})

test('searches with short answers share a request, once that is known', async () => {
  const { elastic } = elasticWith(3, 100)
  expect(await partsOf(elastic, bodies(100, 50))).toEqual([2, 98])
  expect(await partsOf(elastic, bodies(100, 50))).toEqual([100])
})

test('searches whose answers are too long together are repeated once only', async () => {
  const { elastic, together } = elasticWith(10, 80_000)
  expect(await partsOf(elastic, bodies(4, 50))).toEqual([1, 1, 1, 1])
  expect(await partsOf(elastic, bodies(4, 50))).toEqual([1, 1, 1, 1])
  expect(together).toEqual([2, ...Array(8).fill(1)])
})

test('as many searches are sent together as recently fit one response', async () => {
  const { elastic, together } = elasticWith(10, 20_000)
  expect(await partsOf(elastic, bodies(12, 50))).toEqual([2, 5, 5])
  expect(together).toEqual([2, 5, 5])
})

test('large documents of a search are read in portions, also for the only one', async () => {
  const { elastic, together, received } = elasticWith(40, 100_000)
  await partsOf(elastic, bodies(1, 50))
  await partsOf(elastic, bodies(2, 50))
  expect(Math.max(...received)).toBeLessThanOrEqual(limits.readBytes)
  expect(together).toEqual([1])
})

test('a search whose documents exceed an answer has the first hits only', async () => {
  const { elastic } = elasticWith(50, 300_000)
  for await (const [answer] of multiSearch(elastic, place, bodies(1, 50))) {
    const ids = answer!.hits.hits.map(({ _id }) => _id)
    expect(ids).toEqual(Array.from({ length: 40 }, (_, at) => `${at}`))
  }
})

test('the next searches are sent when the answers of the last ones were used', async () => {
  const { elastic, received } = elasticWith(10, 20_000)
  const answers = multiSearch(elastic, place, bodies(12, 50))
  await answers.next()
  expect(received).toHaveLength(1)
})
