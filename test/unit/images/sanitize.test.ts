import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { Invalid, TooManyRequests } from '../../../src/errors.ts'
import type { ImageKind } from '../../../src/images/image-kinds.ts'
import { withinImageMs } from '../../../src/images/resize.ts'
import { sanitizePicture } from '../../../src/images/sanitize.ts'
import { limits } from '../../../src/limits.ts'
import { pngChunk, pngHeader } from '../../support/pictures.ts'

const blank = (width: number, height: number, background = '#336699') =>
  sharp({ create: { width, height, channels: 3, background } })

const sized = (bytes: Buffer, kind: ImageKind, organization = 'a') =>
  sanitizePicture({ bytes, kind, owner: organization }, AbortSignal.timeout(10_000))

const clean = async (...parts: Parameters<typeof sized>) => (await sized(...parts)).bytes

test.each([
  ['png', () => blank(40, 20).png()],
  ['jpg', () => blank(40, 20).jpeg()],
  ['gif', () => blank(40, 20).gif()],
  ['webp', () => blank(40, 20).webp()],
] as const)('a %s keeps its format, and loses its metadata', async (kind, encoded) => {
  const marked = encoded()
    .withExif({ IFD0: { Copyright: 'somebody', ImageDescription: 'N 48.1 E 11.5' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
  const { format, width, height, exif, xmp, icc, iptc } = await sharp(
    await clean(await marked.toBuffer(), kind),
  ).metadata()
  expect({ format, width, height }).toEqual({
    format: kind === 'jpg' ? 'jpeg' : kind,
    width: 40,
    height: 20,
  })
  expect([exif, xmp, icc, iptc]).toEqual([undefined, undefined, undefined, undefined])
})

test('a picture taken sideways is rotated upright', async () => {
  const sideways = await blank(40, 20).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const { width, height, orientation } = await sharp(await clean(sideways, 'jpg')).metadata()
  expect({ width, height, orientation }).toEqual({ width: 20, height: 40, orientation: undefined })
})

test.each(['gif', 'webp'] as const)('an animated %s stays animated', async (kind) => {
  const colours = ['#f00', '#0f0', '#00f']
  const frames = await Promise.all(colours.map((colour) => blank(30, 20, colour).png().toBuffer()))
  const joined = sharp(frames, { join: { animated: true } })
  const delay = [100, 200, 300]
  const moving = await (kind === 'gif' ? joined.gif({ delay }) : joined.webp({ delay })).toBuffer()
  const answer = await sharp(await clean(moving, kind), { animated: true }).metadata()
  expect([answer.pages, answer.pageHeight, answer.delay]).toEqual([3, 20, delay])
})

describe('sizes', () => {
  const metadataOf = async (bytes: Buffer, kind: ImageKind) => {
    const { sizes } = await sized(bytes, kind)
    return Promise.all(sizes.map(async (one) => [one.width, await sharp(one.bytes).metadata()]))
  }

  test.each([
    ['png', 1_200, 60, [160, 480, 960]],
    ['jpg', 960, 48, [160, 480]],
    ['gif', 481, 30, [160, 480]],
    ['webp', 160, 90, []],
    ['jpg', 500, 7_000, [160]],
  ] as const)('of a %s of %i x %i are narrower', async (kind, width, height, widths) => {
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 20 }
    const picture = sharp({ create: { width, height, channels: 3, background: '#369', noise } })
    const bytes = await picture.toFormat(kind === 'jpg' ? 'jpeg' : kind).toBuffer()
    const sizes = await metadataOf(bytes, kind)
    expect(sizes).toMatchObject(
      widths.map((each) => [
        each,
        { format: 'webp', width: each, height: Math.round((height * each) / width) },
      ]),
    )
  })

  test('of a picture taken sideways are upright, and stay transparent', async () => {
    const clear = { r: 0, g: 0, b: 255, alpha: 0 }
    const bytes = await sharp({
      create: { width: 400, height: 400, channels: 4, background: clear },
    })
      .composite([{ input: await blank(400, 200, '#f00').png().toBuffer(), top: 0, left: 0 }])
      .png()
      .withMetadata({ orientation: 3 })
      .toBuffer()
    const { sizes } = await sized(bytes, 'png')
    const { data, info } = await sharp(sizes[0]!.bytes).raw().toBuffer({ resolveWithObject: true })
    const at = (y: number) => [...data.subarray((y * 160 + 80) * 4, (y * 160 + 80) * 4 + 4)]
    expect(info).toMatchObject({ width: 160, height: 160, channels: 4 })
    expect(at(20)[3]).toBe(0)
    const [red, green, blue, alpha] = at(140)
    expect([red! > 230, green! < 25, blue! < 25, alpha]).toEqual([true, true, true, 255])
  })

  test('are omitted for animations, and if they would be larger than the picture', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0'].map((colour) => blank(400, 20, colour).png().toBuffer()),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    expect(await metadataOf(moving, 'gif')).toEqual([])
    const [width, height] = [1_000, 200]
    const at = (pixel: number) => ((pixel % width) + Math.floor(pixel / width)) % 2
    const chequered = Buffer.from(Array.from({ length: width * height }, (_, i) => at(i) * 255))
    const bytes = await sharp(chequered, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer()
    expect((await sized(bytes, 'png')).sizes.map((one) => one.width)).toEqual([160, 480])
  })
})

test('all steps of a picture share one time, of which each has whole seconds', () => {
  let now = 5_000
  const limited = withinImageMs(() => now)
  const secondsAfter = (ms: number) => {
    now += ms
    let seconds: number | undefined
    const image = {
      timeout: (given: { seconds: number }) => {
        seconds = given.seconds
      },
    }
    limited(image as never)
    return seconds
  }
  const { imageMs } = limits
  expect([secondsAfter(0), secondsAfter(600), secondsAfter(imageMs - 601)]).toEqual([
    ...[imageMs / 1_000, imageMs / 1_000, 1],
  ])
  expect(() => secondsAfter(1)).toThrow('timeout')
  // The longest that others wait for, with the pause after it.
  expect(imageMs + 1_000 + limits.restMs).toBeLessThan(limits.imageWaitMs)
})

test('a GIF of too many frames is refused before they are decoded', async () => {
  const frame = Buffer.from(
    '21f9040005000000 2c00000000010001000002024401 00'.replaceAll(' ', ''),
    'hex',
  )
  const head = Buffer.from('474946383961010001008000 00ff000000ff00'.replaceAll(' ', ''), 'hex')
  const frames = Array<Buffer>(limits.imageFrames + 1).fill(frame)
  const bytes = Buffer.concat([head, ...frames, Buffer.from('3b', 'hex')])
  await expect(clean(bytes, 'gif')).rejects.toThrow('the animation has more than 1000 frames')
})

test('texts of a PNG that unpack to gigabytes take no memory', async () => {
  const one = await blank(8, 8).png().toBuffer()
  const text = pngChunk(
    'zTXt',
    Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(7e6))]),
  )
  const texts = Array<Buffer>(100).fill(text)
  const before = process.memoryUsage().rss
  await clean(Buffer.concat([one.subarray(0, 33), ...texts, one.subarray(33)]), 'png')
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6)
})

test('data hidden behind the picture is removed', async () => {
  const bytes = Buffer.concat([await blank(8, 8).png().toBuffer(), Buffer.from('<script>x')])
  expect((await clean(bytes, 'png')).includes('<script>')).toBe(false)
})

test('a bomb is refused by its header, at once and without memory', async () => {
  const before = process.memoryUsage().rss
  const started = performance.now()
  const refused = clean(pngHeader(50_000, 50_000), 'png')
  await expect(refused).rejects.toThrow('more than 50000000 pixels')
  for (const [width, height] of [
    [50_000_000, 1],
    [1, 50_000_000],
    [16_385, 3],
  ] as const) {
    await expect(clean(pngHeader(width, height), 'png')).rejects.toThrow(
      'wider or higher than 16384 pixels',
    )
  }
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6)
})

test.each([
  ['a GIF', 'gif', () => blank(4_000, 4_001).gif({ effort: 1 })],
  ['a WebP', 'webp', () => blank(4_000, 4_001).webp({ effort: 0 })],
  ['a progressive JPEG', 'jpg', () => blank(4_000, 4_001).jpeg({ progressive: true })],
  ['an interlaced PNG', 'png', () => blank(4_000, 4_001).png({ progressive: true })],
  ['a turned JPEG', 'jpg', () => blank(4_000, 4_001).jpeg().withMetadata({ orientation: 6 })],
] as const)(
  '%s, which is decoded in memory as a whole, has a lower pixel limit',
  async (_, kind, encoded) => {
    await expect(clean(await encoded().toBuffer(), kind)).rejects.toThrow('16000000 pixels')
  },
)

test('a large photograph that is decoded row by row is accepted', async () => {
  const photograph = await blank(6_000, 4_000).jpeg().toBuffer()
  await expect(clean(photograph, 'jpg')).resolves.toBeDefined()
})

test('the frames of an animation count together', async () => {
  // Each is below the limit of 16,000,000 pixels, but all four together are not.
  const frame = await blank(2_000, 2_001).png().toBuffer()
  const frames = Array.from({ length: 4 }, () => frame)
  const bytes = await sharp(frames, { join: { animated: true }, limitInputPixels: false })
    .gif({ effort: 1, keepDuplicateFrames: true })
    .toBuffer()
  await expect(clean(bytes, 'gif')).rejects.toThrow('16000000 pixels')
})

test.each([
  ['half a picture', async () => (await blank(400, 400).png().toBuffer()).subarray(0, 300), 'png'],
  ['a signature alone', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'png'],
  ['another kind than its signature', async () => blank(8, 8).jpeg().toBuffer(), 'png'],
] as const)('refuses %s', async (_, make, kind) => {
  await expect(clean(await make(), kind)).rejects.toThrow(
    new Invalid('file: the picture is damaged'),
  )
})

test('pictures above the queue limit are refused, the others are processed', async () => {
  const bytes = await blank(60, 60).png().toBuffer()
  const room = limits.imagesAtOnce + limits.organizationImagesWaiting
  const ends: unknown[] = []
  const note = (end: unknown) => void ends.push(end)
  await Promise.all(
    Array.from({ length: room + 3 }, () => clean(bytes, 'png').then(() => note('done'), note)),
  )
  // The picture before may still hold its place, so on a slow machine some wait too long.
  expect([3, 4]).toContain(ends.indexOf('done'))
  for (const end of ends.filter((one) => one !== 'done'))
    expect(end).toBeInstanceOf(TooManyRequests)
  await expect(clean(bytes, 'png')).resolves.toBeDefined()
})

test('another organization has the next turn, however many pictures of one are waiting', async () => {
  const bytes = await blank(60, 60).png().toBuffer()
  const ended: string[] = []
  const note = async (organization: string) => {
    await clean(bytes, 'png', organization)
    ended.push(organization)
  }
  await Promise.all(['a', 'a', 'a', 'a', 'b'].map(note))
  expect(ended.indexOf('b')).toBeLessThan(2)
})
