import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { checkedParts } from '../../../src/images/picture-parts.ts'
import { limits } from '../../../src/limits.ts'

const bytesOf = (...parts: (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)))
const named = (name: string): Buffer => Buffer.from(name, 'latin1')

describe('the frames of a WebP', () => {
  const frame = bytesOf(named('ANMF'), '08000000', Buffer.alloc(8))
  const withFrames = (count: number, first = frame) =>
    bytesOf(named('RIFF'), 'ffffff00', named('WEBP'), first, ...Array(count - 1).fill(frame))

  test('are at most a thousand', () => {
    const most = withFrames(1_000)
    expect(checkedParts(most, 'webp')).toBe(most)
    expect(() => checkedParts(withFrames(1_001), 'webp')).toThrow(
      'file: the animation has more than 1000 frames; save it with fewer',
    )
  })

  test('also count within the bytes that another frame claims', () => {
    const claiming = bytesOf(named('ANMF'), 'ffffff00', Buffer.alloc(8))
    expect(() => checkedParts(withFrames(1_001, claiming), 'webp')).toThrow('1000 frames')
  })
})

describe('the segments of a JPEG', () => {
  const [start, end, comment, scan] = ['ffd8', 'ffd9', 'fffe0002', 'ffda0002']
  const times = (count: number, part: string) => Array<string>(count).fill(part)
  const check = (...parts: (string | Buffer)[]) =>
    checkedParts(bytesOf(start, ...parts, end), 'jpg').length
  const refusal =
    'file: the JPEG has more than 64 scans or 1000 segments; save it as a plain JPEG without metadata'

  test.each([
    ['a thousand', [...times(936, comment), ...times(64, scan)]],
    ['what the pixels and restarts have no part in', [scan, ...times(2_000, 'ff00ffd0ff0a')]],
    ['a thumbnail of many scans in the metadata', ['fffe0192', ...times(100, scan)]],
    ['whatever follows the end', [end, ...times(100, scan)]],
    ['one that is cut off', [scan, 'fffe']],
    ['one that is longer than the file', ['fffeffff']],
  ])('accepts %s', (_, parts) => {
    expect(check(...parts)).toBeGreaterThan(0)
  })

  test.each([
    ['more comments', times(1_001, comment)],
    ['more scans', times(65, scan)],
    ['scans between fill bytes', times(65, `0000ffffff${scan}`)],
    ['scans behind a marker without meaning', [scan, 'ff02ffff', ...times(65, scan)]],
  ])('refuses %s', (_, parts) => {
    expect(() => check(...parts)).toThrow(refusal)
  })
})

describe('the chunks of a PNG', () => {
  const signature = '89504e470d0a1a0a'
  const chunk = (name: string, data: string | Buffer = '') => {
    const bytes = bytesOf(data)
    return bytesOf(bytes.length.toString(16).padStart(8, '0'), named(name), bytes, '01020304')
  }

  test('are those that show it', () => {
    const shown = ['IHDR', 'eXIf', 'PLTE', 'tRNS'].map((name) => chunk(name, '00ff'))
    const hidden = ['tEXt', 'zTXt', 'iTXt', 'sPLT', 'fdAT', 'juNk'].map((name) => chunk(name, '11'))
    const rest = [chunk('IDAT'), chunk('IEND')]
    expect(checkedParts(bytesOf(signature, ...shown, ...hidden, ...rest), 'png')).toEqual(
      bytesOf(signature, ...shown, ...rest),
    )
  })

  test('are at most ten thousand', () => {
    const most = Array(10_000).fill(chunk('IDAT', '00'))
    const bytes = bytesOf(signature, ...most)
    expect(checkedParts(bytes, 'png')).toEqual(bytes)
    expect(() => checkedParts(bytesOf(signature, ...most, chunk('tEXt')), 'png')).toThrow(
      'file: the PNG has more than 10000 chunks; save it with larger ones and without metadata',
    )
  })

  const profile = (packed: Buffer) => chunk('iCCP', bytesOf(named('sRGB\0\0'), packed))
  const small = profile(deflateSync(Buffer.alloc(limits.profileBytes)))
  const large = profile(deflateSync(Buffer.alloc(limits.profileBytes + 1)))
  test.each([
    ['a small one', [small], [small]],
    ['the first one', [small, small, large], [small]],
    ['none, if the first one is large', [large, small], []],
    ['none that is damaged', [profile(named('packed'))], []],
    ['none that is empty', [chunk('iCCP')], []],
  ])('include of color profiles %s', (_, given, kept) => {
    const rest = [chunk('IDAT'), chunk('IEND')]
    expect(checkedParts(bytesOf(signature, ...given, ...rest), 'png')).toEqual(
      bytesOf(signature, ...kept, ...rest),
    )
  })

  test.each([
    ['is missing', ''],
    ['is damaged', '0000'],
    ['is cut off', `7fffffff${named('zTXt').toString('hex')}00000000`],
  ])('stay as they are when the end %s', (_, end) => {
    const bytes = bytesOf(signature, chunk('IHDR', '00'), end)
    expect(checkedParts(bytes, 'png')).toEqual(bytes)
  })
})
