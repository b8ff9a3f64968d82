import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { collection } from '../../src/elastic/collection.ts'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { attachment } from '../../src/files/operations.ts'
import { usedBytes } from '../../src/files/quota.ts'
import { sweepFiles } from '../../src/files/sweep.ts'
import { uploadChunks } from '../../src/files/upload-chunks.ts'
import { limits } from '../../src/limits.ts'
import { caller, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf } from '../support/tasks.ts'

let service: TestService
let organization: TestOrganization

beforeAll(async () => {
  service = await startService()
  organization = await newOrganization(service)
})

const text = { 'content-type': 'text/csv' }

async function upload(body: string, name = 'prices.csv', by = organization.call): Promise<string> {
  const answer = await expectOk(by(`POST /api/files?name=${name}`, { body, headers: text }))
  return answer.body.url
}

const pathOf = (url: string) => url.replace('http://localhost:3000', '')

describe('files', () => {
  test('an upload is returned byte by byte as a download', async () => {
    const url = await upload('id,name\n1,Bölt\n', 'prëi%22s.csv')
    expect(url).toMatch(/^http:\/\/localhost:3000\/api\/files\/[0-9a-f]{32}$/)
    const answer = await organization.call(`GET ${pathOf(url)}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toBe('id,name\n1,Bölt\n')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="pr_i_s.csv"; filename*=UTF-8''pr%C3%ABi%22s.csv`,
    )
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
  })

  test('are served in both revisions', async () => {
    const answer = await organization.call('POST /api/files', {
      body: 'x',
      headers: text,
      version: '1.0',
    })
    expect(answer.status).toBe(200)
    const read = await organization.call(`GET ${pathOf(answer.body.url)}`, { version: '1.0' })
    expect(read.body).toBe('x')
  })

  test('HEAD returns the size and leaves no file open', async () => {
    const url = await upload('x'.repeat(500_000))
    const before = (await readdir('/proc/self/fd')).length
    for (let i = 0; i < 50; i++) {
      const answer = await organization.call(`HEAD ${pathOf(url)}`)
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '500000'])
    }
    await expect.poll(async () => (await readdir('/proc/self/fd')).length).toBeLessThan(before + 25)
  })

  test('a foreign file and a missing one return the same', async () => {
    const url = await upload('secret')
    const other = await newOrganization(service)
    const foreign = await other.call(`GET ${pathOf(url)}`)
    const missing = await other.call(`GET /api/files/${'0'.repeat(32)}`)
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual(missing.body)
  })

  test('an import key uploads and reads, a search key does neither, a viewer only reads', async () => {
    const importer = caller(service, {
      key: await organization.key('editor', 'import'),
      organization: organization.id,
    })
    const searcher = caller(service, {
      key: await organization.key('editor', 'search'),
      organization: organization.id,
    })
    const viewer = await organization.as('viewer')
    const url = await upload('mine', 'mine.csv', importer)
    expect((await importer(`GET ${pathOf(url)}`)).body).toBe('mine')
    const theirs = await upload('id\n1\n', 'export.csv')
    expect((await importer(`GET ${pathOf(theirs)}`)).status).toBe(404)
    for (const line of [
      'POST /api/extensions/import/import',
      'POST /api/extensions/available/file/getSample',
    ]) {
      const { body } = await importer(line, { body: { fileUrl: theirs, targetCatalog: 'c' } })
      expect(body.message ?? body.error).toContain('fileUrl: the file does not exist')
    }
    expect((await searcher(`GET ${pathOf(url)}`)).status).toBe(403)
    expect((await searcher('POST /api/files', { body: 'x', headers: text })).status).toBe(403)
    expect((await viewer('POST /api/files', { body: 'x', headers: text })).status).toBe(403)
    expect((await viewer(`GET ${pathOf(url)}`)).status).toBe(200)
  })

  test('a file expires for readers and is deleted', async () => {
    const old = new Date(Date.now() - (limits.fileDays + 1) * 24 * 60 * 60 * 1000)
    let now = old
    const past = await startService({ clock: { now: () => now } })
    const own = await newOrganization(past)
    const url = await upload('soon gone', 'old.csv', own.call)
    const id = url.split('/').at(-1)!
    expect((await own.call(`GET ${pathOf(url)}`)).status).toBe(200)
    now = new Date()
    expect((await own.call(`GET ${pathOf(url)}`)).status).toBe(404)
    expect(await past.services.files.read(id)).toBeDefined()
    expect(await sweepFiles(past.services)).toBeGreaterThan(0)
    expect(await past.services.files.read(id)).toBeUndefined()
    now = old
    expect((await own.call(`GET ${pathOf(url)}`)).status).toBe(404)
  })

  test('a file that cannot be deleted now does not block the others', async () => {
    let now = new Date(Date.now() - (limits.fileDays + 1) * 24 * 60 * 60 * 1000)
    const past = await startService({ clock: { now: () => now } })
    const own = await newOrganization(past)
    const send = async (name: string) =>
      (await upload('x', name, own.call)).split('/').at(-1) as string
    const [stuck, gone] = [await send('stuck.csv'), await send('gone.csv')]
    now = new Date()
    await past.services.background.settled()
    const { files } = past.services
    const remove = (id: string) =>
      id === stuck ? Promise.reject(new Error('the disk says no')) : files.remove(id)
    const warned = vi.spyOn(past.services.log, 'warn')
    await sweepFiles({ ...past.services, files: { ...files, remove } })
    expect(await files.read(gone)).toBeUndefined()
    expect(await files.read(stuck)).toBeDefined()
    expect(warned).toHaveBeenCalledTimes(1)
    expect(warned.mock.calls[0]![0]).toMatchObject({ name: 'remove expired files', left: 1 })
    await sweepFiles(past.services)
    expect(await files.read(stuck)).toBeUndefined()
  })

  test('a stop waits for the current deletion, not for all expired files', async () => {
    let now = new Date(Date.now() - (limits.fileDays + 1) * 24 * 60 * 60 * 1000)
    const past = await startService({ clock: { now: () => now } })
    const own = await newOrganization(past)
    for (const name of ['a.csv', 'b.csv', 'c.csv']) await upload('x', name, own.call)
    now = new Date()
    const { files } = past.services
    const stop = new AbortController()
    const remove = (id: string) => {
      stop.abort()
      return files.remove(id)
    }
    const sweep = () => sweepFiles({ ...past.services, files: { ...files, remove } }, stop.signal)
    expect(await sweep()).toBe(1)
    expect(await sweep()).toBe(0)
    expect(await sweepFiles(past.services)).toBeGreaterThanOrEqual(2)
  })

  test('an empty body returns 400, and a path in the name is treated as a name', async () => {
    const none = await organization.call('POST /api/files')
    expect(none.status).toBe(400)
    expect(none.body.message).toContain('body: required')
    const url = await upload('x', '..%2F..%2Fetc%2Fpasswd')
    const answer = await organization.call(`GET ${pathOf(url)}`)
    expect(answer.headers.get('content-disposition')).toContain('filename=".._.._etc_passwd"')
  })

  test('an upload above the limit is refused, and nothing is stored', async () => {
    const { files } = service.services
    async function* chunks() {
      for (let i = 0; i < 4; i++) yield Buffer.alloc(10)
    }
    await expect(files.write('too-large', chunks(), 39)).rejects.toThrow('larger than 39 bytes')
    expect(await files.read('too-large')).toBeUndefined()
    expect(await files.write('just-right', chunks(), 40)).toEqual({ bytes: 40 })
  })

  test('an upload above the organization’s quota is refused, and nothing is stored', async () => {
    const own = await newOrganization(service)
    const files = collection(service.services.elastic, { kind: 'files', scope: [own.id] })
    const expires = new Date(Date.now() + 60_000).toISOString()
    const held = { id: 'held', name: 'x', type: 'x', complete: true, created: expires, expires }
    const bytes = limits.fileQuotaBytes - 3 - 2 * limits.fileBaseBytes
    await files.put('held', { ...held, bytes }, { refresh: true })
    const send = (body: string) => own.call('POST /api/files', { body, headers: text })
    const refused = await send('four')
    expect(refused.status).toBe(413)
    expect(refused.body.message).toContain('An organization stores at most')
    await refreshIndex(service.services.elastic, 'files')
    expect(await files.count()).toBe(1)
    expect((await send('abc')).status).toBe(200)
    expect((await send('d')).status).toBe(413)
  })

  test('a long upload looks whether others are active, to rest', async () => {
    const own = await newOrganization(service)
    const looked = vi.spyOn(service.services.requests, 'hasOthers')
    onTestFinished(() => looked.mockRestore())
    await upload('x'.repeat(2.5 * 1024 * 1024), 'a.csv', own.call)
    expect(looked.mock.calls).toContainEqual([own.id])
  })

  test('a small file counts for more than its bytes', async () => {
    const own = await newOrganization(service)
    await upload('x', 'a.csv', own.call)
    await upload('y', 'b.csv', own.call)
    const ctx = contextOf(own.id, service)
    expect(await usedBytes(ctx)).toBe(2 + 2 * limits.fileBaseBytes)
  })

  test('an upload that gets 503 leaves nothing behind', async () => {
    const proxy = await startFaultProxy(inject('elasticsearch').node)
    const troubled = await startService({ node: proxy.node })
    const own = await newOrganization(troubled)
    let looks = 0
    // The storage used is checked before and after an upload.
    proxy.set('down', (line) => /^POST .*-files\/_search/.test(line) && ++looks === 2)
    const refused = await own.call('POST /api/files?name=a.csv', { body: 'x'.repeat(1_000) })
    expect([refused.status, looks]).toEqual([503, 2])
    const ctx = contextOf(own.id, troubled)
    await refreshIndex(ctx.elastic, 'files')
    expect(await usedBytes(ctx)).toBe(0)
    await troubled.stop()
    await proxy.close()
  })

  test('readers that disconnect halfway do no harm', async () => {
    const { files } = service.services
    async function* megabytes() {
      for (let i = 0; i < 4; i++) yield Buffer.alloc(1024 * 1024, i)
    }
    await files.write('large', megabytes(), 1e9)
    const readers = Array.from({ length: 50 }, async (_, i) => {
      const reader = (await files.read('large'))!.body.getReader()
      const reads = Array.from({ length: i % 4 }, () => reader.read())
      await reader.cancel()
      await Promise.all(reads)
    })
    await Promise.all(readers)
    let bytes = 0
    for await (const chunk of (await files.read('large', 100))!.body) bytes += chunk.byteLength
    expect(bytes).toBe(4 * 1024 * 1024 - 100)
  })

  test('an upload that stalls is aborted', async () => {
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array([1])),
    })
    const read = async () => {
      for await (const chunk of uploadChunks(silent, 20)) expect(chunk).toHaveLength(1)
    }
    await expect(read()).rejects.toThrow('no data received for 20 ms')
  })

  test('an upload above the organization’s limit on concurrent uploads waits for its turn', async () => {
    const { uploads } = service.services
    const blocked = Array.from({ length: limits.uploadsInFlight }, () => Promise.withResolvers())
    const running = blocked.map(({ promise }) => uploads.run(organization.id, () => promise))
    const taken = vi.spyOn(uploads, 'run')
    const waiting = upload('waits')
    await expect.poll(() => taken.mock.calls.length).toBeGreaterThan(0)
    for (const { resolve } of blocked) resolve(undefined)
    await Promise.all(running)
    await waiting
    taken.mockRestore()
  })

  test('an organization has at most four concurrent uploads', async () => {
    const { uploads } = service.services
    const blocked = Array.from({ length: limits.uploadsInFlight }, () => Promise.withResolvers())
    const running = blocked.map(({ promise }) => uploads.run(organization.id, () => promise))
    const answer = await organization.call('POST /api/files', { body: 'x', headers: text })
    expect(answer.status).toBe(429)
    expect(answer.body.message).toContain('uploads at once')
    for (const { resolve } of blocked) resolve(undefined)
    await Promise.all(running)
    await upload('now there is room')
  })
})

test('a download name is safe in a header', () => {
  expect(attachment('a"b\\c.csv')).toBe(
    `attachment; filename="a_b_c.csv"; filename*=UTF-8''a%22b%5Cc.csv`,
  )
})
