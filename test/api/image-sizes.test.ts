import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { imagesOf } from '../../src/images/records.ts'
import { removeImage } from '../../src/images/store.ts'
import { limits } from '../../src/limits.ts'
import { seedCatalog } from '../support/catalog.ts'
import { type Call, expectOk, newOrganization, type TestOrganization } from '../support/client.ts'
import { photograph, png } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'

let folder: string
let service: TestService
let organization: TestOrganization
let editor: Call

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-sizes-'))
  service = await startService({ folder })
})

beforeEach(async () => {
  organization = await newOrganization(service)
  editor = await organization.as('editor')
})

/** Uploads a picture and returns its url. */
async function save(bytes: Buffer, query = ''): Promise<string> {
  const body = { file: bytes.toString('base64') }
  return (await expectOk(editor(`POST /api/images${query}`, { body }))).body.url
}

const idOf = (url: string) => url.split('/').at(-1)!
const read = (url: string) => service.fetch(new Request(url))
const filesOf = async (url: string) => {
  const [key] = idOf(url).split('.')
  return (await readdir(folder)).filter((name) => name.startsWith(`image-${key}-`)).toSorted()
}

/** Format and width of the answer, such as `webp 480`; the status if it fails. */
async function shown(url: string): Promise<string> {
  const answer = await read(url)
  if (answer.status !== 200) return `${answer.status}`
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const { format, width } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata()
  expect(answer.headers.get('content-type')).toBe(`image/${format}`)
  return `${format} ${width}`
}

describe('the sizes of a picture', () => {
  test('are returned by requested width: the next wider one, or the original', async () => {
    const url = await save(await photograph())
    const answers = {
      '': 'jpeg 1200',
      '?width=1': 'webp 160',
      '?width=160': 'webp 160',
      '?width=161&v=2': 'webp 480',
      '?width=480': 'webp 480',
      '?width=800': 'webp 960',
      '?width=961': 'jpeg 1200',
      '?width=0': 'jpeg 1200',
      '?width=': 'jpeg 1200',
      '?v=2': 'jpeg 1200',
    }
    for (const [query, answer] of Object.entries(answers)) {
      expect([query, await shown(url + query)]).toEqual([query, answer])
    }
    expect((await service.fetch(new Request(`${url}?width=160`, { method: 'HEAD' }))).status).toBe(
      200,
    )
  })

  test('do not exist for small pictures, which are returned themselves', async () => {
    const url = await save(await png())
    expect(await Promise.all(['', '?width=160', '?width=960'].map((q) => shown(url + q)))).toEqual([
      ...['png 8', 'png 8', 'png 8'],
    ])
    expect(await filesOf(url)).toHaveLength(1)
  })

  test.each(['wide', '-1', '1.5', '16385'])('width=%s is refused', async (width) => {
    const answer = await read(`http://localhost/api/images/${'A'.repeat(22)}.png?width=${width}`)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('width') })
  })

  test('count towards the quota and are deleted with the picture', async () => {
    const catalog = await seedCatalog(service, organization, [{ id: 'P-1' }])
    const url = await save(await photograph(), `?catalog=${catalog}&productId=P-1`)
    const files = await filesOf(url)
    expect(files).toHaveLength(4)
    const sizes = await Promise.all(files.map((name) => stat(join(folder, name))))
    const record = await imagesOf(service.services, organization.id).get(idOf(url))
    expect(record!.source.bytes).toBe(sizes.reduce((sum, { size }) => sum + size, 0))
    const removal = `POST /api/images/P-1/delete?catalog=${catalog}`
    await expectOk(editor(removal, { body: { customImageIds: [idOf(url)] } }))
    await service.services.background.settled()
    expect(await filesOf(url)).toEqual([])
    expect(await shown(`${url}?width=160`)).toBe('404')
  })

  test('are refused together with the picture if there is no room for all', async () => {
    const bytes = await photograph()
    const images = imagesOf(service.services, organization.id)
    const first = await save(bytes)
    const [file] = (await filesOf(first)).filter((name) => name.endsWith('-jpg'))
    const { size } = await stat(join(folder, file!))
    const { bytes: all } = (await images.get(idOf(first)))!.source
    const held = { id: 'held', created: new Date().toISOString(), expires: '2099-01-01' }
    const left = limits.fileQuotaBytes - all - size
    await images.put('held', { ...held, bytes: left }, { refresh: true })
    const before = await readdir(folder)
    const answer = await editor('POST /api/images', { body: { file: bytes.toString('base64') } })
    expect([answer.status, answer.body.message]).toEqual([
      413,
      expect.stringContaining('stores at most'),
    ])
    expect(await readdir(folder)).toEqual(before)
  })

  test('leave nothing behind if they cannot be stored', async () => {
    const { files } = service.services
    const before = await readdir(folder)
    let written = 0
    const failing = await startService({
      folder,
      files: {
        ...files,
        write: (...parts) => {
          written++
          return written === 3 ? Promise.reject(new Error('no disk')) : files.write(...parts)
        },
      },
    })
    const by = await (await newOrganization(failing)).as('editor')
    const body = { file: (await photograph()).toString('base64') }
    expect((await by('POST /api/images', { body })).status).toBe(500)
    expect(written).toBe(3)
    expect(await readdir(folder)).toEqual(before)
  })

  test('never exist without the picture: after a partial deletion it is returned itself', async () => {
    const url = await save(await photograph())
    const { files } = service.services
    let removed = 0
    const dying = {
      files: {
        ...files,
        remove: (name: string) => {
          removed++
          return removed === 3 ? Promise.reject(new Error('killed')) : files.remove(name)
        },
      },
    }
    await expect(removeImage(dying, idOf(url))).rejects.toThrow('killed')
    expect(await shown(`${url}?width=160`)).toBe('webp 960')
    await removeImage(service.services, idOf(url))
    expect(await filesOf(url)).toEqual([])
  })
})
