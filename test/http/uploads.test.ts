import { mkdtemp, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uploadChunks } from '../../src/files/upload-chunks.ts'
import { type HttpServer, listen } from '../../src/http/server.ts'
import { createDirectoryStore } from '../../src/platform/directory-store.ts'

let folder: string
let server: HttpServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'aisle-uploads-'))
  const store = createDirectoryStore(folder)
  server = await listen({
    port: 0,
    host: '127.0.0.1',
    async fetch(incoming) {
      const { bytes } = await store.write('upload', uploadChunks(incoming.body!, 5_000), 1e9)
      return new Response(String(bytes))
    },
  })
})
afterAll(() => server.close())

/** Sends a body in pieces of these sizes, with its length or chunked; returns the answer. */
function send(body: Buffer, sizes: readonly number[], isChunked: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = isChunked ? {} : { 'content-length': body.length }
    const options = { host: '127.0.0.1', port: server.port, method: 'POST', headers }
    const sent = request(options, async (answer) => {
      let text = ''
      for await (const chunk of answer) text += chunk
      resolve(text)
    })
    sent.on('error', reject)
    let at = 0
    for (const size of sizes) {
      sent.write(body.subarray(at, at + size))
      at += size
    }
    sent.end()
  })
}

test('an upload is stored byte by byte, whatever its chunks', async () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 300_000 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(size, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (sizes, isChunked) => {
        const length = sizes.reduce((sum, one) => sum + one, 0)
        const body = Buffer.from(Uint8Array.from({ length }, (_, at) => (at * 7919) >> 3))
        expect(await send(body, sizes, isChunked)).toBe(String(length))
        expect((await readFile(join(folder, 'upload'))).equals(body)).toBe(true)
      },
    ),
    { numRuns: 40 },
  )
})

test('a chunk’s own memory is released with the next chunk, shared memory is not', async () => {
  const own = new Uint8Array(1_000)
  const shared = new Uint8Array(1_000)
  const body = ReadableStream.from([own, shared.subarray(10, 20), new Uint8Array(1)])
  const seen: number[] = []
  for await (const chunk of uploadChunks(body, 5_000)) seen.push(chunk.byteLength, own.byteLength)
  expect(seen).toEqual([1_000, 1_000, 10, 0, 1, 0])
  expect(shared.byteLength).toBe(1_000)
})
