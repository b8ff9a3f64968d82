import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { runImport } from '../../src/imports/run.ts'
import { ImportRequest } from '../../src/imports/schemas.ts'
import { preparedImport } from '../../src/imports/start.ts'
import { tasksOf } from '../../src/tasks/store.ts'
import { noRowCounts, type Progress } from '../../src/tasks/task.ts'
import { newOrganization, type TestOrganization } from '../support/client.ts'
import { importFile, newCatalog, product, upload } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf } from '../support/tasks.ts'

let service: TestService
let organization: TestOrganization

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
})

test('an import that stopped under another way of counting rows starts over', async () => {
  const { call } = organization
  const file = readFileSync(new URL('../support/shops/woocommerce.csv', import.meta.url), 'utf8')
  await newCatalog(organization)
  await newCatalog(organization, 'd')
  const whole = await importFile(call, file, { name: 'woocommerce.csv' })
  const { source: stored } = (await tasksOf(service.services, organization.id).get(whole.id))!
  const counted = { ...noRowCounts, processed: 2, created: 2 }
  const rejects = { file: crypto.randomUUID(), listed: 0, parts: [], tail: '' }
  const begun = { rows: 2, empty: true, naming: null, rejects, columnValues: [2] }
  const fileUrl = await upload(call, file, 'woocommerce.csv')
  const { input } = await preparedImport(
    contextOf(organization.id, service),
    ImportRequest.parse({ fileUrl, targetCatalog: 'd' }),
  )
  const said: Progress[] = []
  const outcome = await runImport({
    task: { ...stored, id: crypto.randomUUID(), input, checkpoint: begun, counts: counted },
    ctx: contextOf(organization.id, service),
    progress: (update) => said.push(update),
    stored: async () => undefined,
    isCancelled: () => false,
    resumesLater: () => false,
    assertLease: () => undefined,
    withoutSlot: (work) => work((part) => part()),
    storedCheckpoint: () => null,
  })
  expect(outcome.status).toBe('completed')
  expect(said.findLast(({ counts }) => counts !== undefined)?.counts).toMatchObject({
    ...{ processed: whole.processed, created: whole.created, rejected: 0 },
  })
  for (const id of ['HARBOUR-RED-S', 'HARBOUR-BLUE-M']) {
    expect(await product(call, id, 'd')).toMatchObject({
      manufacturer: 'Tallow',
      groupId: 'HARBOUR',
    })
  }
})
