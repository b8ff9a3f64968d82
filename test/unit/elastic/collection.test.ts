import { expect, test } from 'vitest'
import type { Elastic } from '../../../src/elastic/client.ts'
import { collection } from '../../../src/elastic/collection.ts'
import { Unavailable } from '../../../src/errors.ts'

/** A connection on which every mget answers these documents. */
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
