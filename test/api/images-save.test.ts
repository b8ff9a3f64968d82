import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { imagesOf } from '../../src/images/records.ts'
import { limits } from '../../src/limits.ts'
import { loadOwner } from '../../src/platform/load-owner.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { png, pngHeader } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'

let folder: string
let service: TestService
let organization: TestOrganization
let editor: Call
let catalog: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-images-'))
  service = await startService({ folder })
})

beforeEach(async () => {
  organization = await newOrganization(service)
  editor = await organization.as('editor')
  catalog = await seedCatalog(service, organization, [{ id: 'P-1' }, { id: 'P-2' }])
})

const upload = async (bytes?: Buffer) => ({
  file: (bytes ?? (await png())).toString('base64'),
  fileName: 'front.png',
  type: 'image/png',
})
const product = async (id = 'P-1', by = editor) =>
  (await expectOk(by(`GET /api/Catalog/${catalog}/products/${id}`))).body
const read = (url: string) => service.fetch(new Request(url))
const filesNow = async () => (await readdir(folder)).filter((name) => name.startsWith('image-'))
const recordsOf = ({ id }: TestOrganization) => imagesOf(service.services, id)

describe('Save Product Image', () => {
  test.each(['1.0', '6.0'])('stores a picture that an update can show (%s)', async (version) => {
    const saved = await expectOk(
      editor('POST /api/images', { body: { file: (await upload()).file }, version }),
    )
    expect(Object.keys(saved.body)).toEqual(['url'])
    expect(saved.body.url).toMatch(/^http:\/\/localhost:3000\/api\/images\/[\w-]{22}\.png$/)
    const answer = await read(saved.body.url)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const { width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
    expect(width).toBe(8)

    const images = [{ url: saved.body.url, type: 'image/png' }]
    await expectOk(editor(`PUT /api/Catalog/${catalog}/products/P-1`, { body: { images } }))
    expect((await product()).images).toMatchObject([{ url: saved.body.url, isCustom: false }])
  })

  test('with a product shows the picture there at once, to the organization only', async () => {
    const child = await newOrganization(service, organization.id)
    const line = `POST /api/images?catalog=${catalog}&productId=P-1`
    const { url } = (await expectOk(editor(line, { body: await upload() }))).body
    const id = url.split('/').at(-1)
    const shown = [{ id, url, name: 'front.png', type: 'image/png', isCustom: true }]
    expect((await product()).images).toEqual(shown)
    expect((await product('P-2')).images).toEqual([])
    expect((await product('P-1', child.call)).images).toEqual([])
    expect((await read(url)).status).toBe(200)
  })

  test('uses the default catalog, and a child can add to its parent’s product', async () => {
    const child = await newOrganization(service, organization.id)
    await expectOk(
      organization.call('PUT /api/organizations/current', { body: { defaultCatalog: catalog } }),
    )
    const by = await child.as('editor')
    await expectOk(by('POST /api/images?productId=P-1', { body: await upload() }))
    expect((await product('P-1', by)).images).toHaveLength(1)
    expect((await product()).images).toEqual([])
  })

  test('keeps a custom image a custom one if the product is sent back', async () => {
    const line = `POST /api/images?catalog=${catalog}&productId=P-1`
    await expectOk(editor(line, { body: await upload() }))
    const before = await product()
    await expectOk(editor(`PUT /api/Catalog/${catalog}/products/P-1`, { body: before }))
    expect(await product()).toEqual(before)
  })

  test('is charged to the organization whose request it is', async () => {
    const charge = vi.spyOn(service.services.requests, 'charge')
    onTestFinished(() => charge.mockRestore())
    const child = await newOrganization(service, organization.id)
    const body = { file: Buffer.alloc(limits.smallBodyBytes).toString('base64') }
    charge.mockClear()
    expect((await child.call('POST /api/images', { body })).status).toBe(400)
    const owner = loadOwner({ id: child.id, parent: organization.id })
    const charged = charge.mock.calls.map(([name]) => name)
    expect(new Set(charged)).toEqual(new Set([owner]))
    // Reading the body, parsing and checking it, in a step or more, and decoding the picture.
    expect(charged.length).toBeGreaterThanOrEqual(3)
  })

  test('stores many concurrent ones', async () => {
    const line = `POST /api/images?catalog=${catalog}&productId=P-1`
    const body = await upload()
    const saves = Array.from({ length: limits.uploadsInFlight }, () =>
      expectOk(editor(line, { body })),
    )
    const urls = (await Promise.all(saves)).map((answer) => answer.body.url).toSorted()
    const shown = (await product()).images.map(({ url }: { url: string }) => url)
    expect(shown.toSorted()).toEqual(urls)
  })

  test('counts bodies in transfer as uploads, so memory is bounded', async () => {
    const headers = {
      'x-api-version': '6.0',
      'content-type': 'application/json',
      authorization: `Bearer ${await organization.key('editor')}`,
    }
    const ends: (() => void)[] = []
    const slow = () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(Buffer.from('{"file": "'))
          ends.push(() => {
            controller.enqueue(Buffer.from('"}'))
            controller.close()
          })
        },
      })
      const parts: RequestInit = { method: 'POST', headers, body, duplex: 'half' }
      return service.fetch(new Request('http://localhost/api/images', parts))
    }
    const taken = vi.spyOn(service.services.uploads, 'run')
    const coming = Array.from({ length: limits.uploadsInFlight }, slow)
    await expect.poll(() => taken.mock.calls.length).toBe(coming.length)
    taken.mockRestore()
    const refused = await editor('POST /api/images', { body: { file: '' } })
    expect(refused.status).toBe(429)
    expect(refused.body.message).toContain('uploads at once')
    for (const end of ends) end()
    expect((await Promise.all(coming)).map(({ status }) => status)).toEqual([400, 400, 400, 400])
    await expectOk(editor('POST /api/images', { body: await upload() }))
  })

  test.each([
    ['a page called .png', 'PGh0bWw+PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==', 'must be a PNG'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64'), 'PNG'],
    ['text that is no base64', 'not base64!', 'file: must be base64'],
    ['nothing', '', 'file: required'],
    ['null', null, 'file: required'],
    ['a damaged picture', Buffer.from('\xff\xd8\xff\xe0', 'latin1').toString('base64'), 'damaged'],
    ['a bomb', pngHeader(50_000, 50_000).toString('base64'), 'more than 50000000 pixels'],
  ])('refuses %s', async (_, file, message) => {
    const body = { file, fileName: 'picture.png', type: 'image/png' }
    const answer = await editor('POST /api/images', { body })
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)])
    expect(await recordsOf(organization).count()).toBe(0)
  })

  test('refuses more than 5 MiB, and a body above 9 MiB', async () => {
    const large = Buffer.concat([await png(), Buffer.alloc(limits.imageBytes)])
    const tooLarge = await editor('POST /api/images', { body: await upload(large) })
    expect([tooLarge.status, tooLarge.body.message]).toEqual([
      413,
      'The picture is larger than 5242880 bytes.',
    ])
    const file = 'A'.repeat(limits.imageBodyBytes)
    const beyond = await editor('POST /api/images', { body: { file } })
    expect([beyond.status, beyond.body.message]).toEqual([
      413,
      'The body is larger than 9437184 bytes.',
    ])
    const elsewhere = await editor('POST /api/search', { body: { keywords: 'A'.repeat(3e6) } })
    expect(elsewhere.body.message).toBe('The body is larger than 2097152 bytes.')
  })

  test('stores a picture of nearly 5 MiB within seconds', async () => {
    const bytes = await sharp({
      create: { width: 1_250, height: 1_250, channels: 3, background: '#369' },
    })
      .png({ compressionLevel: 0 })
      .toBuffer()
    expect(bytes.length).toBeGreaterThan(4e6)
    const started = performance.now()
    await expectOk(editor('POST /api/images', { body: await upload(bytes) }))
    expect(performance.now() - started).toBeLessThan(2 * limits.imageMs)
  })

  test('returns 404 for an unknown product or a foreign catalog, and stores no file', async () => {
    const stranger = await newOrganization(service)
    const before = await filesNow()
    const body = await upload()
    const lines = [
      [editor, `catalog=${catalog}&productId=P-9`, 'Product not found.'],
      [editor, 'catalog=nowhere&productId=P-1', 'Catalog not found.'],
      [editor, 'catalog=nowhere', 'Catalog not found.'],
      [stranger.call, `catalog=${catalog}&productId=P-1`, 'Catalog not found.'],
    ] as const
    for (const [by, query, message] of lines) {
      const answer = await by(`POST /api/images?${query}`, { body })
      expect([query, answer.status, answer.body.message]).toEqual([query, 404, message])
    }
    expect(await filesNow()).toEqual(before)
    expect(await recordsOf(organization).count()).toBe(0)
  })

  test('is refused if the product is full, and stores no file', async () => {
    const before = await filesNow()
    const image = {
      id: null,
      url: 'x'.repeat(limits.annotationBytes - 300),
      name: null,
      type: null,
    }
    const annotations = { [organization.id]: { images: [image] } }
    const full = await seedCatalog(service, organization, [{ id: 'P-1', annotations }])
    const line = `POST /api/images?catalog=${full}&productId=P-1`
    const answer = await editor(line, { body: await upload() })
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('65536')])
    expect(await filesNow()).toEqual(before)
    expect(await recordsOf(organization).count()).toBe(0)
  })

  test('is refused for another version of the product, and stores no file', async () => {
    const before = await filesNow()
    const headers = { 'if-match': '"99"' }
    const line = `POST /api/images?catalog=${catalog}&productId=P-1`
    const answer = await editor(line, { body: await upload(), headers })
    expect([answer.status, answer.body.message]).toEqual([412, expect.stringContaining('is now 1')])
    expect(await filesNow()).toEqual(before)
  })

  test('is refused for viewers and limited keys', async () => {
    const viewer = await organization.as('viewer')
    expect((await viewer('POST /api/images', { body: await upload() })).status).toBe(403)
    const removal = `POST /api/images/P-1/delete?catalog=${catalog}`
    expect((await viewer(removal, { body: { customImageIds: [] } })).status).toBe(403)
  })

  test('shares the organization’s quota with files', async () => {
    const held = { id: 'held', created: new Date().toISOString(), expires: '2099-01-01' }
    const hold = (bytes: number) =>
      recordsOf(organization).put('held', { ...held, bytes }, { refresh: true })
    await hold(limits.fileQuotaBytes - 10)
    const before = await filesNow()
    const picture = await editor('POST /api/images', { body: await upload() })
    expect([picture.status, picture.body.message]).toEqual([
      413,
      expect.stringContaining('An organization stores at most'),
    ])
    await hold(limits.fileQuotaBytes - 10 - limits.fileBaseBytes)
    const headers = { 'content-type': 'text/csv' }
    const file = (body: string) => editor('POST /api/files?name=a.csv', { body, headers })
    expect((await file('more than ten bytes')).status).toBe(413)
    await refreshIndex(service.services.elastic, 'files')
    expect((await file('ten bytes!')).status).toBe(200)
    expect(await filesNow()).toEqual(before)
  })
})
