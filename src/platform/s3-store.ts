import { randomUUID } from 'node:crypto'
import type { AWSHeaders, S3mini } from 's3mini'
import { limits } from '../limits.ts'
import { bounded, checkFileName, type FileStore } from './file-store.ts'
import { once } from './once.ts'
import { codeOf, createS3Call, type S3Call, type S3Settings, statusOf } from './s3-calls.ts'
import { streamFrom } from './s3-read.ts'

/** Bytes of a part; 10,000 of them are the most that a store takes. */
const PART = 8 * 1024 * 1024
/** Most files are small, so the memory for a part starts here and doubles. */
const FIRST_BYTES = 256 * 1024
/** Milliseconds for a part, or for the wait on one. */
const TRANSFER_MS = 60_000
const TYPE = 'application/octet-stream'

/** Stores files as objects of an S3-compatible bucket under one prefix. */
export function createS3Store(settings: S3Settings): FileStore {
  const call = createS3Call(settings)
  const keyOf = (name: string) => (settings.prefix ? `${settings.prefix}/${name}` : name)
  const fileKey = (name: string) => {
    checkFileName(name)
    return keyOf(name)
  }
  return {
    id: once(() => identity(call, keyOf('.id'))),
    write: async (name, body, limit) => write(call, fileKey(name), bounded(body, limit)),
    read: async (name, start = 0) => streamFrom(call, fileKey(name), start),
    async remove(name) {
      const key = fileKey(name)
      await call(limits.requestMs, (client) => client.deleteObject(key).catch(missing))
      await abortUploads(call, key)
    },
  }
}

/** The text of one small object, created by the first instance. */
async function identity(call: S3Call, key: string): Promise<string> {
  const read = () => call(limits.requestMs, (client) => client.getObject(key))
  const found = await read()
  if (found) return found
  // Where a store does not support the condition, the last of concurrent writers wins.
  const first = { 'if-none-match': '*' } as AWSHeaders
  await call(limits.requestMs, (client) =>
    client.putObject(key, randomUUID(), 'text/plain', undefined, first).catch(taken),
  )
  return (await read())!
}

async function write(call: S3Call, key: string, body: AsyncIterable<Uint8Array>) {
  const parts = partsOf(body, PART)
  try {
    return await writeObject(call, key, parts)
  } finally {
    // Tells the sender that reading has ended.
    await parts.return(undefined)
  }
}

/** Writes one object: in one request when it fits a part, else in parts one after the other. */
async function writeObject(
  call: S3Call,
  key: string,
  parts: AsyncGenerator<ObjectPart, undefined>,
) {
  const { bytes: first, isLast } = (await parts.next()).value!
  if (isLast) {
    await call(TRANSFER_MS, (client) => client.putObject(key, first, TYPE))
    return { bytes: first.length }
  }
  const upload = await call(TRANSFER_MS, (client) => client.getMultipartUploadId(key, TYPE))
  try {
    return { bytes: await writeParts(call, { key, upload }, first, parts) }
  } catch (error) {
    await call(limits.requestMs, (client) => abort(client, key, upload)).catch(() => undefined)
    throw error
  }
}

async function writeParts(
  call: S3Call,
  { key, upload }: { key: string; upload: string },
  first: Buffer,
  rest: AsyncIterable<ObjectPart>,
): Promise<number> {
  const done: { partNumber: number; etag: string }[] = []
  let bytes = 0
  const send = async (part: Buffer) => {
    const number = done.length + 1
    done.push(await call(TRANSFER_MS, (client) => client.uploadPart(key, upload, part, number)))
    bytes += part.length
  }
  await send(first)
  for await (const part of rest) await send(part.bytes)
  await call(TRANSFER_MS, async (client) => {
    // A store may answer 200 with an error in the body, and an answer may have been lost.
    const answer = await client
      .completeMultipartUpload(key, upload, done)
      .catch((error: unknown) => {
        if (codeOf(error) !== 'NoSuchUpload') throw error
      })
    if (!answer?.etag && (await client.getContentLength(key)) !== bytes) {
      throw new Error('The parts were not joined.')
    }
  })
  return bytes
}

interface ObjectPart {
  readonly bytes: Buffer
  readonly isLast: boolean
}

/**
 * Cuts a body into parts of `size` bytes, the last one shorter; yields at least one. Each part
 * reuses the memory of the previous one.
 */
async function* partsOf(
  body: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<ObjectPart, undefined> {
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  let length = 0
  for await (const chunk of body) {
    for (let at = 0; at < chunk.byteLength; ) {
      if (length === size) {
        yield { bytes, isLast: false }
        length = 0
      }
      if (length === bytes.length) bytes = enlarged(bytes)
      const piece = chunk.subarray(at, at + bytes.length - length)
      bytes.set(piece, length)
      length += piece.byteLength
      at += piece.byteLength
    }
  }
  yield { bytes: bytes.subarray(0, length), isLast: true }
}

function enlarged(bytes: Buffer): Buffer<ArrayBuffer> {
  const larger = Buffer.allocUnsafeSlow(2 * bytes.length)
  larger.set(bytes)
  return larger
}

/** Aborts uploads that a dead process left, where the store can list them. */
async function abortUploads(call: S3Call, key: string): Promise<void> {
  const begun = await call(limits.requestMs, async (client) =>
    uploadsIn(
      await client.listMultipartUploads('/', '', 'GET', { prefix: key }).catch(notImplemented),
    ),
  )
  for (const { uploadId } of begun.filter((upload) => upload.key === key)) {
    await call(limits.requestMs, (client) => abort(client, key, uploadId))
  }
}

/** The uploads in a ListMultipartUploadsResult, whose parsed form depends on their number. */
export function uploadsIn(answer: unknown) {
  const { ListMultipartUploadsResult: result = answer } = answer as Record<string, unknown>
  const { Upload: upload, upload: other = upload } = (result ?? {}) as Record<string, unknown>
  const list = Array.isArray(other) ? other : other ? [other] : []
  return list.map((one: Record<string, unknown>) => ({
    key: String(one.Key ?? one.key),
    uploadId: String(one.UploadId ?? one.uploadId),
  }))
}

const abort = (client: S3mini, key: string, upload: string) =>
  client.abortMultipartUpload(key, upload).catch(missing)

function notImplemented(error: unknown): Record<string, never> {
  if (statusOf(error) !== 501) throw error
  return {}
}

/** A missing object or upload needs no removal; a missing bucket is an outage. */
function missing(error: unknown): void {
  if (statusOf(error) !== 404 || codeOf(error) === 'NoSuchBucket') throw error
}

function taken(error: unknown): void {
  if (statusOf(error) !== 412 && statusOf(error) !== 409) throw error
}
