import { describe, expect, test } from 'vitest'
import type { Elastic } from '../../../src/elastic/client.ts'
import { type Collection, collection } from '../../../src/elastic/collection.ts'
import { Unavailable } from '../../../src/errors.ts'
import { processorMs } from '../../../src/platform/processor-use.ts'
import { expectStepsBelow } from '../../support/expect-steps.ts'

/** A connection on which every mget returns these documents. */
const answering = (docs: readonly object[]) =>
  ({ client: { mget: async () => ({ docs }) }, indexName: (kind) => kind }) as Partial<Elastic> &
    object as Elastic

const missing = { _index: 'things', _id: 'a', found: false }
const failed = {
  _index: 'things',
  _id: 'b',
  error: { type: 'no_shard_available_action_exception' },
}

test('a document that could not be read is an outage, not a missing one', async () => {
  const read = (docs: readonly object[]) =>
    collection(answering(docs), { kind: 'things', scope: ['o'] }).getMany(['a', 'b'])
  expect(await read([missing, missing])).toEqual([undefined, undefined])
  await expect(read([missing, failed])).rejects.toThrow(Unavailable)
})

describe('a search', () => {
  const settings = { kind: 'things', scope: ['o', 'c'], routed: true }
  const body = { size: 1, query: { term: { a: 1 } } }
  const asked = {
    size: 1,
    query: { bool: { filter: [{ term: { scope: 'o/c' } }], must: [body.query] } },
  }

  /** The requests to an Elasticsearch that answers everything. */
  async function askedBy(search: (things: Collection<object>) => Promise<unknown>) {
    const requests: unknown[] = []
    const answer = async (request: object) => {
      requests.push(request)
      return { hits: { hits: [] }, _shards: { failed: 0 }, id: 'opened', count: 0 }
    }
    const client = { search: answer, count: answer, openPointInTime: answer }
    await search(collection({ client, indexName: (kind: string) => kind } as never, settings))
    return requests
  }

  const where = { index: 'things', ignore_unavailable: false, routing: 'o/c', preference: 'o/c' }

  test('of a scope always uses the same copy of its shard', async () => {
    expect(await askedBy((things) => things.search(body))).toEqual([
      { ...asked, ...where, allow_partial_search_results: false },
    ])
    expect(await askedBy((things) => things.count(body.query))).toEqual([
      { query: asked.query, ...where },
    ])
    expect(await askedBy((things) => things.openPointInTime(5_000))).toEqual([
      { ...where, keep_alive: '5000ms' },
    ])
  })

  test('at a point in time names that instead, and still filters by scope', async () => {
    const pointInTime = { id: 'opened', keepMs: 5_000 }
    expect(await askedBy((things) => things.search(body, { pointInTime }))).toEqual([
      {
        ...asked,
        allow_partial_search_results: false,
        pit: { id: 'opened', keep_alive: '5000ms' },
      },
    ])
  })
})

test('what the caller may see of many documents is decided in steps', async () => {
  const docs = Array.from({ length: 25 }, (_, at) => ({
    _id: `${at}`,
    found: true,
    _source: { at },
  }))
  const admits = (document: object) => {
    for (const end = processorMs() + 10; processorMs() < end; );
    return (document as { at: number }).at % 2 === 0
  }
  const visible = { instead: {}, admits, source: [] }
  const things = collection<{ at: number }>(answering(docs), {
    ...{ kind: 'things', scope: ['o'] },
    visible,
  })
  let found: unknown[] = []
  await expectStepsBelow(125, async () => {
    found = await things.getMany(docs.map(({ _id }) => _id))
  })
  expect(found.filter((one) => one !== undefined)).toHaveLength(13)
})
