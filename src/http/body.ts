import { setImmediate } from 'node:timers/promises'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { Failure, Invalid, TooLarge, UnsupportedMediaType } from '../errors.ts'
import { limits } from '../limits.ts'
import type { CallerContext } from '../operation.ts'
import { createAdmission, type Leave } from '../platform/admission.ts'
import { chargeCpuTime } from '../platform/charge-cpu-time.ts'
import { withDeadline } from '../platform/deadline.ts'
import { inSteps } from '../platform/in-steps.ts'
import { checkingValue, checkValue, createShapeCheck, JSON_TYPE } from '../platform/input-checks.ts'
import { parsingJson } from '../platform/parse-json-in-steps.ts'
import { currentOwner } from '../platform/request-trace.ts'
import type { Steps } from '../platform/steps.ts'
import { callOf, placesForRequest, requestOwner } from './admission-middleware.ts'

/** Milliseconds in which a JSON body must have arrived. */
const BODY_MS = 10_000
const PLAIN = /^(?:identity)?$/i

/** Bytes and values that a JSON body may have. */
export interface BodyBounds {
  readonly bytes: number
  readonly values: number
}

interface ArrivingBody {
  readonly most: number
  /** Called with the number of bytes received, before they are kept. */
  hold(bytes: number): Promise<void>
  /** Throws for a chunk that makes the body unacceptable. */
  check?: ((piece: Uint8Array) => void) | undefined
  /** Whether a refused body is read to its end. */
  readonly readsOn: boolean
}

/** Reads a small body at once. Node passes on no more bytes than were declared. */
async function smallBody(request: Request, check?: (piece: Uint8Array) => void): Promise<Buffer> {
  const whole = request.arrayBuffer().catch(() => {
    throw new Invalid('body: cut off')
  })
  const bytes = Buffer.from(await withDeadline(whole, BODY_MS, tooLate))
  check?.(bytes)
  return bytes
}

async function bytesOf(
  body: ReadableStream<Uint8Array>,
  { most, hold, check, readsOn }: ArrivingBody,
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let refusal: unknown
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
      if (size > most) throw tooLarge(most)
      await hold(size)
      if (refusal !== undefined) continue
      try {
        if (check) chargeCpuTime(() => check(part.value))
        chunks.push(part.value)
      } catch (error) {
        // The rest is read as well, since a client that is busy sending would miss the answer.
        if (!readsOn) throw error
        refusal = error
        chunks.length = 0
      }
    }
  } catch (error) {
    // A client that disconnects is not a failure of the service, and reads no answer.
    throw error instanceof Failure ? error : new Invalid('body: cut off')
  } finally {
    clearTimeout(late)
  }
  if (refusal !== undefined) throw refusal
  if (isLate) throw tooLate()
  return Buffer.concat(chunks)
}

const tooLate = () => new Invalid(`body: not received completely within ${BODY_MS / 1000} s`)

const tooLarge = (limit: number) => new TooLarge(`The body is larger than ${limit} bytes.`)

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Invalid('body: not valid UTF-8')
  }
}

function notJson(error: unknown): Invalid {
  const reason = error instanceof SyntaxError ? error.message.slice(0, 100) : 'unreadable'
  return new Invalid(`body: not valid JSON (${reason.replace(/[^\x20-\x7e]/g, '?')})`)
}

function read(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  const text = textOf(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw notJson(error)
  }
  checkValue(value)
  return value
}

/** Reads a large body in steps. */
function* reading(bytes: Buffer): Steps<unknown> {
  const text = textOf(bytes)
  yield
  let value: unknown
  try {
    value = yield* parsingJson(text)
  } catch (error) {
    throw notJson(error)
  }
  yield* checkingValue(value)
  return value
}

/**
 * Large bodies are parsed one at a time, in turn by owner, and the event loop does other work
 * between two steps.
 */
const largeBodies = createAdmission({ capacity: 1, waiting: Infinity, what: 'large bodies' })

const readInTurn = (c: HonoContext, bytes: Buffer): Promise<unknown> =>
  largeBodies.run(
    // Nobody is known as the caller of an operation without access checks.
    currentOwner(),
    async () => {
      await setImmediate()
      const value = await inSteps(reading(bytes))
      await setImmediate()
      return value
    },
    { signal: c.req.raw.signal },
  )

/**
 * Reads the bytes of a JSON body, within its own bounds and that of all bodies held. A large one
 * waits for its turn unread, and one of unknown length counts as the largest. A body that nests too
 * deep or has too many values is not kept. Throws TooLarge, Invalid, TooManyRequests.
 */
export function readBody({ bytes: most, values }: BodyBounds): MiddlewareHandler {
  return async (c, next) => {
    const declared = Number(c.req.header('content-length') ?? 0)
    const call = callOf(c)
    if (declared > most) {
      if (call.caller) await restFor(call, declared)
      throw tooLarge(most)
    }
    const cost = declared || most
    let leave: Leave | undefined
    const hold = async (bytes: number) => {
      if (leave || bytes <= limits.smallBodyBytes || !call.caller) return
      const { signal } = c.req.raw
      leave = await call.bodies.enter(requestOwner(call), { cost, signal })
    }
    const check = isJson(c) && !isPacked(c) ? createShapeCheck('body', values) : undefined
    const readLarge = async (): Promise<Buffer> => {
      await hold(declared)
      const stream = c.req.raw.body
      if (!stream) return Buffer.alloc(0)
      const readsOn = call.caller !== undefined
      return bytesOf(stream, { most, hold, check, readsOn }).catch(async (error) => {
        if (leave) await restFor(call, cost)
        throw error
      })
    }
    try {
      const isSmall = declared > 0 && declared <= limits.smallBodyBytes
      c.set('sentBytes', await (isSmall ? smallBody(c.req.raw, check) : readLarge()))
      await next()
    } finally {
      leave?.()
    }
  }
}

/** Charges a refused large body with its places and a rest, since reading it took time as well. */
async function restFor(call: CallerContext, bytes: number): Promise<void> {
  const leavePlace = await call.requests.enter(requestOwner(call), {
    cost: placesForRequest(1, bytes),
  })
  leavePlace(limits.restMs)
}

const isJson = (c: HonoContext): boolean => JSON_TYPE.test(c.req.header('content-type') ?? '')
const isPacked = (c: HonoContext): boolean => !PLAIN.test(c.req.header('content-encoding') ?? '')

/**
 * Parses the JSON of a body, once, before it is validated. Throws Invalid, and UnsupportedMediaType
 * for another type, which the validator would take for an empty body.
 */
export function parseBody(bodyOptional: boolean): MiddlewareHandler {
  return async (c, next) => {
    const bytes = c.get('sentBytes')
    if (bytes.length > 0 && !isJson(c)) {
      throw new UnsupportedMediaType('Send the body as application/json.')
    }
    if (isPacked(c)) {
      throw new UnsupportedMediaType('Send the body without Content-Encoding.')
    }
    if (bytes.length === 0 && !bodyOptional) throw new Invalid('body: required')
    const value = bytes.length <= limits.smallBodyBytes ? read(bytes) : await readInTurn(c, bytes)
    // The validator gets the value parsed here. Hono's cache would turn it into text again, in
    // which 1e309 is null. The validator also requires a JSON content type, which an absent body
    // lacks.
    c.req.json = async () => value as never
    if (bytes.length === 0) c.req.raw.headers.set('content-type', 'application/json')
    await next()
  }
}
