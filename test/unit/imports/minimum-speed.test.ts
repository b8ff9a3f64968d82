import { describe, expect, test } from 'vitest'
import { withMinimumSpeed } from '../../../src/imports/minimum-speed.ts'
import { nameIn } from '../../../src/imports/remote-file.ts'
import { limits } from '../../../src/limits.ts'
import { OutboundFailure } from '../../../src/platform/outbound/failure.ts'

/** Reads a stream of chunks of `bytes`, one every `everyMs`. */
async function read({
  bytes,
  everyMs,
  chunks,
}: {
  bytes: number
  everyMs: number
  chunks: number
}) {
  let now = 0
  async function* body() {
    for (let left = chunks; left > 0; left--) {
      now += everyMs
      yield new Uint8Array(bytes)
    }
  }
  let got = 0
  for await (const chunk of withMinimumSpeed(body(), { now: () => now })) got += chunk.length
  return { got, seconds: now / 1_000 }
}

describe('a download', () => {
  test('can take long if it is large', async () => {
    const bytes = 1024 * 1024
    expect(await read({ bytes, everyMs: 10_000, chunks: 100 })).toEqual({
      got: 100 * bytes,
      seconds: 1_000,
    })
  })

  test('can be slow for a minute', async () => {
    expect((await read({ bytes: 1, everyMs: 1_000, chunks: 60 })).got).toBe(60)
  })

  test.each([1, 1_000, limits.downloadBytesPerSecond / 2])(
    'at %d bytes per second is aborted after two minutes at most',
    async (bytes) => {
      const work = read({ bytes, everyMs: 1_000, chunks: 121 })
      await expect(work).rejects.toThrow(OutboundFailure)
    },
  )
})

test.each([
  ['https://example.com/lists/tools.csv', 'tools.csv'],
  ['https://example.com/tools.csv.gz?token=secret#x', 'tools.csv.gz'],
  ['https://example.com/a%20b%2Fc.csv', 'a bc.csv'],
  ['https://example.com/%E0%A4%A.csv', '%E0%A4%A.csv'],
  ['https://example.com/a%00%0Ab.csv', 'ab.csv'],
  ['https://example.com/', 'file'],
  ['https://example.com', 'file'],
  [`https://example.com/${'x'.repeat(300)}.csv`, `${'x'.repeat(196)}.csv`],
  [`https://example.com/${encodeURIComponent('😀'.repeat(150))}x`, `${'😀'.repeat(99)}x`],
])('%s is called %s', (url, name) => {
  expect(nameIn(url)).toBe(name)
})
