import type { Hono, Context as HonoContext, MiddlewareHandler } from 'hono'
import type { Authenticate, Authentication } from '../authentication.ts'
import { deadlineFailure, Invalid, MethodNotAllowed } from '../errors.ts'
import { limits } from '../limits.ts'
import {
  type BinaryAnswer,
  type Context,
  NOT_MODIFIED,
  type PublicContext,
  type Services,
} from '../operation.ts'
import { timeLimit } from '../platform/deadline.ts'
import { defined } from '../platform/defined.ts'
import { loadOwner, ownerPath } from '../platform/load-owner.ts'
import { checkAddressedKey, checkCaller, credentialsOf } from './access-checks.ts'
import { ALIVE_PATH } from './address-rate-limit.ts'
import { admissionMiddleware, requestOwner, timeLeft } from './admission-middleware.ts'
import { type Answer, bytesAnswer, checkAnswer, responseOf } from './answer.ts'
import { type BodyBounds, parseBody, readBody } from './body.ts'
import { encoded, PACKABLE } from './compression.ts'
import { corsHeaders, openCors } from './cors.ts'
import { failureAnswer } from './failure.ts'
import { toJson } from './json.ts'
import { addressChecks, bodyChecks } from './request-input.ts'
import type { RequestKeys } from './request-keys.ts'
import { hitsOf, observed } from './request-log.ts'
import { inTurns, senderOf, type TakeTurn } from './request-turns.ts'
import { mediaType, namesNoRevision, revisionOf } from './revision.ts'
import { methodsOf, type Route } from './routes.ts'

export interface MountOptions {
  readonly services: Services
  readonly authenticate: Authenticate
  readonly chargeAddress: (address: string, requests: number) => void
  readonly keys: RequestKeys
  readonly takeTurn: TakeTurn
  /** Compare every answer with its declared schema; for tests, since it costs time. */
  readonly checkAnswers: boolean
}

/** Registers one route: caller, address, body, place, validation, handler, answer. */
export function mount(app: Hono, route: Route, options: MountOptions): void {
  const { operation, binding } = route
  const handlers: MiddlewareHandler[] = [
    observed(route, options.services),
    answering(route, options),
    ...addressChecks(binding, options.keys),
  ]
  const json = binding.body === 'stream' ? undefined : binding.body
  if (json) {
    if (binding.bodyBytes && binding.bodyBytes > limits.bodyBytes) handlers.push(uploading)
    handlers.push(readBody(bodyBoundsFor(route)))
  }
  // An upload lasts as long as its sender likes, so the operation that receives it counts it.
  if (operation.access !== 'public' && binding.body !== 'stream') {
    handlers.push(admissionMiddleware(operation))
  }
  if (json) handlers.push(parseBody(binding.bodyOptional ?? false), ...bodyChecks(json))
  app.on(route.method, [route.path], ...handlers, running(route, options))
}

/** Anybody may send bodies to an operation that needs no key, so its bounds are lower. */
const bodyBoundsFor = ({
  operation: { access },
  binding: { bodyBytes = limits.bodyBytes, bodyValues = limits.jsonValues },
}: Route): BodyBounds =>
  access === 'public'
    ? { bytes: limits.openBodyBytes, values: limits.openBodyValues }
    : { bytes: bodyBytes, values: bodyValues }

declare module 'hono' {
  interface ContextVariableMap {
    call: PublicContext & Record<string, unknown>
    cors: Record<string, string>
    /** The answer of an operation that did not fail. */
    answer: Answer
    /**
     * Milliseconds spent on identifying the caller and on waiting for a place, without the body's
     * arrival.
     */
    checkedMs: number
    /** The body of a request that sends JSON. */
    sentBytes: Buffer
  }
}

/** Identifies the caller before the body is read, and turns every failure into an answer. */
function answering(
  route: Route,
  { services, authenticate, chargeAddress, keys, takeTurn }: MountOptions,
): MiddlewareHandler {
  const { operation } = route
  const revision = revisionOfRoute(route)
  return async (c, next) => {
    const started = performance.now()
    const limit = timeLimit(limits.requestMs)
    const trace = c.get('trace')
    const { requestId } = trace
    const added: Record<string, string> = {}
    const header = (name: string, value: string) => {
      added[name] = value
    }
    const sender = { address: c.env?.client, agent: c.req.header('user-agent') }
    const call: PublicContext = { ...services, requestId, signal: limit.signal, header, sender }
    let answer: Answer
    let turnOf: string | undefined
    c.set('cors', {})
    try {
      if (route.binding.noHead && c.req.raw.method === 'HEAD') {
        throw new MethodNotAllowed(methodsOf(route))
      }
      const isAssumed = revision !== undefined && namesNoRevision(c.req.raw.headers)
      if (operation.access === 'public' && isAssumed) revisionOf(c.req.raw.headers)
      if (operation.access === 'public') {
        turnOf = senderOf(c)
        if (route.path !== ALIVE_PATH) await takeTurn(turnOf)
        const { address } = sender
        const weigh = (requests: number) => chargeAddress(address, requests)
        c.set('call', { ...call, ...(address ? { weigh } : {}) } as never)
      } else {
        const needsOrganization =
          operation.access !== 'caller' && operation.access !== 'operatorOnly'
        const origin = c.req.header('origin')
        c.set('cors', openCors(origin))
        const onKey: Authentication['onKey'] = (key) => {
          c.set('cors', corsHeaders(key, origin))
          if (isAssumed && key.defaultVersion !== revision) revisionOf(c.req.raw.headers)
        }
        const who = await authenticate(call, credentialsOf(c, keys), { needsOrganization, onKey })
        trace.organization = who.organization?.id
        trace.keyId = who.caller.keyId
        checkAddressedKey(who.caller, keys.inAddress(c.req.raw))
        const callersCall = {
          ...call,
          ...(who.weigh ? { weigh: who.weigh } : {}),
          isAddressed: keys.isAddressed(c.req.raw),
          caller: who.caller,
          organization: who.organization,
        }
        const owner = requestOwner(callersCall)
        trace.owner = owner
        trace.charge = (ms) => services.requests.charge(owner, ms)
        turnOf = ownerPath(owner)[0]
        await takeTurn(turnOf)
        checkCaller(operation, callersCall)
        c.set('call', callersCall as never)
        services.requests.check(owner)
      }
      c.set('checkedMs', performance.now() - started)
      await next()
      if (c.error) throw c.error
      answer = c.get('answer')
    } catch (thrown) {
      // If the caller is not known yet, the error response takes a turn of the sender instead.
      if (turnOf === undefined) await takeTurn(senderOf(c))
      const error = deadlineFailure(failureOf(c.req.raw, thrown))
      answer = failureAnswer(error, { log: services.log, revision, requestId, operation })
    } finally {
      limit.end()
    }
    c.res = responseOf(answer, { revision, requestId }, { ...c.get('cors'), ...added })
  }
}

/** A client that disconnected is not a failure of ours, and nobody reads the answer. */
const failureOf = ({ signal }: Request, thrown: unknown): unknown =>
  signal.aborted && thrown === signal.reason
    ? new Invalid('The connection was closed before the response.')
    : thrown

const revisionOfRoute = ({ revision }: Route) => (revision === 'any' ? undefined : revision)

/** Runs the operation with the input of the request. */
function running(route: Route, options: MountOptions): MiddlewareHandler {
  const { binding, operation } = route
  const hasJson = binding.body !== undefined && binding.body !== 'stream'
  const handle = operation.handle as (input: object, ctx: unknown) => unknown
  return async (c) => {
    const valid = (target: 'param' | 'query' | 'json') => c.req.valid(target as never) as object
    const input = {
      ...headerFacts(c),
      ...(binding.param ? valid('param') : {}),
      ...(binding.query ? valid('query') : {}),
      ...(binding.readsHeaders ? { headers: c.req.raw.headers } : {}),
      ...(binding.body === 'stream' ? { body: c.req.raw.body } : {}),
      ...(hasJson ? { body: valid('json'), sent: await c.req.json() } : {}),
    }
    const limit = timeLimit(operation.ms ?? timeLeft(c))
    try {
      const output = await handle(input, { ...c.get('call'), signal: limit.signal })
      c.set('answer', await answerOf(c, { output, input }, route, options))
    } finally {
      // A streamed answer continues after this.
      if (binding.answer !== 'bytes') limit.end()
    }
  }
}

/** The facts that an operation reads from headers. */
const headerFacts = ({ req }: HonoContext): object =>
  defined({
    ifNoneMatch: req.header('if-none-match'),
    ifMatch: req.header('if-match')?.replace(/^"(.*)"$/, '$1'),
    idempotencyKey: req.header('idempotency-key'),
  })

async function answerOf(
  c: HonoContext,
  { output, input }: { output: unknown; input: object },
  route: Route,
  { checkAnswers, takeTurn }: MountOptions,
): Promise<Answer> {
  const { binding, operation } = route
  if (output === NOT_MODIFIED) return { status: 304, headers: PACKABLE, body: null }
  c.get('trace').hits = hitsOf(output)
  if (binding.answer === 'text') return textAnswer('text/plain; charset=UTF-8', String(output))
  if (binding.csv && (input as { format?: string }).format === 'csv') {
    return textAnswer('text/csv; charset=utf-8', binding.csv(output as never))
  }
  if (binding.answer === 'bytes') {
    const bytes = output as BinaryAnswer
    const isOpen = operation.access === 'public'
    const shown = isOpen ? { ...bytes, body: inTurns(bytes.body, takeTurn) } : bytes
    return bytesAnswer(shown, c.req.raw.method)
  }
  const shown = (binding.encode as (output: unknown) => unknown)(output)
  if (checkAnswers) checkAnswer(binding.answer, shown, operation.name)
  const { body, headers } = await encoded(await toJson(shown), c.req.header('accept-encoding'))
  const type = mediaType(revisionOfRoute(route))
  return { status: 200, headers: { 'content-type': type, ...headers }, body }
}

const textAnswer = (type: string, body: string): Answer => ({
  status: 200,
  headers: { 'content-type': type },
  body,
})

/** Takes a place before a large body is read, since what has arrived of it is held in memory. */
const uploading: MiddlewareHandler = async (c, next) => {
  const { uploads, organization } = c.get('call') as unknown as Context
  await uploads.run(loadOwner(organization), next)
}
