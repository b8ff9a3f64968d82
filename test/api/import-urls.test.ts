import { mkdtemp } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { collection } from '../../src/elastic/collection.ts'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import { INSIDE } from '../outbound/spellings.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { type Canary, startCanary } from '../support/connection-counter.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { counts, newCatalog, product, taskEnded, taskOf } from '../support/imports.ts'
import { startService, type TestService } from '../support/service.ts'

const CSV = 'id,name\n1,Desk\n2,Chair\n'
const BOTH = { processed: 2, created: 2, updated: 0, unchanged: 0, rejected: 0 }
const outbound = createOutbound({ allow: '127.0.0.1' })

type Handle = (request: IncomingMessage, response: ServerResponse) => void

let folder: string
let service: TestService
let organization: TestOrganization
let call: Call
let requests: string[]
let answer: Handle
let server: Canary
const services: TestService[] = []

async function start(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const started = await startService({ folder, outbound, ...options })
  services.push(started)
  return started
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
  requests = []
  answer = (_request, response) => response.end(CSV)
  server = await startCanary((request, response) => {
    requests.push(`${request.url} ${request.headers.authorization ?? 'nobody'}`)
    answer(request, response)
  })
  service = await start()
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

afterEach(async () => {
  await server.close()
  await Promise.all(services.splice(0).map((one) => one.stop()))
})

/** An import from a server that always fails; its long pauses pass during the other tests. */
let hopeless: { readonly call: Call; readonly id: string }
let hopelessRequests = 0
beforeAll(async () => {
  const down = await startCanary((_request, response) => {
    hopelessRequests++
    response.writeHead(503).end()
  })
  const service = await startService({ outbound })
  const { call } = await newOrganization(service)
  await newCatalog({ call })
  const body = { fileUrl: `http://127.0.0.1:${down.port}/tools.csv`, targetCatalog: 'c' }
  const queued = await expectOk(call('POST /api/extensions/import/import', { body }))
  hopeless = { call, id: queued.body.taskId }
  return async () => {
    await down.close()
    await service.stop()
  }
})

const urlOf = (path: string) => `http://127.0.0.1:${server.port}${path}`

/** Queues an import of a path on the server. */
async function queue(path: string, settings: object = {}, by = call): Promise<string> {
  const body = { fileUrl: urlOf(path), targetCatalog: 'c', ...settings }
  return (await expectOk(by('POST /api/extensions/import/import', { body }))).body.taskId
}

const through = async (other: TestService): Promise<Call> =>
  caller(other, { key: await organization.key('administrator'), organization: organization.id })

describe('a file at a URL', () => {
  test('is imported by the file name in its path', async () => {
    const task = await taskEnded(call, await queue('/lists/tools.csv?token=1'))
    expect(task).toMatchObject({ status: 'completed', source: 'tools.csv' })
    expect(counts(task)).toEqual(BOTH)
    expect((await product(call, '2')).name).toBe('Chair')
    expect(requests).toEqual(['/lists/tools.csv?token=1 nobody'])
  })

  test('is decompressed as an upload is', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(CSV))
    }
    expect(counts(await taskEnded(call, await queue('/tools.csv.gz')))).toEqual(BOTH)
  })

  test('is previewed in time while others are active', async () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => `${at},Desk ${at} of oak and steel\n`)
    answer = (_request, response) => response.end(`id,name\n${rows.join('')}`)
    const other = await newOrganization(service)
    await expectOk(other.call('GET /api/Catalog'))
    const body = { fileUrl: urlOf('/tools.csv') }
    const { columns } = (
      await expectOk(call('POST /api/extensions/available/file/getSample', { body }))
    ).body
    expect(columns[1].slice(0, 2)).toEqual(['name', 'Desk 0 of oak and steel'])
  })

  test('is requested with user and password, which are never returned', async () => {
    // A random id cannot contain these strings.
    const [username, password] = ['vendor-wxyzzy', ' pass:wörd-vuwxyz ']
    const id = await queue('/tools.csv?signature=uvwxyz', { username, password })
    const task = await taskEnded(call, id)
    expect(counts(task)).toEqual(BOTH)
    const sent = Buffer.from(`${username}:${password}`).toString('base64')
    expect(requests).toEqual([`/tools.csv?signature=uvwxyz Basic ${sent}`])
    const { elastic } = service.services
    await refreshIndex(elastic, 'tasks')
    const stored = await collection<object>(elastic, {
      kind: 'tasks',
      scope: [organization.id],
    }).search({ size: 10, query: { match_all: {} } })
    const seen = JSON.stringify([stored.hits, task, (await call('GET /api/tasks')).body])
    expect(seen).toContain(id)
    for (const secret of ['wxyzzy', 'vuwxyz', 'uvwxyz', sent]) expect(seen).not.toContain(secret)
  })

  test('requires a type if its name has no known extension', async () => {
    const body = { fileUrl: urlOf('/export?id=1'), targetCatalog: 'c' }
    const refused = await call('POST /api/extensions/import/import', { body })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      expect.stringMatching(/^fileType: required/),
    ])
    const odd = { fileUrl: urlOf('/list.constructor'), targetCatalog: 'c' }
    expect((await call('POST /api/extensions/import/import', { body: odd })).status).toBe(400)
    const task = await taskEnded(call, await queue('/export?id=1', { fileType: 'csv' }))
    expect(counts(task)).toEqual(BOTH)
  })

  test('is downloaded once, even if the import is interrupted and the URL changes', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `P${index},Name ${index}\n`)
    answer = (_request, response) => response.end(`id,name\n${rows.join('')}`)
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    await service.stop()
    const first = await start({ node: proxy.node })
    let left = 3
    // Writes to the audit log are shorter.
    const isBatch = (line: string, length: number) =>
      /^POST \/_bulk\?filter_path=items/.test(line) && length > 10_000
    proxy.set('busy', (line, length) => isBatch(line, length) && --left < 0)
    const by = await through(first)
    const id = await queue('/tools.csv', {}, by)
    await expect.poll(async () => (await taskOf(by, id)).processed).toBeGreaterThan(0)
    answer = (_request, response) => response.end('id,name\n1,Another file\n')
    proxy.set('none', () => false)
    await first.stop()
    const task = await taskEnded(await through(await start()), id)
    expect(counts(task)).toEqual({ ...BOTH, processed: 3_000, created: 3_000 })
    expect(requests).toHaveLength(1)
    await proxy.close()
  })
})

describe('a download', () => {
  test('is retried if it is cut off', async () => {
    answer = (request, response) => {
      if (requests.length > 1) return response.end(CSV)
      response.writeHead(200, { 'content-length': '1000' }).write('id,na')
      setTimeout(() => request.socket.destroy(), 20)
    }
    const task = await taskEnded(call, await queue('/tools.csv'))
    expect(counts(task)).toEqual(BOTH)
    expect(requests).toHaveLength(2)
  })

  test.each<[string, Handle, string]>([
    [
      'that is refused',
      (_request, response) => response.writeHead(404).end('<h1>internal host db-7</h1>'),
      'The server responded with status 404.',
    ],
    [
      'that leads elsewhere',
      (_request, response) => response.writeHead(302, { location: '/other.csv' }).end(),
      'The response is a redirect, which is not followed.',
    ],
    [
      'that is too large',
      (_request, response) =>
        void response.writeHead(200, { 'content-length': '10000000000' }).write('id'),
      'The response is too large.',
    ],
  ])('%s ends the task after one request', async (_name, handle, reason) => {
    answer = handle
    await expectFailed(call, await queue('/tools.csv'), reason)
    expect(requests).toHaveLength(1)
  })

  async function expectFailed(by: Call, id: string, reason: string) {
    const task = await taskEnded(by, id)
    expect(task).toMatchObject({ status: 'failed', processed: 0 })
    expect(task.message).toContain(`The file could not be downloaded. ${reason}`)
    expect(task.message).not.toMatch(/db-7|127\.0\.0\.1|:\d{4}/)
    expect((await by('GET /api/tasks')).body.items).toHaveLength(1)
  }

  test('can be cancelled at once if it hangs', async () => {
    answer = () => undefined
    const id = await queue('/tools.csv')
    await expect.poll(() => requests.length).toBe(1)
    await expectOk(call(`PUT /api/tasks/${id}`, { body: { cancelled: true } }))
    const asked = performance.now()
    expect((await taskEnded(call, id)).status).toBe('cancelled')
    expect(performance.now() - asked).toBeLessThan(20_000)
  })

  test('starts over on another instance if it is interrupted', async () => {
    answer = (_request, response) => void response.write('id,na')
    const id = await queue('/tools.csv')
    await expect.poll(() => requests.length).toBe(1)
    answer = (_request, response) => response.end(CSV)
    await service.stop()
    const task = await taskEnded(await through(await start()), id)
    expect(counts(task)).toEqual(BOTH)
    expect(requests).toHaveLength(2)
  })

  test('ends the task after 4 failed requests', async () => {
    const { call, id } = hopeless
    await expectFailed(call, id, 'The server responded with status 503.')
    expect(hopelessRequests).toBe(4)
  })
})

test('an internal address is not requested, and no task is queued', async () => {
  const strict = await start({ outbound: createOutbound({ ports: [server.port] }) })
  const by = await through(strict)
  for (const host of INSIDE) {
    const fileUrl = `http://${host}:${server.port}/tools.csv`
    const body = { fileUrl, targetCatalog: 'c', username: 'u', password: 'p' }
    const refused = await by('POST /api/extensions/import/import', { body })
    expect([host, refused.status]).toEqual([host, 400])
    expect(refused.body.message).toMatch(/^fileUrl: /)
  }
  expect((await by('GET /api/tasks')).body.items).toEqual([])
  expect(server.connections()).toBe(0)
})
