import { expect, test } from 'vitest'
import { storedFile } from '../../../src/formats/bytes/stored-bytes.ts'
import type { FileStore } from '../../../src/platform/file-store.ts'
import type { S3Call } from '../../../src/platform/s3-calls.ts'
import { streamFrom } from '../../../src/platform/s3-read.ts'

/** An object of which one piece arrives before the store closes the connection. */
function brokenObject() {
  const body = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>()
  const answer = new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('first'))
        body.resolve(controller)
      },
    }),
  )
  const call = (async () => answer) as unknown as S3Call
  return { call, breakOff: async () => (await body.promise).error(new TypeError('terminated')) }
}

test('an object whose connection was closed meanwhile can be left early', async () => {
  const { call, breakOff } = brokenObject()
  const reader = (await streamFrom(call, 'key', 0))!.body.getReader()
  expect((await reader.read()).value).toHaveLength(5)
  await breakOff()
  await expect(reader.cancel()).resolves.toBeUndefined()
})

test('so can a stored file whose stream cannot be cancelled', async () => {
  const body = new ReadableStream({
    type: 'bytes',
    start: (controller) => controller.enqueue(new TextEncoder().encode('first')),
    cancel: () => Promise.reject(new TypeError('terminated')),
  })
  const files = { read: async () => ({ bytes: 10, body }) } as unknown as FileStore
  const reading = storedFile(files, { id: 'file', bytes: 10 }).read()
  expect((await reading.next()).value).toHaveLength(5)
  await expect(reading.return(undefined)).resolves.toMatchObject({ done: true })
})
