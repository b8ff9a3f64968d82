import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/limits.ts'
import { keepImage } from '../support/pictures.ts'
import { startService, type TestService } from '../support/service.ts'

const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })

let service: TestService
beforeAll(async () => {
  service = await startService()
})

const read = (path: string, init: RequestInit = {}) =>
  service.fetch(new Request(`http://localhost${path}`, init))

describe('Read Image', () => {
  test.each([
    ['image/png', () => picture().png()],
    ['image/jpeg', () => picture().jpeg()],
    ['image/gif', () => picture().gif()],
    ['image/webp', () => picture().webp()],
  ])('returns a %s without key and version, cacheable forever', async (type, encoded) => {
    const bytes = await encoded().toBuffer()
    const kept = await keepImage(service.services, bytes)
    expect(kept.url).toBe(`http://localhost:3000/api/images/${kept.id}`)
    const answer = await read(`/api/images/${kept.id}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-length')).toBe(`${bytes.length}`)
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('returns 404 for an unknown id, another kind and text that is not an id', async () => {
    const kept = await keepImage(service.services, await picture().png().toBuffer())
    const unknown = [
      'AAAAAAAAAAAAAAAAAAAAAA.png',
      kept.id.replace('.png', '.gif'),
      kept.id.replace('.png', ''),
      '..%2F..%2Fetc%2Fpasswd',
      'x',
    ]
    for (const id of unknown) {
      const answer = await read(`/api/images/${id}`)
      expect([id, answer.status]).toEqual([id, 404])
      expect(await answer.json()).toEqual({
        success: false,
        message: 'Image not found.',
        id: null,
        taskId: null,
      })
    }
  })

  test('answers HEAD without leaving the file open', async () => {
    const bytes = Buffer.concat([await picture().png().toBuffer(), Buffer.alloc(500_000)])
    const kept = await keepImage(service.services, bytes)
    const before = (await readdir('/proc/self/fd')).length
    for (let i = 0; i < 50; i++) {
      const answer = await read(`/api/images/${kept.id}`, { method: 'HEAD' })
      expect([answer.status, answer.body]).toEqual([200, null])
    }
    await expect.poll(async () => (await readdir('/proc/self/fd')).length).toBeLessThan(before + 25)
  })
})

describe('storing an image', () => {
  test.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['nothing', ''],
    ['half a signature', '\x89PN'],
  ])('refuses %s', async (_, text) => {
    const bytes = Buffer.from(text, 'latin1')
    await expect(keepImage(service.services, bytes)).rejects.toThrow(
      'file: must be a PNG, JPEG, GIF or WebP picture',
    )
  })

  test('refuses one above 10 MiB and leaves nothing behind', async () => {
    const png = await picture().png().toBuffer()
    const bytes = Buffer.concat([png, Buffer.alloc(limits.keptImageBytes)])
    await expect(keepImage(service.services, bytes)).rejects.toThrow('larger than')
  })
})
