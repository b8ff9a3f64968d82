import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, newOrganization } from '../support/client.ts'
import { importFile, newCatalog, rejectsOf } from '../support/imports.ts'
import { requestsSent } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'

const COUNT = 60

let service: TestService
let call: Call

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  const organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
  const rows = Array.from({ length: COUNT }, (_, at) => `P${at + 100},Maker ${at},7,7,Nord,7`)
  await importFile(call, ['id,manufacturer,mpn,upc,vendor,vendor sku', ...rows].join('\n'))
})

/** Imports a file. Returns its task, and the searches for the products that its rows name. */
async function searchesOf(file: string) {
  let task: Awaited<ReturnType<typeof importFile>> | undefined
  const sent = await requestsSent(service, async () => {
    task = await importFile(call, file)
  })
  const bodies = sent.map(({ body }) => (typeof body === 'string' ? body : JSON.stringify(body)))
  const searches = bodies.filter((body) => body?.includes('search.partNumbers'))
  return { task: task!, searches: searches.map((body) => JSON.parse(body)) }
}

describe('a row whose number belongs to many products', () => {
  test.each([
    ['upc', 'upc,name\n7,Which', 'product.upcs'],
    ['vendor', 'vendor,vendor sku,name\nNord,7,Which', 'product.vendors.vendorPartNumber'],
  ])('by %s is rejected after a few of them were read', async (_, file, field) => {
    const { task, searches } = await searchesOf(file)
    expect(await rejectsOf(call, task)).toContain(
      '2,"matches several products: P100, P101, P102, P103, P104"',
    )
    expect(searches).toHaveLength(1)
    expect(searches[0].size).toBeLessThan(COUNT)
    expect(searches[0]._source).toContain(field)
  })

  test('finds the only one of its manufacturer without their offers', async () => {
    const { task, searches } = await searchesOf(`manufacturer,mpn,name\nMaker ${COUNT - 1},7,Found`)
    expect(task).toMatchObject({ updated: 1, created: 0, rejected: 0 })
    const read = ['product.id', 'product.manufacturer', 'product.manufacturerPartNumber']
    for (const { _source } of searches) expect(_source).toEqual(read)
  })
})
