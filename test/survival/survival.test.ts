import { expect, inject, test } from 'vitest'
import { drill } from './drill.ts'

test('an import whose processes are killed and frozen loses and duplicates nothing', async () => {
  const figures = await drill({
    node: inject('elasticsearch').node,
    prefix: `${inject('indexPrefix')}-survival`,
    rows: 20_000,
    kills: 3,
    freezes: 1,
    seed: 7,
    leaseMs: 2_000,
    bulkMs: 250,
  })
  expect(figures).toMatchObject({
    kills: 3,
    freezes: 1,
    task: { status: 'completed', success: true, percentCompleted: 100 },
    lost: 0,
    doubled: 0,
    editsLost: 0,
    zombieWrites: 0,
    fell: 0,
    miscounted: [],
  })
  expect(figures.edits).toBeGreaterThan(10)
})
