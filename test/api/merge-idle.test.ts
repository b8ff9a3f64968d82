import { randomBytes } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createElastic } from '../../src/elastic/client.ts'
import { createIdleMerge } from '../../src/elastic/merge-idle.ts'

test('segments of a small index are merged once it is idle', async () => {
  const prefix = `${inject('indexPrefix')}-${randomBytes(3).toString('hex')}`
  const elastic = createElastic({
    ...{ node: inject('elasticsearch').node, prefix },
    ...{ shards: 1, replicas: 0 },
  })
  const { client } = elastic
  const index = elastic.indexName('things')
  const settings = { number_of_shards: 2, number_of_replicas: 0 }
  await client.indices.create({ index, settings })
  onTestFinished(async () => {
    await client.indices.delete({ index })
    await client.close()
  })
  const write = async (count: number) => {
    for (let at = 0; at < count; at++) {
      await client.index({ index, routing: 'one shard', document: { at }, refresh: true })
    }
  }
  const segments = async () => {
    const { _all } = await client.indices.stats({ index, metric: 'segments' })
    return _all.total?.segments?.count
  }
  let merges = 0
  elastic.observe(({ api }) => {
    if (api === '_forcemerge') merges += 1
    return { ended: () => undefined }
  })
  const look = createIdleMerge(elastic, 'things')
  await write(4)
  await look()
  await write(1)
  await look()
  // The index was written to between the two checks.
  expect(await segments()).toBe(5)
  await look()
  await expect.poll(segments).toBe(1)
  await write(2)
  await look()
  await look()
  expect(merges).toBe(1)
})
