import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { collection } from '../../src/elastic/collection.ts'
import { caller, expectOk, newOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { importFile, newCatalog, startImport, taskEnded } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

/** Four batches of rows. */
const ROWS = 2_000
const file = (price: number) =>
  ['id,vendor,price', ...Array.from({ length: ROWS }, (_, i) => `P${i},Nord,${price}`)].join('\n')

/** Number of products that have a point with this price. */
async function productsWithPoint(
  { services }: TestService,
  owner: string,
  price: number,
): Promise<number> {
  const answer = await collection(services.elastic, {
    kind: 'insights',
    scope: [owner],
    monthly: true,
  }).search({
    size: 0,
    query: { term: { price } },
    aggs: { products: { terms: { field: 'productId', size: 2 * ROWS } } },
  })
  return (answer.aggregations!.products as unknown as { buckets: unknown[] }).buckets.length
}

test('an import that another instance takes over records every price exactly once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
  const proxy = await startFaultProxy(inject('elasticsearch').node)
  const gone = await startService({ folder, node: proxy.node, tasks: { leaseMs: 2_000 } })
  const organization = await newOrganization(gone)
  await newCatalog(organization)
  const key = await organization.key('administrator')
  const { call } = organization
  expect(await importFile(call, file(5))).toMatchObject({ created: ROWS })

  // The instance stops as soon as the second batch of products is written.
  let batches = 0
  const isGone = Promise.withResolvers<void>()
  proxy.set('dropAnswer', (line, length) => {
    // Bulks to Insights have another filter_path, and those to the audit log are shorter.
    if (!line.startsWith('POST /_bulk?filter_path=items') || length < 10_000) return false
    if (++batches < 2) return false
    setImmediate(() => {
      proxy.set('refuse')
      isGone.resolve()
    })
    return true
  })
  const id = await startImport(call, file(6), { targetCatalog: 'c' })
  await isGone.promise
  const next = await startService({ folder, tasks: { leaseMs: 2_000 } })
  const after = caller(next, { key, organization: organization.id })
  const task = await taskEnded(after, id)
  expect(task).toMatchObject({ status: 'completed', updated: ROWS })
  await expect.poll(() => productsWithPoint(next, organization.id, 6)).toBe(ROWS)
  expect(await productsWithPoint(next, organization.id, 5)).toBe(ROWS)
  for (const product of ['P0', `P${ROWS / 2}`, `P${ROWS - 1}`]) {
    const { body } = await expectOk(after(`GET /api/Catalog/c/products/${product}/insights`))
    const prices = body.vendorInsights.map(({ price }: { price: number }) => price)
    expect(prices).toEqual([5, 6])
  }
  proxy.set('none')
  await gone.stop()
  await proxy.close()
})
