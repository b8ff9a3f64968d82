import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import { counts, importFile, newCatalog, product, rejectsOf } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let call: Call

beforeAll(async () => {
  service = await startService()
})

beforeEach(async () => {
  const organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

/** Rows of other products, enough to end the batch of the rows before them. */
const others = (count: number) => Array.from({ length: count }, (_, i) => `O${i},Other ${i},,,,`)
const HEADER = 'id,name,manufacturer,mpn,vendor,cost'

describe('rows of one product that are far apart', () => {
  test('create one product in its first version; the last row wins', async () => {
    const task = await importFile(
      call,
      [
        HEADER,
        'A1,Desk,Acme,AC-1,Nord,10',
        ...others(60),
        'A1,Table,,,Bolt,20',
        ...others(120).slice(60),
        'A1,,,,Nord,11',
        'A1,,,,Nord,x',
      ].join('\n'),
    )
    expect(counts(task)).toEqual({
      ...{ processed: 124, created: 121, updated: 2, unchanged: 0, rejected: 1 },
    })
    expect(await rejectsOf(call, task)).toContain('125,"vendor.cost: ""x"" is not a number"')
    const made = await product(call, 'A1')
    expect(made).toMatchObject({ name: 'Table', manufacturer: 'Acme', version: '1' })
    expect(made.vendors).toMatchObject([
      { vendorName: 'Nord', cost: 11 },
      { vendorName: 'Bolt', cost: 20 },
    ])
    const prices = async () => {
      const told = await expectOk(call('GET /api/Catalog/c/products/A1/insights'))
      return told.body.vendorInsights.map((one: { price: number }) => one.price).toSorted()
    }
    await expect.poll(prices).toEqual([11, 20])
  })

  test('are matched by part number if a row has no id', async () => {
    const task = await importFile(
      call,
      [
        HEADER,
        'A1,Desk,Acme,AC-1,Nord,10',
        ...others(60),
        ',Table,ACME,ac-1,Bolt,20',
        ',New,Acme,AC-9,Bolt,5',
        ...others(70).slice(60),
        'A1,Bench,,,,',
      ].join('\n'),
    )
    expect(counts(task)).toEqual({
      ...{ processed: 74, created: 72, updated: 2, unchanged: 0, rejected: 0 },
    })
    expect(await product(call, 'A1')).toMatchObject({ name: 'Bench', version: '1' })
    const { body } = await expectOk(call('POST /api/search?catalog=c', { body: {} }))
    expect(body.total).toBe(72)
  })
})
