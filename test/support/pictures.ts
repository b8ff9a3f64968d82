import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import {
  checkImageKind,
  imageId,
  type KeptImage,
  keptImage,
  writeImage,
} from '../../src/images/store.ts'
import type { Services } from '../../src/operation.ts'

/** Stores a picture like an upload, but unchanged and without a record. */
export async function keepImage(services: Services, bytes: Uint8Array): Promise<KeptImage> {
  const id = imageId(checkImageKind(bytes))
  await writeImage(services, id, { bytes: Buffer.from(bytes), sizes: [] })
  return keptImage(services, id)
}

/** A PNG in one color, by default 8 x 8. */
export const png = (background = '#336699', width = 8): Promise<Buffer> =>
  sharp({ create: { width, height: 8, channels: 3, background } })
    .png()
    .toBuffer()

/** A JPEG of 1,200 x 900 with distinct pixels, large enough for all sizes. */
export const photograph = (): Promise<Buffer> =>
  sharp({
    create: {
      ...{ width: 1_200, height: 900, channels: 3, background: '#336699' },
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg()
    .toBuffer()

/** A PNG whose header declares these dimensions, with almost no data. */
export const pngHeader = (width: number, height: number): Buffer =>
  pngOf({ width, height, depth: 8, colour: 2 }, Buffer.from('789c030000000001', 'hex'))

/** A complete PNG with one bit per pixel, all of them black. */
export const blankPng = (width: number, height: number): Buffer =>
  pngOf(
    { width, height, depth: 1, colour: 0 },
    deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 }),
  )

interface PngSize {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly colour: number
}

function pngOf({ width, height, depth, colour }: PngSize, data: Buffer): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([depth, colour, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', size),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk of a PNG. */
export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
