import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import {
  importFile,
  newCatalog,
  product,
  startImport,
  taskEnded,
  taskWaiting,
} from '../support/imports.ts'
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

const total = async () =>
  (await expectOk(call('POST /api/search?catalog=c', { body: {} }))).body.total
const isThere = async (id: string) =>
  (await call(`GET /api/Catalog/c/products/${id}`)).status === 200

describe('a row with delete', () => {
  test('deletes its product, found by id or part number, and reports nothing new afterwards', async () => {
    await importFile(call, 'id,name,upc\nA1,Desk,\nA2,Chair,4006381333931\nA3,Lamp,\n')
    const csv = 'id,upc,_delete\nA1,,yes\n,4006381333931,1\nA3,,no\nA4,,x\n'
    expect(await importFile(call, csv)).toMatchObject({
      ...{ processed: 4, updated: 2, deleted: 2, unchanged: 2, rejected: 0 },
      message: expect.stringContaining('2 updated (2 deleted)'),
    })
    expect([await isThere('A1'), await isThere('A2'), await isThere('A3')]).toEqual([
      ...[false, false, true],
    ])
    expect(await total()).toBe(1)
    expect(await importFile(call, csv)).toMatchObject({ unchanged: 4, deleted: 0 })
    const lines = [
      { id: 'A3', _delete: true },
      { id: 'A5', name: 'Desk', _delete: false },
      { id: 'A6', _delete: 7.5 },
      { id: 'A7', _delete: 'soon' },
    ]
    const jsonl = lines.map((line) => JSON.stringify(line)).join('\n')
    expect(await importFile(call, jsonl, { name: 'a.jsonl' })).toMatchObject({
      ...{ deleted: 1, created: 1, unchanged: 1, rejected: 1 },
    })
    expect([await isThere('A3'), await isThere('A5')]).toEqual([false, true])
  })

  test('takes effect in the order of the file, also for new products', async () => {
    const filler = Array.from({ length: 600 }, (_, n) => `F${n},x,`)
    const rows = [
      'A1,Desk,',
      'A2,Chair,',
      'A2,,true',
      ...filler,
      'A1,,true',
      'A3,Lamp,',
      'A3,,true',
      'A3,Lamp again,',
    ]
    const task = await importFile(call, ['id,name,_delete', ...rows].join('\n'))
    expect(task).toMatchObject({ created: 604, deleted: 3, rejected: 0, processed: 607 })
    expect([await isThere('A1'), await isThere('A2')]).toEqual([false, false])
    expect(await product(call, 'A3')).toMatchObject({ name: 'Lamp again' })
    expect(await total()).toBe(601)
  })

  test('is recognized in any column mapped to delete, but not if catalog data is not updated', async () => {
    await importFile(call, 'id,name\nA1,Desk\n')
    const csv = 'id,gone\nA1,true\n'
    const mappings = [
      { column: 0, field: 'id' },
      { column: 1, field: 'delete' },
    ]
    const kept = await importFile(call, csv, { mappings, updateMetadata: false })
    expect(kept).toMatchObject({ rejected: 1, deleted: 0 })
    // A heading that may have another meaning deletes nothing.
    expect(await importFile(call, 'id,delete\nA1,true\n')).toMatchObject({ deleted: 0 })
    expect(await importFile(call, csv, { mappings })).toMatchObject({ deleted: 1 })
    expect(await isThere('A1')).toBe(false)
  })
})

describe('a full file', () => {
  const both =
    'id,name,vendor,price\nA1,Desk,Nord,5\nA2,Chair,Nord,6\nA2,Chair,Sued,7\nA3,Lamp,Nord,8\n'

  test('deletes products without offers on request', async () => {
    await importFile(call, both)
    const settings = { vendor: 'Nord', fullFile: true }
    const only = 'id,price\nA1,5\n'
    expect(await importFile(call, only, { ...settings, missing: 'delete' })).toMatchObject({
      ...{ removed: 2, deleted: 1 },
      message: expect.stringContaining('1 product without other offers deleted.'),
    })
    expect([await isThere('A2'), await isThere('A3')]).toEqual([true, false])
    const refused = await call('POST /api/extensions/import/import', {
      body: { fileUrl: 'https://a.example/a.csv', targetCatalog: 'c', missing: 'delete' },
    })
    expect(refused).toMatchObject({ status: 400, body: { message: 'missing: requires fullFile' } })
  })

  test('tells what its rows delete from what has no offers any more', async () => {
    const settings = { vendor: 'Nord', fullFile: true, missing: 'delete' }
    await importFile(call, both)
    // A2 is deleted by its row; A3 keeps another offer.
    await importFile(call, 'id,vendor,price\nA3,Sued,9\n')
    const kept = await importFile(call, 'id,price,_delete\nA1,5,\nA2,,x\n', settings)
    expect(kept).toMatchObject({ removed: 1, deleted: 1 })
    expect(kept.message).toBe(
      '1 offer of Nord removed that the file does not list. 2 rows: 0 created, 1 updated (1 deleted), 1 unchanged, 0 rejected.',
    )
    await importFile(call, both)
    await importFile(call, 'id,vendor,price\nA4,Nord,9\n')
    const gone = 'id,price,_delete\nA1,5,\nA2,,x\nA3,8,\n'
    const last = await importFile(call, gone, settings)
    expect(last).toMatchObject({ removed: 1, deleted: 2 })
    expect(last.message).toBe(
      '1 offer of Nord removed that the file does not list. 1 product without other offers deleted. 3 rows: 0 created, 1 updated (1 deleted), 2 unchanged, 0 rejected.',
    )
  })

  test.each(['', 'id,price\n'])('asks before %o deletes anything', async (empty) => {
    await importFile(call, both)
    const settings = { targetCatalog: 'c', vendor: 'Nord', fullFile: true, missing: 'delete' }
    const id = await startImport(call, empty, { ...settings, fileType: 'csv' })
    const waiting = await taskWaiting(call, id)
    expect(waiting).toMatchObject({
      ...{ processed: 0, removed: 0, warnings: ['The file has no rows.'] },
      message: expect.stringContaining('The file does not list 3 of the 3 offers of Nord.'),
    })
    expect(await total()).toBe(3)
  })

  test('asks before it deletes most of them', async () => {
    const many = Array.from({ length: 12 }, (_, n) => `B${n},Nord,5`)
    await importFile(call, ['id,vendor,price', ...many].join('\n'))
    const settings = { targetCatalog: 'c', vendor: 'Nord', fullFile: true, missing: 'delete' }
    const id = await startImport(call, 'id,price\nB0,5\n', settings)
    const waiting = await taskWaiting(call, id)
    expect(waiting.message).toContain('and to delete the products that have no other offer')
    expect(await total()).toBe(12)
    await expectOk(call(`PUT /api/tasks/${id}`, { body: { confirmed: true } }))
    expect(await taskEnded(call, id)).toMatchObject({
      status: 'completed',
      removed: 11,
      deleted: 11,
    })
    expect(await total()).toBe(1)
  })
})
