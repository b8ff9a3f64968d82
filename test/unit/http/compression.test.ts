import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { acceptedEncoding, encoded } from '../../../src/http/compression.ts'

test.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['zstd;q=0, *', 'br'],
  ['*', 'zstd'],
  ['identity, gzip;q=0.5', undefined],
  ['gzip;q=0', undefined],
  ['deflate, compress', undefined],
  ['', undefined],
  [undefined, undefined],
])('for %j the encoding is %j', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding)
})

test('a header of the maximum length is parsed at once', () => {
  const began = process.threadCpuUsage()
  for (const part of ['gzip,', ';', 'a;q=', '",', ' ', 'q;q;q;']) {
    acceptedEncoding(part.repeat(16_384 / part.length))
  }
  const { user, system } = process.threadCpuUsage(began)
  expect((user + system) / 1_000).toBeLessThan(500)
})

test('content is decompressed to what it was', async () => {
  const text = JSON.stringify({ products: Array.from({ length: 90 }, (_, id) => ({ id, ü: 'ß' })) })
  const decoders = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
  for (const [name, decode] of Object.entries(decoders)) {
    const { body, headers } = await encoded(text, name)
    expect(headers).toEqual({ vary: 'accept-encoding', 'content-encoding': name })
    expect(body.length).toBeLessThan(text.length / 4)
    expect(decode(body).toString()).toBe(text)
  }
  expect(await encoded(text, undefined)).toEqual({
    body: text,
    headers: { vary: 'accept-encoding' },
  })
  const short = await encoded('{}', 'gzip')
  expect(short.headers).not.toHaveProperty('content-encoding')
})
