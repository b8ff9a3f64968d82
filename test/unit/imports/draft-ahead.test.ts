import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { CatalogScope } from '../../../src/catalogs/store.ts'
import { ProductRows } from '../../../src/imports/writing/product-rows.ts'
import { createRowWriter } from '../../../src/imports/writing/row-writer.ts'
import type { TaskRunContext } from '../../../src/tasks/task.ts'

test('products with many facets are drafted in several turns of the event loop', async () => {
  const run = {
    ctx: {
      elastic: { indexName: (kind: string) => kind },
      organization: { id: 'o', parent: null },
      requests: { hasOthers: () => false },
      caller: { username: 'u' },
      clock: { now: () => new Date(0) },
    },
    task: { id: 't', lease: null },
    isCancelled: () => false,
    storedCheckpoint: () => null,
  } as unknown as TaskRunContext
  const scope = { owner: 'o', name: 'c', id: 'c', language: 'en' } as unknown as CatalogScope
  const writer = createRowWriter(run, {
    ...{ scope, expectNew: true, createProducts: true, updateMetadata: true },
  })
  const names = Array.from({ length: 900 }, (_, at) => `F${at}`)
  const groups = Array.from({ length: 30 }, (_, at) => {
    const id = `P${at}`
    const facets = Object.fromEntries(names.map((name) => [name, `v${at}`]))
    const change = { id, patch: {}, facets, offers: [] }
    return new ProductRows(id, { line: at, number: at, length: 13_000, change })
  })
  const writing = writer.begin()
  let turns = 0
  const over = writing.ahead(groups).then(() => true)
  while (!(await Promise.race([over, setImmediate(false)]))) turns++
  expect(turns).toBeGreaterThan(5)
})
