import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { installationsOf } from '../../src/extensions/store.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization } from '../support/client.ts'
import {
  importFile,
  product,
  rejectsOf,
  startImport,
  taskEnded,
  taskWaiting,
  upload,
} from '../support/imports.ts'
import { installRemote, json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let remote: TestRemote
let organization: Awaited<ReturnType<typeof newOrganization>>
let call: Call

const manifest = { id: 'list', kind: 'import', name: 'List', calls: ['run'] }

const offer = (vendorName: string, vendorPartNumber: string, cost: number) => ({
  vendorName,
  vendorPartNumber,
  cost,
  onHand: 5,
})
const RIVAL = offer('Rival', 'R-1', 50)
const seeded = [
  { id: 'K1', name: 'Wrench', vendors: [offer('Vendor A', 'A-1', 40), RIVAL] },
  { id: 'K2', name: 'Spanner', vendors: [offer('Vendor A', 'A-2', 30)] },
]

beforeAll(async () => {
  service = await startService({ outbound: createOutbound({ allow: '127.0.0.1' }) })
  remote = await startRemote(manifest)
})
afterAll(async () => {
  await remote.close()
  await service.stop()
})
beforeEach(async () => {
  organization = await newOrganization(service)
  call = organization.call
  await seedCatalog(service, organization, seeded, 'c')
})

const install = (settings: object) =>
  installRemote(call, { manifestUrl: `${remote.url}/manifest.json` }, { catalog: 'c', ...settings })

/** Installs an import of these lines, and runs it. */
async function importLines(settings: object, lines: readonly object[]) {
  remote.answers((response) => {
    response.writeHead(200, { 'content-type': 'application/jsonl' })
    response.end(lines.map((line) => JSON.stringify(line)).join('\n'))
  })
  const id = await install(settings)
  const answer = await expectOk(call(`POST /api/extensions/import/${id}/run`))
  return { id, task: await taskEnded(call, answer.body.taskId) }
}

const offersOf = async (id: string) => (await product(call, id)).vendors
const hostile = { id: 'K1', vendors: [{ vendorName: 'Rival', cost: 9999, onHand: 0 }] }
const mixed = { id: 'K1', name: 'New name', vendors: [{ vendorName: 'Vendor A', cost: 1 }, RIVAL] }

test('an installed import leaves offers of other vendors unchanged, and reports rows with such offers', async () => {
  const own = { id: 'K2', vendors: [{ vendorName: 'Vendor A', cost: 31 }] }
  const byNumber = { vendors: [{ vendorName: 'Rival', vendorPartNumber: 'R-1', cost: 9999 }] }
  const { task } = await importLines({ vendor: 'Vendor A' }, [hostile, mixed, byNumber, own])
  expect(task).toMatchObject({ status: 'completed', updated: 1, rejected: 3, created: 0 })
  expect(await rejectsOf(call, task)).toContain(
    'has an offer of Rival, but the extension is installed for Vendor A',
  )
  expect(await product(call, 'K1')).toMatchObject({
    name: 'Wrench',
    vendors: [expect.objectContaining({ cost: 40 }), expect.objectContaining(RIVAL)],
  })
  expect(await offersOf('K2')).toMatchObject([{ vendorName: 'Vendor A', cost: 31 }])
})

/** Confirms that all offers of a vendor are removed; returns the task once it has ended. */
async function confirmAndEnd(id: string) {
  await taskWaiting(call, id)
  await expectOk(call(`PUT /api/tasks/${id}`, { body: { confirmed: true } }))
  return taskEnded(call, id)
}

test('a full file of an installed import removes no offer of another vendor, or one named by a rejected row', async () => {
  const body = {
    catalog: 'c',
    vendor: 'Rival',
    additionalData: {
      fileUrl: await upload(call, 'sku,supplier\nK1,Vendor A\n'),
      fullFile: 'true',
    },
  }
  const made = await expectOk(call('POST /api/extensions/available/file/install', { body }))
  const run = `POST /api/extensions/import/${made.body.id}/run`
  const emptied = await confirmAndEnd((await expectOk(call(run))).body.taskId)
  expect(emptied).toMatchObject({ status: 'completed', rejected: 1, removed: 1 })
  // Rival's offer is removed, since its full file lacks it; Vendor A's offers are not Rival's to
  // remove.
  expect(await offersOf('K1')).toMatchObject([{ vendorName: 'Vendor A', cost: 40 }])
  expect(await offersOf('K2')).toHaveLength(1)
})

test('an import changes offers of all vendors if its installation allows it', async () => {
  const { id, task } = await importLines({ vendor: 'Vendor A', vendors: 'all' }, [mixed, hostile])
  expect(task).toMatchObject({ status: 'completed', updated: 2, rejected: 0 })
  expect(await offersOf('K1')).toMatchObject([{ cost: 1 }, { vendorName: 'Rival', cost: 9999 }])
  const installed = (await call('GET /api/extensions/installed')).body
  expect(installed.find((one: { id: string }) => one.id === id)).toMatchObject({ vendors: 'all' })
})

test('an import without a vendor imports products, and offers of the vendor named in a run', async () => {
  remote.answers((response) => {
    response.writeHead(200, { 'content-type': 'application/jsonl' })
    const unnamed = { id: 'K3', name: 'Hook', vendors: [{ cost: 4 }] }
    const lines = [hostile, { id: 'K2', name: 'Renamed' }, unnamed]
    response.end(lines.map((line) => JSON.stringify(line)).join('\n'))
  })
  const id = await install({})
  const { body } = await expectOk(call(`POST /api/extensions/import/${id}/run`))
  const task = await taskEnded(call, body.taskId)
  expect(task).toMatchObject({ status: 'completed', created: 1, updated: 1, rejected: 1 })
  const { name } = (await expectOk(call('GET /api/organizations/current'))).body
  expect(await offersOf('K3')).toMatchObject([{ vendorName: name, cost: 4 }])
  expect(await rejectsOf(call, task)).toContain('the extension is installed without a vendor')
  const named = { extensionId: id, vendor: 'Rival' }
  const again = await expectOk(call('POST /api/extensions/import/import', { body: named }))
  expect(await taskEnded(call, again.body.taskId)).toMatchObject({ updated: 2, rejected: 0 })
})

test('neither a run nor the extension’s answer can switch an import to another vendor', async () => {
  const id = await install({ vendor: 'Vendor A' })
  const body = { extensionId: id, vendor: 'Rival' }
  const refused = await call('POST /api/extensions/import/import', { body })
  expect(refused).toMatchObject({
    status: 400,
    body: { message: 'vendor: the extension is installed for Vendor A' },
  })
  const fileUrl = await upload(call, 'sku,cost\nK1,9999\n')
  remote.answers((response) => json(response, { fileUrl, fileType: 'csv', vendor: 'Rival' }))
  for (const settings of [{ vendor: 'Vendor A' }, {}]) {
    const run = `POST /api/extensions/import/${await install(settings)}/run`
    await taskEnded(call, (await expectOk(call(run))).body.taskId)
    expect((await offersOf('K1'))[1]).toMatchObject({ vendorName: 'Rival', cost: 50 })
  }
})

test('a dry run rejects the rows that a run would reject', async () => {
  const fileUrl = await upload(call, 'sku,supplier,cost\nK1,Rival,1\nK2,Vendor A,2\n')
  const verdict = await expectOk(
    call('POST /api/extensions/available/file/validate', {
      body: { catalog: 'c', vendor: 'Vendor A', additionalData: { fileUrl } },
    }),
  )
  expect(verdict.body.preview).toMatchObject({ updated: 1, rejected: 1 })
  const unnamed = await upload(call, 'sku,cost\nK1,1\nK2,2\n')
  const body = { catalog: 'c', additionalData: { fileUrl: unnamed } }
  const accepted = await expectOk(call('POST /api/extensions/available/file/validate', { body }))
  expect(accepted.body.preview).toMatchObject({ updated: 2, rejected: 0 })
})

test('an offer in JSON lines without a vendor belongs to the configured one', async () => {
  const line = { id: 'K2', vendors: [{ vendorPartNumber: 'A-22', cost: 12 }] }
  const { task } = await importLines({ vendor: 'Vendor A' }, [line])
  expect(task).toMatchObject({ updated: 1, rejected: 0 })
  expect(await offersOf('K2')).toMatchObject([{ vendorName: 'Vendor A', cost: 12 }])
  const content = JSON.stringify({ id: 'K2', vendors: [{ vendorName: '', cost: 13 }] })
  const file = { name: 'a.jsonl', vendor: 'Vendor B' }
  expect(await importFile(call, content, file)).toMatchObject({ updated: 1, rejected: 0 })
  expect(await offersOf('K2')).toMatchObject([{ cost: 12 }, { vendorName: 'Vendor B', cost: 13 }])
  const { name } = (await expectOk(call('GET /api/organizations/current'))).body
  const unset = await importFile(call, content, { name: 'a.jsonl' })
  expect(unset).toMatchObject({ updated: 1, rejected: 0 })
  expect(await offersOf('K2')).toContainEqual(
    expect.objectContaining({ vendorName: name, cost: 13 }),
  )
})

test('an installation from before this setting works as before', async () => {
  const id = await install({})
  const installations = installationsOf(service.services, organization.id)
  const found = (await installations.get(id))!
  const { vendors: _, ...settings } = found.source.settings
  await installations.replace(id, { ...found.source, settings }, found, { refresh: true })
  remote.answers((response) => {
    response.writeHead(200, { 'content-type': 'application/jsonl' }).end(JSON.stringify(hostile))
  })
  const { body } = await expectOk(call(`POST /api/extensions/import/${id}/run`))
  expect(await taskEnded(call, body.taskId)).toMatchObject({ updated: 1, rejected: 0 })
  await expectOk(call(`PUT /api/extensions/installed/${id}`, { body: { vendor: 'Vendor A' } }))
  const again = await expectOk(call(`POST /api/extensions/import/${id}/run`))
  expect(await taskEnded(call, again.body.taskId)).toMatchObject({ updated: 0, rejected: 1 })
})

test('an installation that gets another vendor reports which offers stay, and how to remove them', async () => {
  const id = await install({ vendor: 'Rival' })
  const change = async (body: object) =>
    (await expectOk(call(`PUT /api/extensions/installed/${id}`, { body }))).body.message
  expect(await change({ extensionNickname: 'Prices' })).toBe('Extension updated.')
  expect(await change({ vendor: 'Rival GmbH' })).toBe(
    'Extension updated. Offers of Rival stay in the catalog until a full file of that vendor removes them.',
  )
  expect(await offersOf('K1')).toHaveLength(2)
  const full = { targetCatalog: 'c', vendor: 'Rival', fullFile: true }
  await confirmAndEnd(await startImport(call, 'sku,cost\n', full))
  expect(await offersOf('K1')).toMatchObject([{ vendorName: 'Vendor A' }])
})
