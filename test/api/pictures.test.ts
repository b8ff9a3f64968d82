import { mkdtemp } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepFetched } from '../../src/images/keep-fetched.ts'
import { imagesOf } from '../../src/images/records.ts'
import { createFetching } from '../../src/imports/pictures/fetching.ts'
import { limits } from '../../src/limits.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'
import { createOutbound } from '../../src/platform/outbound/outbound.ts'
import type { WithSlot } from '../../src/tasks/slots.ts'
import {
  type Call,
  caller,
  expectOk,
  newOrganization,
  type TestOrganization,
} from '../support/client.ts'
import { type Canary, startCanary } from '../support/connection-counter.ts'
import {
  counts,
  importFile,
  newCatalog,
  product,
  rejectsOf,
  taskEnded,
  taskOf,
} from '../support/imports.ts'
import { photograph, png, pngHeader } from '../support/pictures.ts'
import { requestsSent } from '../support/probe.ts'
import { startService, type TestService } from '../support/service.ts'
import { contextOf } from '../support/tasks.ts'

const KEPT = /^http:\/\/localhost:3000\/api\/images\/[\w-]{22}\.png$/

type Respond = (response: ServerResponse, request: IncomingMessage) => void

let folder: string
let service: TestService
let organization: TestOrganization
let call: Call
let server: Canary
let shop: string
let paths: Record<string, Respond>
let requested: string[]
const services: TestService[] = []

async function start(options: Parameters<typeof startService>[0] = {}): Promise<TestService> {
  const outbound = createOutbound({ allow: '127.0.0.1' })
  const started = await startService({ folder, outbound, ...options })
  services.push(started)
  return started
}

/** Serves this picture at this path of the shop from now on. */
async function shows(path: string, colour: string, etag?: string): Promise<void> {
  const bytes = await png(colour)
  paths[path] = (response, request) => {
    if (etag && request.headers['if-none-match'] === etag) response.writeHead(304).end()
    else response.writeHead(200, etag ? { etag } : {}).end(bytes)
  }
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-files-'))
  paths = {}
  requested = []
  server = await startCanary((request, response) => {
    requested.push(request.url!)
    const respond = paths[request.url!]
    if (respond) respond(response, request)
    else response.writeHead(404).end()
  })
  shop = `http://127.0.0.1:${server.port}`
  service = await start()
  organization = await newOrganization(service)
  call = organization.call
  await newCatalog(organization)
})

afterEach(async () => {
  await server.close()
  await Promise.all(services.splice(0).map((one) => one.stop()))
})

const startFetching = async (body: object = {}): Promise<string> =>
  (await expectOk(call('POST /api/Catalog/c/pictures/fetch', { body }))).body.taskId

const fetchPictures = async (body: object = {}) => taskEnded(call, await startFetching(body))

const save = (id: string, body: object) =>
  expectOk(call('POST /api/Catalog/c/products', { body: { id, ...body } }))

test('a picture that two instances fetch at once stays if one of them cannot store it', async () => {
  const bytes = await png('red')
  const folderStore = createDirectoryStore(folder)
  const [writing, stored] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const full = {
    ...folderStore,
    write: async () => {
      writing.resolve()
      await stored.promise
      throw new Error('no space left on device')
    },
  }
  const other = await start({ files: full, idle: true })
  const failing = keepFetched(contextOf(organization.id, other), bytes)
  const failed = expect(failing).rejects.toThrow('no space left on device')
  await writing.promise
  const { id } = await keepFetched(contextOf(organization.id, service), bytes)
  stored.resolve()
  await failed
  expect((await call(`GET /api/images/${id}`)).status).toBe(200)
  expect(await imagesOf(service.services, organization.id).get(id)).toBeDefined()
})

describe('Fetch Pictures', () => {
  test('replaces external pictures of an import by stored ones, and downloads nothing twice', async () => {
    await shows('/red.png', 'red')
    await shows('/copy-of-red.png', 'red')
    await shows('/blue.png', 'blue')
    // It says so although nobody asked whether it changed.
    paths['/unchanged.png'] = (response) => response.writeHead(304).end()
    const file = `id,name,image,images\n1,Desk,${shop}/red.png,${shop}/blue.png\n2,Chair,${shop}/red.png,${shop}/gone.png\n3,Lamp,${shop}/copy-of-red.png,${shop}/unchanged.png\n`
    const imported = await importFile(call, file, { pictures: 'fetch' })
    expect(counts(imported)).toMatchObject({ processed: 3, created: 3 })
    const [, id] = /Task (\S+) fetches the pictures/.exec(imported.message)!
    const task = await taskEnded(call, id!)
    expect(task).toMatchObject({
      status: 'completed',
      sourceType: 'pictures',
      ...{ processed: 6, updated: 4, unchanged: 0, rejected: 2 },
      warnings: ['Some pictures could not be fetched: rejectsUrl lists them.'],
    })
    expect(await rejectsOf(call, task)).toBe(
      `reason,product,address\r\nThe server responded with status 404.,2,${shop}/gone.png\r\nThe server responded with status 304.,3,${shop}/unchanged.png\r\n`,
    )
    expect(requested.toSorted()).toEqual([
      ...['/blue.png', '/copy-of-red.png', '/gone.png', '/red.png', '/unchanged.png'],
    ])

    const desk = await product(call, '1')
    expect(desk).toMatchObject({ image: expect.stringMatching(KEPT) })
    expect(desk).toMatchObject({ imageSource: `${shop}/red.png`, version: '1' })
    expect(desk.images).toMatchObject([
      { url: expect.stringMatching(KEPT), source: `${shop}/blue.png` },
    ])
    const picture = await service.fetch(new Request(desk.image))
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
    const chair = await product(call, '2')
    expect(chair.image).toBe(desk.image)
    expect(chair.images[0]).toMatchObject({ url: `${shop}/gone.png` })
    expect((await product(call, '3')).image).toBe(desk.image)

    requested.length = 0
    const again = await importFile(call, file, { pictures: 'fetch' })
    expect(counts(again)).toMatchObject({ unchanged: 3 })
    const [, next] = /Task (\S+) fetches/.exec(again.message)!
    expect(counts(await taskEnded(call, next!))).toMatchObject({ unchanged: 4, rejected: 2 })
    expect(requested.toSorted()).toEqual(['/gone.png', '/unchanged.png'])
  })

  test('reads few products at a time if they have many pictures', async () => {
    const images = Array.from({ length: 150 }, (_, at) => ({
      url: `https://10.0.0.1/${at}`.padEnd(limits.valueLength, 'x'),
    }))
    const ids = Array.from({ length: 12 }, (_, at) => `p${at}`)
    for (const id of ids) await save(id, { images })
    const sent = await requestsSent(service, async () => {
      expect(counts(await fetchPictures())).toMatchObject({ processed: 12 * 150 })
    })
    const sizes = sent
      // A bulk has several lines.
      .filter(({ body }) => !`${body ?? ''}`.includes('\n'))
      .map(({ body }) => JSON.parse(`${body ?? '{}'}`))
      .filter(({ _source }) => `${_source}`.includes('product.images'))
      .map(({ size }) => size)
    // Eight of them exceed limits.readBytes.
    expect(sizes[0]).toBe(8)
    expect(Math.max(...sizes.slice(1))).toBe(2)
  })

  test('reports it to users who manage products, and accepts returned products', async () => {
    await shows('/red.png', 'red')
    await save('1', {
      name: 'Desk',
      image: `${shop}/red.png`,
      images: [{ url: `${shop}/red.png` }],
    })
    await fetchPictures()
    const got = await product(call, '1')
    const { body } = await expectOk(call('PUT /api/Catalog/c/products/1', { body: got }))
    expect(body.message).toBe('Nothing to change.')

    const key = await organization.key('viewer', 'search')
    const page = caller(service, { key, organization: organization.id })
    const search = { fields: ['image', 'images.url'], includeMetadata: false }
    const found = await expectOk(page('POST /api/search?catalog=c', { body: search }))
    expect(found.body.products).toEqual([
      { id: '1', image: got.image, images: [{ url: got.image }] },
    ])
    const shown = await expectOk(page('GET /api/Catalog/c/products/1'))
    expect(shown.body).toMatchObject({ image: got.image })
    expect(JSON.stringify(shown.body)).not.toContain(shop)

    await expectOk(
      call('PUT /api/Catalog/c/products/1', { body: { image: 'https://a.example/b' } }),
    )
    const moved = await product(call, '1')
    expect(moved.image).toBe('https://a.example/b')
    expect(moved).not.toHaveProperty('imageSource')
  })

  test('downloads again only on refresh, and then only what changed', async () => {
    await shows('/red.png', 'red', '"1"')
    await shows('/blue.png', 'blue', '"1"')
    await save('1', { image: `${shop}/red.png`, images: [{ url: `${shop}/blue.png` }] })
    expect(counts(await fetchPictures())).toMatchObject({ updated: 2, unchanged: 0 })
    const before = await product(call, '1')
    await shows('/red.png', 'green', '"2"')
    expect(counts(await fetchPictures())).toMatchObject({ updated: 0, unchanged: 2 })
    expect(requested).toHaveLength(2)
    const task = await fetchPictures({ refresh: true })
    expect(counts(task)).toMatchObject({ updated: 1, unchanged: 1, rejected: 0 })
    const after = await product(call, '1')
    expect(after.image).not.toBe(before.image)
    expect(after.images).toEqual(before.images)
  })

  test('retries if the server is busy', async () => {
    await shows('/red.png', 'red')
    const { '/red.png': show } = paths
    paths['/red.png'] = (response) => {
      paths['/red.png'] = show!
      response.writeHead(503).end()
    }
    await save('1', { image: `${shop}/red.png` })
    expect(counts(await fetchPictures())).toMatchObject({ updated: 1, rejected: 0 })
    expect(requested).toEqual(['/red.png', '/red.png'])
  })

  test('creates the sizes of what it downloaded', async () => {
    const bytes = await photograph()
    paths['/desk.jpg'] = (response) => response.end(bytes)
    await save('1', { image: `${shop}/desk.jpg` })
    await fetchPictures()
    const { image } = await product(call, '1')
    const small = await service.fetch(new Request(`${image}?width=160`))
    expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
  })

  test('accepts only pictures, from allowed addresses', async () => {
    await shows('/red.png', 'red')
    paths['/moved.png'] = (response) => response.writeHead(301, { location: '/red.png' }).end()
    paths['/inside.png'] = (response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    paths['/circle.png'] = (response) => response.writeHead(302, { location: '/circle.png' }).end()
    paths['/page.png'] = (response) => response.end('<svg onload="alert(1)"/>')
    paths['/wide.png'] = (response) => response.end(pngHeader(20_000, 10))
    const large = Buffer.alloc(6 * 1024 * 1024)
    paths['/large.png'] = (response) => response.end(large)
    const bad = ['/inside.png', '/circle.png', '/page.png', '/wide.png', '/large.png']
    const elsewhere = ['http://10.0.0.1/a.png', 'pictures/a.png']
    const images = [...bad.map((path) => shop + path), ...elsewhere].map((url) => ({ url }))
    await save('1', { image: `${shop}/moved.png`, images })
    const task = await fetchPictures()
    expect(counts(task)).toMatchObject({ processed: 8, updated: 1, rejected: 7 })
    expect((await rejectsOf(call, task)).split('\r\n').slice(1, -1)).toEqual([
      `address: leads to an address that is only allowed if OUTBOUND_ALLOW lists it,1,${shop}/inside.png`,
      `The address redirects more than 3 times.,1,${shop}/circle.png`,
      `"must be a PNG, JPEG, GIF or WebP picture",1,${shop}/page.png`,
      `the picture is wider or higher than 16384 pixels,1,${shop}/wide.png`,
      `The picture is larger than 5242880 bytes.,1,${shop}/large.png`,
      'address: leads to an address that is only allowed if OUTBOUND_ALLOW lists it,1,http://10.0.0.1/a.png',
      'address: must be a URL such as https://files.example.com/list.csv,1,pictures/a.png',
    ])
    expect((await product(call, '1')).image).toMatch(KEPT)
  })

  test('continues on another instance, and neither loses nor duplicates a picture', async () => {
    let waiting: ServerResponse[] = []
    const numbers = Array.from({ length: 12 }, (_, at) => at)
    for (const at of numbers) await shows(`/${at}.png`, `rgb(${at}, 0, 0)`)
    const eager = paths['/9.png']!
    paths['/9.png'] = (response) => void waiting.push(response)
    const file = numbers.map((at) => `${at},Desk,${shop}/${at}.png,`).join('\n')
    await importFile(call, `id,name,image\n${file}`)
    await service.stop()
    // As if killed: it reports nothing, and does not end the task.
    const dying = await start({
      tasks: { stopMs: 0, leaseMs: 3_000, beatMs: 50 },
    })
    const by = caller(dying, {
      key: await organization.key('editor'),
      organization: organization.id,
    })
    const { body } = await expectOk(by('POST /api/Catalog/c/pictures/fetch', { body: {} }))
    await expect.poll(() => waiting).toHaveLength(1)
    // The last one in the order of ids.
    await expect.poll(async () => (await taskOf(by, body.taskId)).processed).toBe(11)
    await dying.stop()
    paths['/9.png'] = eager
    waiting = []
    requested.length = 0
    const next = await start()
    call = caller(next, { key: await organization.key('editor'), organization: organization.id })
    const task = await taskEnded(call, body.taskId)
    expect(counts(task)).toEqual({
      ...{ processed: 12, created: 0, updated: 12, unchanged: 0, rejected: 0 },
    })
    expect(requested.length).toBeLessThan(12)
    const images = await Promise.all(
      numbers.map(async (at) => (await product(call, `${at}`)).image),
    )
    expect(new Set(images).size).toBe(12)
  })

  test('waits for a place for tasks to decode and store a download', async () => {
    await shows('/red.png', 'red')
    const ctx = contextOf(organization.id, service)
    const asked = Promise.withResolvers<void>()
    const place = Promise.withResolvers<void>()
    const withSlot: WithSlot = async (work) => {
      asked.resolve()
      await place.promise
      return work()
    }
    const url = `${shop}/red.png`
    const fetched = createFetching(ctx, 'task')(url, undefined, { signal: ctx.signal, withSlot })
    await asked.promise
    expect(requested).toEqual(['/red.png'])
    place.resolve()
    expect(await fetched).toMatchObject({ source: url, url: expect.stringMatching(KEPT) })
  })

  test('is cancelled at once, and retries a silent host only a few times', async () => {
    const images = Array.from({ length: 30 }, (_, at) => ({ url: `${shop}/${at}.png` }))
    for (const { url } of images) paths[new URL(url).pathname] = () => undefined
    await save('1', { images })
    const id = await startFetching()
    await expect.poll(() => requested.length).toBeGreaterThan(0)
    expect(requested.length).toBeLessThanOrEqual(2)
    await expectOk(call(`PUT /api/tasks/${id}`, { body: { cancelled: true } }))
    const task = await taskEnded(call, id)
    expect(task).toMatchObject({ status: 'cancelled' })
    expect(await taskOf(call, id)).toMatchObject({ processed: 0 })
  })

  test('takes turns with other organizations at a host', async () => {
    const held: Array<() => void> = []
    const own = await png('green')
    const serve: Respond = (response) => void held.push(() => response.end(own))
    const fetchOf = ({ id }: TestOrganization, path: string) => {
      paths[path] = serve
      const ctx = contextOf(id, service)
      const withSlot: WithSlot = (work) => work()
      const options = { signal: ctx.signal, withSlot }
      return createFetching(ctx, 'task')(`${shop}${path}`, undefined, options)
    }
    const all = Array.from({ length: 5 }, (_, at) => fetchOf(organization, `/${at}.png`))
    await expect.poll(() => requested.length).toBe(limits.picturesByHost)
    all.push(fetchOf(await newOrganization(service), '/other.png'))
    // It has joined the line by then.
    await setImmediate()
    held.shift()!()
    await expect.poll(() => requested.length).toBe(limits.picturesByHost + 1)
    expect(requested.at(-1)).toBe('/other.png')
    const release = setInterval(() => held.shift()?.(), 10)
    await Promise.all(all)
    clearInterval(release)
  })

  test('does not delay other organizations, however many hosts are silent', async () => {
    await service.stop()
    const patient = await start()
    const fetchAll = async (images: string[]) => {
      ;({ call } = await newOrganization(patient))
      await newCatalog({ call })
      for (const [at, image] of images.entries()) await save(`${at}`, { image })
      return startFetching()
    }
    const silent = await Promise.all(Array.from({ length: 16 }, () => startCanary(() => undefined)))
    await fetchAll(silent.map(({ port }) => `http://127.0.0.1:${port}/1.png`))
    await expect
      .poll(() => silent.filter((host) => host.connections() > 0).length)
      .toBeGreaterThanOrEqual(limits.picturesAtOnce / 2)
    await shows('/sound.png', 'green')
    const id = await fetchAll([`${shop}/sound.png`])
    expect(await taskEnded(call, id)).toMatchObject({ status: 'completed', updated: 1 })
    await Promise.all(silent.map((host) => host.close()))
  })
})
