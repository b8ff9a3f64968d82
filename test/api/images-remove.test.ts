import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { createElastic } from '../../src/elastic/client.ts'
import { prepareIndices, readDefinitions } from '../../src/elastic/indices.ts'
import { ALL_PRODUCTS } from '../../src/elastic/own-index.ts'
import { refreshIndex } from '../../src/elastic/refresh.ts'
import { imagesOf, newRecord } from '../../src/images/records.ts'
import { sweepImages } from '../../src/images/sweep.ts'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { png } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'

const TERM_MS = (limits.imageDays * 24 * 60 + 1) * 60 * 1000

let service: TestService
/** A service with the same files, whose clock is ahead by `terms` retention periods. */
let later: TestService
let terms = 1
let organization: TestOrganization
let editor: Call
let catalog: string

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'aisle-images-'))
  service = await startService({ folder })
  const now = () => new Date(Date.now() + terms * TERM_MS)
  later = await startService({ folder, clock: { now } })
})

beforeEach(async () => {
  terms = 1
  organization = await newOrganization(service)
  editor = await organization.as('editor')
  catalog = await seedCatalog(service, organization, [{ id: 'P-1' }, { id: 'P-2' }])
})

/** Uploads a picture, by default for product P-1, and returns its id. */
async function save(query = `?catalog=${catalog}&productId=P-1`): Promise<string> {
  const body = { file: (await png()).toString('base64') }
  const { url } = (await expectOk(editor(`POST /api/images${query}`, { body }))).body
  return url.split('/').at(-1)
}

const urlOf = (id: string) => `http://localhost:3000/api/images/${id}`
const statusOf = async (id: string) => (await service.fetch(new Request(urlOf(id)))).status
const remove = (ids: unknown, product = 'P-1', by = editor) =>
  by(`POST /api/images/${product}/delete?catalog=${catalog}`, { body: { customImageIds: ids } })
const customIds = async (by = editor) => {
  const answer = await expectOk(by(`GET /api/Catalog/${catalog}/products/P-1`))
  return answer.body.images.map(({ id }: { id: string }) => id)
}
const show = (body: object, product = 'P-2', by = editor) =>
  expectOk(by(`PUT /api/Catalog/${catalog}/products/${product}`, { body }))
const isRecorded = async (id: string) =>
  (await imagesOf(service.services, organization.id).get(id)) !== undefined
const settled = () => service.services.background.settled()

describe('Delete Custom Product Images', () => {
  test.each(['1.0', '6.0'])('removes the named images and their files (%s)', async (version) => {
    const [first, second] = [await save(), await save()]
    const answer = await expectOk(
      editor(`POST /api/images/P-1/delete?catalog=${catalog}`, {
        body: { customImageIds: [first, null, ''] },
        version,
      }),
    )
    expect(answer.body).toEqual({
      success: true,
      message: 'Images removed: 1.',
      id: 'P-1',
      taskId: null,
    })
    expect(await customIds()).toEqual([second])
    await settled()
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    expect([await isRecorded(first), await isRecorded(second)]).toEqual([false, true])
  })

  test('ignores ids that the product does not have, so it can be repeated', async () => {
    const id = await save()
    await expectOk(remove([id]))
    for (const ids of [[id], ['unknown'], [], null, undefined]) {
      expect((await expectOk(remove(ids))).body.message).toBe('Nothing to remove.')
    }
  })

  test.each([
    ['the images', (url: string) => ({ images: [{ url }] })],
    ['the image', (url: string) => ({ image: url })],
  ])('a file stays while %s of another product shows it', async (_, body) => {
    const id = await save()
    await show(body(urlOf(id)))
    await expectOk(remove([id]))
    await settled()
    expect([await customIds(), await statusOf(id)]).toEqual([[], 200])
  })

  test('a file stays while the same product shows it as its own', async () => {
    const id = await save()
    await show({ image: urlOf(id) }, 'P-1')
    await expectOk(remove([id]))
    await settled()
    expect(await statusOf(id)).toBe(200)
  })

  test('a file stays while another organization shows it', async () => {
    const other = await newOrganization(service)
    const id = await save()
    await seedCatalog(service, other, [{ id: 'X', image: urlOf(id) }])
    await expectOk(remove([id]))
    await settled()
    expect(await statusOf(id)).toBe(200)
  })

  test('nobody can remove what another organization added', async () => {
    const child = await newOrganization(service, organization.id)
    const id = await save()
    const answer = await expectOk(remove([id], 'P-1', child.call))
    expect(answer.body.message).toBe('Nothing to remove.')
    expect([await customIds(), await statusOf(id)]).toEqual([[id], 200])
    const stranger = await newOrganization(service)
    expect((await remove([id], 'P-1', stranger.call)).status).toBe(404)
  })

  test('files of many requests are removed together, with one refresh of all products', async () => {
    const saved = [await save(), await save(), await save(), await save()]
    const held = Promise.withResolvers<void>()
    const { indices } = service.services.elastic.client
    const refresh = indices.refresh.bind(indices)
    const refreshes = vi.spyOn(indices, 'refresh').mockImplementation(async (...asked) => {
      await held.promise
      return refresh(...asked)
    })
    onTestFinished(() => refreshes.mockRestore())
    const jobs = vi.spyOn(service.services.background, 'run')
    onTestFinished(() => jobs.mockRestore())
    for (const id of saved) await expectOk(remove([id]))
    held.resolve()
    await settled()
    expect(await Promise.all(saved.map(statusOf))).toEqual([404, 404, 404, 404])
    const products = service.services.elastic.indexName(ALL_PRODUCTS)
    const ofProducts = refreshes.mock.calls.filter(([asked]) => asked?.index === products)
    // A second one for requests that came after the first had begun.
    expect(ofProducts.length).toBeLessThanOrEqual(2)
    const removals = jobs.mock.calls.filter(([name]) => name === 'remove pictures')
    expect(removals.map(([, , owner]) => owner)).toEqual([organization.id])
  })

  test('another version of the product keeps its images', async () => {
    const id = await save()
    const line = `POST /api/images/P-1/delete?catalog=${catalog}`
    const body = { customImageIds: [id] }
    const ifMatch = (version: string) => editor(line, { body, headers: { 'if-match': version } })
    expect((await ifMatch('"99"')).status).toBe(412)
    expect(await statusOf(id)).toBe(200)
    expect((await ifMatch('"1"')).body.message).toBe('Images removed: 1.')
  })

  test('an unknown product is not found, and too many ids are refused', async () => {
    expect((await remove(['x'], 'P-9')).body.message).toBe('Product not found.')
    const many = await remove(Array.from({ length: limits.imagesPerRequest + 1 }, () => 'x'))
    expect(many.status).toBe(400)
  })
})

describe('when the retention period has passed', () => {
  test('a picture that no product shows is deleted, others are kept for another period', async () => {
    const [lonely, custom, own] = [await save(''), await save(), await save('')]
    await show({ images: [{ url: urlOf(own) }] })
    await sweepImages(service.services)
    expect(await Promise.all([lonely, custom, own].map(statusOf))).toEqual([200, 200, 200])
    await sweepImages(later.services)
    expect(await Promise.all([lonely, custom, own].map(statusOf))).toEqual([200, 200, 200])
    terms = 2
    await sweepImages(later.services)
    expect(await Promise.all([lonely, custom, own].map(statusOf))).toEqual([404, 200, 200])
    expect(await isRecorded(lonely)).toBe(false)
    const kept = await imagesOf(service.services, organization.id).get(own)
    expect(Date.parse(kept!.source.expires)).toBeGreaterThan(Date.now() + 2 * TERM_MS)
  })

  test('a custom picture is deleted after its product', async () => {
    const id = await save()
    await expectOk(editor(`DELETE /api/Catalog/${catalog}/products/P-1`))
    await sweepImages(later.services)
    expect(await statusOf(id)).toBe(200)
    terms = 2
    await sweepImages(later.services)
    expect(await statusOf(id)).toBe(404)
  })

  test('a picture removed from a product since the last sweep is kept for another period', async () => {
    const id = await save('')
    await show({ image: urlOf(id) })
    await sweepImages(later.services)
    await show({ image: null })
    terms = 2
    await sweepImages(later.services)
    expect(await statusOf(id)).toBe(200)
    const path = `/api/Catalog/${catalog}/products/P-2`
    const [{ id: entry }] = (await expectOk(editor(`GET ${path}/logs`))).body.items
    await expectOk(editor(`POST ${path}/logs/${entry}/restore`))
    terms = 3
    await sweepImages(later.services)
    await show({ image: null })
    terms = 4
    await sweepImages(later.services)
    expect([await statusOf(id), await isRecorded(id)]).toEqual([200, true])
    terms = 5
    await sweepImages(later.services)
    expect([await statusOf(id), await isRecorded(id)]).toEqual([404, false])
  })

  test('a picture of a version without sweep times is kept for another period', async () => {
    const current = (await readDefinitions('index-mappings')).filter(({ kind }) =>
      ['images', 'products'].includes(kind),
    )
    const older = structuredClone(current)
    delete older.find(({ kind }) => kind === 'images')!.mappings.properties!.shown
    const elastic = createElastic({
      node: inject('elasticsearch').node,
      prefix: `${inject('indexPrefix')}-older-images`,
      shards: 1,
      replicas: 0,
    })
    await prepareIndices(elastic, older)
    const images = imagesOf({ elastic }, organization.id)
    const id = `${'B'.repeat(22)}.png`
    const past = new Date(Date.now() - TERM_MS).toISOString()
    await images.create(id, { id, bytes: 10, created: past, expires: past }, { refresh: true })
    await prepareIndices(elastic, current)
    await sweepImages({ ...service.services, elastic })
    expect(await images.get(id)).toBeDefined()
    await sweepImages({ ...later.services, elastic })
    expect(await images.get(id)).toBeUndefined()
  })

  test('parts of an interrupted upload are deleted', async () => {
    const id = `${'A'.repeat(22)}.png`
    const past = new Date(Date.now() - TERM_MS).toISOString()
    const record = { id, bytes: 10, created: past, expires: past, shown: false }
    await imagesOf(service.services, organization.id).create(id, record, { refresh: true })
    const { files } = service.services
    const size = `image-${id.replace('.', '-')}-160`
    await files.write(size, [Buffer.from('a size')], 100)
    await sweepImages(service.services)
    expect([await isRecorded(id), await files.read(size)]).toEqual([false, undefined])
  })

  test('a picture that an import fetches again during the sweep is kept', async () => {
    const ids = [await save(''), await save('')]
    await sweepImages(later.services)
    terms = 2
    const { files } = later.services
    const images = imagesOf(service.services, organization.id)
    let fetched: string | undefined
    const remove = async (name: string) => {
      const other = ids.find((id) => !name.includes(id.split('.')[0]!))!
      if (fetched === undefined) {
        fetched = other
        const record = { id: other, bytes: 10, now: later.services.clock.now() }
        await images.put(other, newRecord(record), { refresh: true })
      }
      return files.remove(name)
    }
    await sweepImages({ ...later.services, files: { ...files, remove } })
    const statuses = await Promise.all(ids.map(statusOf))
    expect(statuses).toEqual(ids.map((id) => (id === fetched ? 200 : 404)))
  })

  test('a picture that cannot be deleted now does not block the others', async () => {
    const [stuck, gone] = [await save(''), await save('')]
    await sweepImages(later.services)
    terms = 2
    const { files } = later.services
    const failing = {
      ...later.services,
      files: {
        ...files,
        remove: (name: string) =>
          name.includes(stuck.split('.')[0]!)
            ? Promise.reject(new Error('the disk says no'))
            : files.remove(name),
      },
    }
    await refreshIndex(service.services.elastic, 'images')
    await sweepImages(failing)
    expect([await statusOf(stuck), await statusOf(gone)]).toEqual([200, 404])
    expect(await isRecorded(stuck)).toBe(true)
    await sweepImages(later.services)
    expect([await statusOf(stuck), await isRecorded(stuck)]).toEqual([404, false])
  })
})
