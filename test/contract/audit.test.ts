import { beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/operation.ts'
import { operations } from '../../src/operations.ts'
import { expectOk } from '../support/client.ts'
import { startService } from '../support/service.ts'
import type { Sent } from './contract.ts'
import { cases } from './contracts.ts'
import { outside } from './outside.ts'
import { prepare, send, weakest } from './send.ts'
import { newWorld, type World } from './world.ts'

/** Writes that are not administration: they have a log of their own, or belong to one user. */
const CONTENT = [
  ...['Create Product', 'Update Product', 'Update Product (POST)', 'Delete Product'],
  ...['Write Products', 'Write Offers', 'Write Prices', 'Restore Product'],
  ...['Copy Product To Catalog', 'Add Extension Link', 'Update Extensions Field', 'Fetch Pictures'],
  ...['Add to User Favorites', 'Remove from User Favorites', 'Set Favorites'],
  ...['Add to Organization Favorites', 'Remove from Organization Favorites'],
  ...['Remove Company Favorite', 'Remove User Favorite', 'Update Product Notes', 'Delete Note'],
  ...['Update Product Tags', 'Update Product Tags (User)', 'Save Columns'],
  ...['Save Search', 'Delete Saved Search', 'Report Choice', 'Create Workspace'],
  ...['Delete Workspace', 'Add Product To Workspace', 'Add Items To Workspace'],
  ...['Update Workspace Item', 'Delete Workspace Item', 'Update Workspace Metadata'],
  ...['Upload File', 'Upload Recommendation File', 'Save Product Image'],
  ...['Delete Custom Product Images', 'Get Import Sample', 'Import Data'],
  ...['Run Extension Via Queue', 'Run Import Extension', 'Run Import Extensions for Folio'],
  ...['Run Extension', 'Run Extension Options', 'Run Existing Extension Links', 'Update Task'],
  ...['Run Extension Possible Matches', 'Run Recommendation Extension'],
  ...['Run All Real Time Extensions', 'Run Real Time Extension'],
  ...['Punchout Setup', 'Return Punchout Session'],
]

const writes = ({ bindings, reads = false }: Operation) =>
  !reads && Object.values(bindings).some(({ method }) => method !== 'GET')

describe('the table of operations', () => {
  test('contains no write that is neither audited nor listed as content', () => {
    const silent = operations.filter((one) => writes(one) && !one.audit).map(({ name }) => name)
    expect(silent.toSorted()).toEqual(CONTENT.toSorted())
  })

  test('audits all writes that only administrators and operators can make', () => {
    const high = operations.filter(({ access }) =>
      ['administrator', 'operator', 'operatorOnly', 'caller'].includes(access),
    )
    const silent = high.filter((one) => writes(one) && !one.audit)
    expect(silent.map(({ name }) => name)).toEqual([])
  })
})

/** Each audited operation once, in its latest revision. */
const audited = cases.filter(
  ({ operation, revision }) =>
    operation.audit && (revision !== '1.0' || operation.bindings['6.0'] === undefined),
)

const CANARY = 'canary-in-a-cage'

/** Adds a secret of the test to a request that has credentials. */
function withCanary(sent: Sent): Sent {
  const { additionalData, ...body } = (sent.body ?? {}) as { additionalData?: object }
  if (!additionalData) return sent
  return { ...sent, body: { ...body, additionalData: { ...additionalData, password: CANARY } } }
}

describe('every audited operation is recorded', () => {
  let world: World
  const secrets = new Set([CANARY])
  beforeAll(async () => {
    world = await newWorld(await startService({ outbound: outside }))
  })

  const entryOf = async (requestId: string, own: string) => {
    const line = `GET /api/reporting/audit?requestId=${requestId}`
    const key = (await world.keyOf('operator')) ?? null
    return (await expectOk(world.call(line, { key, organization: own }))).body.items[0]
  }

  test.each(audited.map((one) => [one.operation.name, one] as const))('%s', async (name, one) => {
    const sent = withCanary(await prepare(one.contract!.ok, world, weakest(one.operation)))
    const answer = await send(one, sent, { world })
    expect([answer.status, answer.body.message]).toEqual([200, answer.body.message])
    const { key, secret } = answer.body
    for (const shown of [key, secret]) if (typeof shown === 'string') secrets.add(shown)
    // A preview of what a search finds changes nothing, so it has no entry.
    if (one.operation.audit!.happened && answer.body.taskId === null) return
    const own = name === 'Create Organization' ? answer.body.id : world.organization.id
    const requestId = answer.headers.get('x-request-id')!
    const find = () => entryOf(requestId, own)
    if (!writes(one.operation) || one.operation.audit!.reads) {
      return expect.poll(find).toMatchObject({ operation: name, reads: true })
    }
    const entry = await find()
    expect(entry).toMatchObject({ operation: name, outcome: 'done', reads: false })
    expect(entry.target.type).toBe(one.operation.audit!.target)
    expect(entry.secretShown).toBe(typeof (key ?? secret) === 'string')
  })

  test('without secrets', async () => {
    const { client, indexName } = world.service.services.elastic
    const index = indexName('audit')
    await client.indices.refresh({ index })
    const query = { term: { scope: world.organization.id } }
    const { hits } = await client.search({ index, query, size: 1_000 })
    expect(hits.hits.length).toBeGreaterThan(audited.length / 2)
    const stored = JSON.stringify(hits.hits)
    expect(secrets.size).toBeGreaterThan(2)
    for (const secret of secrets) expect(stored).not.toContain(secret)
  })
})
