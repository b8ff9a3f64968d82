import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { removeFiles } from '../../../src/files/store.ts'

test('thousands of parts are removed a few at a time', async () => {
  let [removed, underWay, most] = [0, 0, 0]
  const remove = async () => {
    most = Math.max(most, ++underWay)
    await setImmediate()
    underWay--
    removed++
  }
  const client = { delete: async () => ({ result: 'deleted' }) }
  const ctx = { files: { remove }, elastic: { client, indexName: (kind: string) => kind } }
  const ids = Array.from({ length: 50 }, (_, at) => `part-${at}`)
  await removeFiles({ ...ctx, organization: { id: 'o' } } as never, ids)
  expect([removed, most]).toEqual([50, 4])
})
