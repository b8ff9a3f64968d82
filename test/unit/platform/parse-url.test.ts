import { describe, expect, test } from 'vitest'
import { parseUrl } from '../../../src/platform/parse-url.ts'

const LONG = '\u4e00\u4e01\u4e02'.repeat(1_000)

describe('a URL whose host is longer than any name is none, spelled', () => {
  test.each([
    `https://${LONG}/`,
    `https:${LONG}`,
    `https:/${LONG}?a`,
    `HTTP:\\\\${LONG}\\b`,
    `\u0001 ht\ntp\t:/\r/${LONG}#c`,
    `https://user:password@${LONG}:443/`,
    `https://${encodeURIComponent(LONG)}/`,
    `ws://${'a'.repeat(400)}`,
  ])('%.30s …', (text) => expect(parseUrl(text)).toBeNull())

  test('its base', () => expect(parseUrl('a.png', `https://${LONG}/`)).toBeNull())

  test.each([`//${LONG}/`, `\\\\${LONG}`, `\t/\t/${LONG}`])('%.8s … with a base', (text) =>
    expect(parseUrl(text, 'https://a.example')).toBeNull(),
  )
})

test.each([
  `https://a.example/${LONG}`,
  `https://a.example?${LONG}`,
  `https://${'token'.repeat(200)}:x@a.example/`,
  `https://${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(61)}:65535/`,
  'https:a.example',
  'mailto:a@b.example',
])('%.40s … is parsed as usual', (text) => {
  expect(URL.canParse(text)).toBe(true)
  expect(parseUrl(text)?.href).toBe(URL.parse(text)?.href)
})

test('text that is no URL, and one relative to a base', () => {
  expect(parseUrl('')).toBeNull()
  expect(parseUrl('a b')).toBeNull()
  expect(parseUrl('/b', 'https://a.example/c')?.href).toBe('https://a.example/b')
})
