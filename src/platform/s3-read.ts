import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import { withDeadline } from './deadline.ts'
import type { FileContent } from './file-store.ts'
import { codeOf, type S3Call, statusOf } from './s3-calls.ts'

/** Maximum milliseconds without a byte within an object. */
const IDLE_MS = 30_000
/** Times that reading resumes after a break without any progress. */
const RESUMES = 3

const silent = () => new Error(`no data received for ${IDLE_MS} ms`)
const brokenOff = (cause: unknown) =>
  new Unavailable('The file storage closed the connection. Try again.', { retryAfter: 30, cause })

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Streams an object from `start`; undefined when there is none. Throws Unavailable. */
export async function streamFrom(
  call: S3Call,
  key: string,
  start: number,
): Promise<FileContent | undefined> {
  const response = await open(call, key, start)
  if (response === undefined) return undefined
  const first = readerOf(response)
  return { bytes: bytesIn(response, start), body: resuming(call, key, { first, start }) }
}

const readerOf = (response: Response | null): Reader | null => response?.body?.getReader() ?? null

/** Bytes of an object of which this is the response from `start` on; null at its end. */
function bytesIn(response: Response | null, start: number): number | null {
  const length = response === null ? '0' : response.headers.get('content-length')
  return length === null ? null : start + Number(length)
}

/** Opens an object at `start`: null at its end, undefined when there is no such object. */
async function open(
  call: S3Call,
  key: string,
  start: number,
): Promise<Response | null | undefined> {
  const response = await call(limits.requestMs, async (client) => {
    try {
      return await client.getObjectRaw(key, start === 0, start)
    } catch (error) {
      const status = statusOf(error)
      if (status === 404 && codeOf(error) !== 'NoSuchBucket') return undefined
      if (status === 416) return null
      throw error
    }
  })
  if (!response) return response
  if (start > 0 && response.status !== 206) {
    await response.body?.cancel().catch(() => undefined)
    throw new Unavailable('The file storage does not support ranges.')
  }
  return response
}

/**
 * A slow reader may find its connection closed. Reading then resumes at the same offset; stored
 * objects never change.
 */
function resuming(
  call: S3Call,
  key: string,
  { first, start }: { first: Reader | null; start: number },
): ReadableStream<Uint8Array> {
  let reader = first
  let at = start

  async function next(resumes: number): Promise<Uint8Array | undefined> {
    if (reader === null) return undefined
    try {
      const { done, value } = await withDeadline(reader.read(), IDLE_MS, silent)
      return done ? undefined : value
    } catch (error) {
      await reader.cancel().catch(() => undefined)
      const again = resumes > 0 ? await open(call, key, at) : undefined
      if (again === undefined) throw brokenOff(error)
      reader = readerOf(again)
      return next(resumes - 1)
    }
  }

  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        const chunk = await next(RESUMES)
        if (chunk === undefined) {
          controller.close()
          controller.byobRequest?.respond(0)
          return
        }
        at += chunk.byteLength
        controller.enqueue(chunk)
      },
      // Rejects when the store closed the connection meanwhile.
      cancel: () => reader?.cancel().catch(() => undefined),
    },
    { highWaterMark: 0 },
  )
}
