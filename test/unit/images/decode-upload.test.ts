import { expect, test } from 'vitest'
import { Invalid, TooLarge } from '../../../src/errors.ts'
import { decodeUpload } from '../../../src/images/decode-upload.ts'
import { limits } from '../../../src/limits.ts'

const bytes = Buffer.from([0xfb, 0xef, 0xff, 0x01, 0x02])

test.each([
  ['base64', '++//AQI='],
  ['base64 without padding', '++//AQI'],
  ['base64 for addresses', '--__AQI='],
  ['base64 with white space around the padding', '++//AQI \t= \n'],
  ['base64 in lines', '++//\r\nAQ\nI=\n'],
  ['a data URL', 'data:image/png;base64,++//AQI='],
  ['a data URL with parameters', 'data:image/png;name=a.png;BASE64,++//AQI='],
  ['a data URL without a type', 'data:;base64,++//AQI='],
])('reads %s', (_, file) => {
  expect(decodeUpload(file)).toEqual(bytes)
})

test.each([
  ['a percent-encoded data URL', 'data:image/svg+xml,%3Csvg/%3E', ';base64'],
  ['markup', '<!doctype html><script>alert(1)</script>', 'must be base64'],
  ['a character that is no base64', '++/*AQI=', 'must be base64'],
  ['an address', 'https://example.com/a.png', 'must be base64'],
  ['what was cut off', '++//A', 'must be base64'],
  ['what was cut off and padded', '++//A===', 'must be base64'],
  ['what was cut off in lines', '++//\r\nA\r\n=', 'must be base64'],
  ['more padding', '++//AQ===', 'must be base64'],
  ['letters that are not ASCII', '++//AQI\u0141', 'must be base64'],
  ['padding in the middle', '++//AQI=++//', 'must be base64'],
])('refuses %s', (_, file, message) => {
  expect(() => decodeUpload(file)).toThrow(Invalid)
  expect(() => decodeUpload(file)).toThrow(message)
})

test.each([
  ['white space', 'A '.repeat(2 ** 19)],
  ['what only its end makes invalid', `${' '.repeat(2 ** 20)}*`],
  ['much padding', '='.repeat(2 ** 20)],
])('reads %s in less than a hundred milliseconds for a megabyte', (_, text) => {
  const began = process.cpuUsage()
  try {
    decodeUpload(text)
  } catch {
    // Only the time counts.
  }
  expect(process.cpuUsage(began).user / 1_000).toBeLessThan(100)
})

test('counts bytes, not characters', () => {
  const text = (length: number) => Buffer.alloc(length).toString('base64')
  expect(decodeUpload(text(limits.imageBytes))).toHaveLength(limits.imageBytes)
  expect(() => decodeUpload(text(limits.imageBytes + 1))).toThrow(TooLarge)
})
