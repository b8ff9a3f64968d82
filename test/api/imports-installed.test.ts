import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { newCatalog, product, taskEnded, taskOf, taskWaiting, upload } from '../support/imports.ts'
import { installRemote, json, startRemote, type TestRemote } from '../support/remote.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let organization: TestOrganization
let call: Call
let remote: TestRemote

const manifest = {
  id: 'oakvale-list',
  kind: 'import',
  name: 'Oakvale list',
  fields: [{ field: 'account' }, { field: 'token', protected: true, optional: true }],
  calls: ['run'],
}

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
  await newCatalog(organization)
})

const ROWS = 12_000
const CSV = 'sku,brand,cost\nD-1,Drakesmoor,10\nD-2,Drakesmoor,20\n'

async function installFile(settings: object = {}, values: object = {}): Promise<string> {
  const additionalData = { fileUrl: await upload(call, CSV), ...values }
  const body = { catalog: 'c', vendor: 'Oakvale Supply', additionalData, ...settings }
  const answer = await expectOk(call('POST /api/extensions/available/file/install', { body }))
  return answer.body.id
}

const run = (id: string, by: Call = call) => by(`POST /api/extensions/import/${id}/run`)

const logsOf = async (id: string) =>
  (await expectOk(call(`GET /api/extensions/installed/${id}/logs`))).body.items

describe('an installed import', () => {
  test('runs with its stored values, and the run is logged with its counts', async () => {
    const id = await installFile({ extensionNickname: 'Oakvale prices' })
    const answer = await run(id)
    expect(answer.body).toMatchObject({ success: true, id: null })
    const task = await taskEnded(call, answer.body.taskId)
    expect(task).toMatchObject({ status: 'completed', created: 2 })
    expect((await product(call, 'D-2')).vendors).toMatchObject([
      { vendorName: 'Oakvale Supply', cost: 20 },
    ])
    expect(await logsOf(id)).toMatchObject([
      {
        extensionId: id,
        extensionNickname: 'Oakvale prices',
        action: 'run',
        username: 'administrator',
        success: true,
        errorMessage: null,
        productCount: 2,
        productsCreated: 2,
        productsUpdated: 0,
        productsSkipped: 0,
      },
    ])
  })

  test('prefers values of the request over its stored values', async () => {
    const id = await installFile({ vendor: null })
    const body = { vendor: 'Tidewell Direct', createProducts: true }
    const line = `POST /api/extensions/import/${id}/run`
    const old = await expectOk(call(line, { version: '1.0', body }))
    await taskEnded(call, old.body.taskId)
    expect((await product(call, 'D-1')).vendors[0].vendorName).toBe('Tidewell Direct')
    const data = { extensionId: id, createProducts: false, vendor: 'Brightmoor' }
    const queued = await expectOk(call('POST /api/extensions/import/import', { body: data }))
    expect(await taskEnded(call, queued.body.taskId)).toMatchObject({
      status: 'completed',
      updated: 2,
    })
  })

  test('does not start without required values, and the log says why', async () => {
    const id = await installFile({}, { fileUrl: '' })
    const answer = await run(id)
    expect(answer).toMatchObject({
      status: 400,
      body: { success: false, message: expect.stringMatching(/^fileUrl: required/) },
    })
    expect(await logsOf(id)).toMatchObject([
      { success: false, errorMessage: answer.body.message, message: 'Not started.' },
    ])
  })

  test('is refused if it is disabled, foreign or of another kind', async () => {
    const id = await installFile({ enabled: false })
    expect((await run(id)).status).toBe(400)
    const stranger = await newOrganization(service)
    const [foreign, missing] = [
      await run(id, stranger.call),
      await run(crypto.randomUUID(), stranger.call),
    ]
    expect([foreign.status, foreign.body]).toEqual([404, missing.body])
    expect((await run(id, await organization.as('viewer'))).status).toBe(403)
  })
})

describe('an installed import of a remote file', () => {
  test('uses stored credentials, which are sent to no other address', async () => {
    remote.answers((response, { headers }) => {
      const isKnown = headers.authorization === `Basic ${btoa('ada:canary-pw')}`
      response.writeHead(isKnown ? 200 : 401).end(CSV)
    })
    const fileUrl = `${remote.url}/list.csv`
    const id = await installFile({}, { fileUrl, username: 'ada', password: 'canary-pw' })
    const { body } = await run(id)
    expect(await taskEnded(call, body.taskId)).toMatchObject({ status: 'completed', created: 2 })
    const elsewhere = { extensionId: id, fileUrl: `${remote.url}/thief.csv` }
    const other = await call('POST /api/extensions/import/import', { body: elsewhere })
    expect(await taskEnded(call, other.body.taskId)).toMatchObject({ status: 'failed' })
    expect(remote.received.at(-1)).toMatchObject({ path: '/thief.csv' })
    expect(remote.received.at(-1)!.headers).not.toHaveProperty('authorization')
    const { client, indexName } = service.services.elastic
    const index = ['tasks', 'installations', 'runs-*'].map(indexName)
    await client.indices.refresh({ index }, { requestTimeout: 20_000 })
    const stored = await client.search({
      index,
      size: 100,
      query: { term: { scope: organization.id } },
    })
    expect(stored.hits.hits.length).toBeGreaterThanOrEqual(5)
    expect(JSON.stringify(stored)).not.toContain('canary-pw')
  })
})

describe('an installed import of a full file', () => {
  test('asks before it removes most offers, and continues after confirmation', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => `P-${at},${at + 1}`)
    const csv = (lines: string[]) => upload(call, ['sku,cost', ...lines, ''].join('\n'))
    const id = await installFile({}, { fileUrl: await csv(rows) })
    await taskEnded(call, (await run(id)).body.taskId)
    const fileUrl = await csv(rows.slice(0, 4))
    await expectOk(
      call(`PUT /api/extensions/installed/${id}`, {
        body: { additionalData: { fileUrl, fullFile: 'true' } },
      }),
    )
    const { taskId } = (await run(id)).body
    await taskWaiting(call, taskId)
    expect(await logsOf(id)).toHaveLength(1)
    await expectOk(call(`PUT /api/tasks/${taskId}`, { body: { confirmed: true } }))
    expect(await taskEnded(call, taskId)).toMatchObject({ status: 'completed', removed: 36 })
    expect((await product(call, 'P-9')).vendors).toEqual([])
    expect((await product(call, 'P-2')).vendors).toHaveLength(1)
    expect(await logsOf(id)).toMatchObject([{ success: true, productCount: 4 }, {}])
  })
})

describe('a run of all imports of a catalog', () => {
  const folio = (name = 'c') => call(`POST /api/extensions/import/folio/${name}/run`)

  test('queues them, but not those of other catalogs and disabled ones', async () => {
    await newCatalog(organization, 'other')
    const ids = [
      await installFile(),
      await installFile({ vendor: 'Tidewell Direct' }),
      await installFile({ catalog: 'other' }),
      await installFile({ enabled: false }),
      await installFile({ catalogFilter: ['other'] }),
    ]
    const answer = await folio()
    expect(answer.body).toMatchObject({ success: true, message: '2 imports are queued.' })
    const { body } = await call('GET /api/tasks')
    expect(body.items).toHaveLength(2)
    for (const { id } of body.items) await taskEnded(call, id)
    const logged = await Promise.all(ids.map(logsOf))
    expect(logged.map(({ length }) => length)).toEqual([1, 1, 0, 0, 0])
    expect((await product(call, 'D-1')).vendors).toHaveLength(2)
  })

  test('is empty if none is installed, and returns 404 for an unknown catalog', async () => {
    expect((await folio()).body).toMatchObject({ success: true, taskId: null })
    expect((await folio('nowhere')).status).toBe(404)
  })

  test('starts the others if one of them cannot start', async () => {
    await installFile()
    await installFile({ extensionNickname: 'Broken' }, { fileUrl: null })
    const answer = await folio()
    expect(answer.body.message).toMatch(/^1 import is queued\. Broken: fileUrl: required/)
    await taskEnded(call, answer.body.taskId)
  })
})

describe('an import by a remote extension', () => {
  const install = (settings: object = {}) =>
    installRemote(
      call,
      { manifestUrl: `${remote.url}/manifest.json` },
      {
        catalog: 'c',
        vendor: 'Oakvale Supply',
        additionalData: { account: '1001', token: 'canary-55' },
        ...settings,
      },
    )

  const lines =
    '{"id":"R-1","name":"Spirit level","vendors":[{"vendorName":"Oakvale Supply","cost":5}]}\n{"id":"R-2","name":"Plumb bob"}\n'

  test('imports the products that it sends', async () => {
    remote.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' }).end(lines)
    })
    const id = await install()
    const answer = await run(id)
    expect(await taskEnded(call, answer.body.taskId)).toMatchObject({
      status: 'completed',
      created: 2,
    })
    expect((await product(call, 'R-2')).name).toBe('Plumb bob')
    expect(JSON.parse(remote.received.at(-1)!.body)).toMatchObject({
      installation: { id, fields: { account: '1001', token: 'canary-55' } },
      request: null,
    })
    expect(await logsOf(id)).toMatchObject([{ success: true, productsCreated: 2 }])
  })

  test('imports the file that it names', async () => {
    const fileUrl = await upload(call, CSV)
    remote.answers((response) => json(response, { fileUrl, fileType: 'csv', targetCatalog: 'x' }))
    const answer = await run(await install())
    expect(await taskEnded(call, answer.body.taskId)).toMatchObject({
      status: 'completed',
      created: 2,
    })
    expect((await product(call, 'D-1')).vendors[0].vendorName).toBe('Oakvale Supply')
  })

  test.each<[string, unknown, string]>([
    ['nothing to import', {}, 'Oakvale list sent data that cannot be imported: fileUrl: required'],
    [
      'a file that may not be read',
      { fileUrl: 'http://169.254.169.254/latest', fileType: 'csv' },
      'Oakvale list sent data that cannot be imported: fileUrl: ',
    ],
    [
      'more mappings than a task may know',
      {
        fileUrl: 'https://shop.example/list.csv',
        mappings: Array.from({ length: 2_000 }, (_, column) =>
          column === 0
            ? { column, field: 'id' }
            : { column, field: 'attribute', attribute: `${column} ${'漢'.repeat(100)}` },
        ),
      },
      'Oakvale list sent data that cannot be imported: The input of the task',
    ],
    [
      'another shape',
      { fileUrl: 7 },
      'Oakvale list sent data that cannot be imported: answer.fileUrl: expected string',
    ],
  ])('that answers %s fails that run', async (_, said, text) => {
    remote.answers((response) => json(response, said))
    const id = await install()
    const task = await taskEnded(call, (await run(id)).body.taskId)
    expect(task.status).toBe('failed')
    expect(task.message).toContain(text)
    expect(await logsOf(id)).toMatchObject([{ success: false, errorMessage: task.message }])
  })

  test('imports nothing if the stream is cut off', async () => {
    remote.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl', 'content-length': 10_000 })
      response.write(lines, () => response.destroy())
    })
    const task = await taskEnded(call, (await run(await install())).body.taskId)
    expect(task).toMatchObject({ status: 'failed', created: 0 })
    expect(task.message).toContain('Oakvale list sent no usable response')
  })

  test('can be cancelled while the stream stalls', async () => {
    const begun = Promise.withResolvers<void>()
    remote.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' })
      response.write(lines, () => begun.resolve())
    })
    const { body } = await run(await install())
    await begun.promise
    const asked = performance.now()
    await expectOk(call(`PUT /api/tasks/${body.taskId}`, { body: { cancelled: true } }))
    expect(await taskEnded(call, body.taskId)).toMatchObject({ status: 'cancelled', created: 0 })
    expect(performance.now() - asked).toBeLessThan(20_000)
  })

  test('continues if the extension is uninstalled while it runs; queued runs end with a message', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    remote.answers((response) => {
      void promise.then(() => {
        response.writeHead(200, { 'content-type': 'application/jsonl' }).end(lines)
      })
    })
    const id = await install()
    const before = remote.received.length
    const running = await run(id)
    await expect.poll(() => remote.received.length).toBe(before + 1)
    // It waits for the other import into the same catalog.
    const waiting = await run(id)
    await expectOk(call(`DELETE /api/extensions/installed/${id}`))
    resolve()
    expect(await taskEnded(call, running.body.taskId)).toMatchObject({
      status: 'completed',
      processed: 2,
    })
    expect(await taskEnded(call, waiting.body.taskId)).toMatchObject({
      status: 'failed',
      message: 'Oakvale list: Extension not found.',
    })
    expect((await run(id)).status).toBe(404)
  })

  test('continues after a restart without a second call, and is logged once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aisle-installed-'))
    const outbound = createOutbound({ allow: '127.0.0.1' })
    const first = await startService({ folder, outbound })
    organization = await newOrganization(first)
    call = organization.call
    await newCatalog(organization)
    const rows = Array.from({ length: ROWS }, (_, at) => JSON.stringify({ id: `P-${at}` }))
    remote.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/jsonl' }).end(rows.join('\n'))
    })
    const before = remote.received.length
    const id = await install()
    const { taskId } = (await run(id)).body
    await expect
      .poll(async () => (await taskOf(call, taskId)).processed, { interval: 10, timeout: 60_000 })
      .toBeGreaterThan(0)
    await first.stop()
    const stopped = await taskOf(call, taskId)
    expect(stopped).toMatchObject({ status: 'running' })
    expect(stopped.processed).toBeLessThan(ROWS)
    const second = await startService({ folder, outbound })
    const task = await taskEnded(call, taskId)
    expect(task).toMatchObject({ status: 'completed', processed: ROWS, created: ROWS })
    expect(remote.received.length).toBe(before + 1)
    expect(await logsOf(id)).toMatchObject([{ success: true, productsCreated: ROWS }])
    await second.stop()
  })
})
