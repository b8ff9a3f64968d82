import { setImmediate } from 'node:timers/promises'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { Failure, Invalid, TooLarge, UnsupportedMediaType } from '../errors.ts'
import { limits } from '../limits.ts'
import { createAdmission, type Leave } from '../platform/admission.ts'
import { checkShape, checkValue } from '../platform/input-checks.ts'
import { callOf, ownerOf } from './admit.ts'

/** Milliseconds in which a JSON body must have arrived. */
const BODY_MS = 10_000
const PLAIN = /^(?:identity)?$/i
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i

/** Told before they are kept how many bytes have come. */
type ByteHold = (bytes: number) => Promise<void>

async function bytesOf(
  body: ReadableStream<Uint8Array>,
  limit: number,
  hold: ByteHold,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = body.getReader()
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    reader.cancel().catch(() => undefined)
  }, BODY_MS)
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > limit) throw tooLarge(limit)
      await hold(size)
      chunks.push(part.value)
    }
  } catch (error) {
    // A sender that goes away is no fault of the service, and reads no answer.
    throw error instanceof Failure ? error : new Invalid('body: cut off')
  } finally {
    clearTimeout(late)
  }
  if (isLate) throw new Invalid(`body: not all of it came within ${BODY_MS / 1000} s`)
  return Buffer.concat(chunks)
}

const tooLarge = (limit: number) => new TooLarge(`The body is larger than ${limit} bytes.`)

function parse(bytes: Buffer): unknown {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Invalid('body: not valid UTF-8')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message.slice(0, 100) : 'unreadable'
    throw new Invalid(`body: not valid JSON (${reason.replace(/[^\x20-\x7e]/g, '?')})`)
  }
}

function read(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  checkShape(bytes)
  const value = parse(bytes)
  checkValue(value)
  return value
}

/** The event loop is the process's: between two steps of a large body it does what else there is. */
const largeBodies = createAdmission({ capacity: 1, waiting: Infinity, what: 'large bodies' })

const readInTurn = (c: HonoContext, bytes: Buffer): Promise<unknown> =>
  largeBodies.run(
    'process',
    async () => {
      await setImmediate()
      checkShape(bytes)
      await setImmediate()
      const value = parse(bytes)
      await setImmediate()
      checkValue(value)
      await setImmediate()
      return value
    },
    { signal: c.req.raw.signal },
  )

/**
 * Reads the bytes of a JSON body, bounded: its own, and all that are held for the organization and
 * by the instance until their requests are answered. A large one waits for its turn unread; one of
 * unknown length counts as the largest. Throws TooLarge, TooManyRequests.
 */
export function readBody(bodyBytes: number): MiddlewareHandler {
  return async (c, next) => {
    const declared = Number(c.req.header('content-length') ?? 0)
    if (declared > bodyBytes) throw tooLarge(bodyBytes)
    const call = callOf(c)
    const cost = declared || bodyBytes
    const { signal } = c.req.raw
    let leave: Leave | undefined
    const hold: ByteHold = async (bytes) => {
      if (leave || bytes <= limits.smallBodyBytes || !call.caller) return
      leave = await call.bodies.enter(ownerOf(call), { cost, signal })
    }
    try {
      await hold(declared)
      const stream = c.req.raw.body
      c.set('sentBytes', stream ? await bytesOf(stream, bodyBytes, hold) : Buffer.alloc(0))
      await next()
    } finally {
      leave?.()
    }
  }
}

/**
 * Parses the JSON body once, before the validator looks: a wrong content type is refused
 * (the validator would drop the body silently), malformed JSON and hostile values are 400.
 */
export function jsonBody(bodyOptional: boolean): MiddlewareHandler {
  return async (c, next) => {
    const bytes = c.get('sentBytes')
    const type = c.req.header('content-type')
    if (bytes.length > 0 && !JSON_TYPE.test(type ?? '')) {
      throw new UnsupportedMediaType('Send the body as application/json.')
    }
    if (!PLAIN.test(c.req.header('content-encoding') ?? '')) {
      throw new UnsupportedMediaType('Send the body without Content-Encoding.')
    }
    if (bytes.length === 0 && !bodyOptional) throw new Invalid('body: required')
    const value = bytes.length <= limits.smallBodyBytes ? read(bytes) : await readInTurn(c, bytes)
    // The validator gets what was parsed here: Hono's cache would turn it into text again, in which
    // 1e309 is null. It also asks for a JSON content type, which an absent body does not have.
    c.req.json = async () => value as never
    if (bytes.length === 0) c.req.raw.headers.set('content-type', 'application/json')
    await next()
  }
}
