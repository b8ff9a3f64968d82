import { zValidator } from '@hono/zod-validator'
import type { Hono, Context as HonoContext, MiddlewareHandler } from 'hono'
import type { z } from 'zod'
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
import { checkText } from '../platform/input-checks.ts'
import { problemText, shownName } from '../platform/validation-problem.ts'
import { admissionMiddleware, ownerOf, timeLeft } from './admit.ts'
import { type BodyBounds, jsonBody, readBody } from './body.ts'
import { checkAddressedKey, checkCaller, credentialsOf } from './caller.ts'
import { encoded } from './compression.ts'
import { corsHeaders, openCors } from './cors.ts'
import { failureResponse } from './failure.ts'
import { toJson } from './json.ts'
import type { RequestKeys } from './request-keys.ts'
import { hitsOf, observed } from './request-log.ts'
import { answerHeaders, mediaType, namesNone, revisionOf } from './revision.ts'
import { allowedBy, type Route } from './routes.ts'
import { refuseUnknownFields, refuseUnknownParameters } from './unknown-fields.ts'

export interface MountOptions {
  readonly services: Services
  readonly authenticate: Authenticate
  readonly keys: RequestKeys
  /** Compare every answer with its declared schema; for tests, since it costs time. */
  readonly checkAnswers: boolean
}

/** Registers one route: caller, body, a place, validation, the verb, its answer. */
export function mount(app: Hono, route: Route, options: MountOptions): void {
  const { binding } = route
  const guards: MiddlewareHandler[] = [refuseUnknownParameters(binding, options.keys)]
  if (binding.param) guards.push(texts('param'), validator('param', binding.param))
  if (binding.query) guards.push(texts('query'), validator('query', binding.query))
  const isGuarded = route.operation.access !== 'public'
  const json = binding.body === 'stream' ? undefined : binding.body
  if (json) {
    if (binding.bodyBytes) guards.push(uploading)
    guards.push(readBody(bodyBoundsFor(route)))
  }
  // An upload lasts as long as its sender likes, and is counted where it is taken.
  if (isGuarded && binding.body !== 'stream') guards.push(admissionMiddleware(route.operation))
  if (json) {
    guards.push(
      jsonBody(binding.bodyOptional ?? false),
      refuseUnknownFields(json),
      validator('json', json),
    )
  }
  app.on(
    route.method,
    route.path,
    observed(route, options.services),
    answering(route, options),
    ...guards,
    (c) => run(c, route, options),
  )
}

/** Of an operation that needs no key everybody may send bodies. */
const bodyBoundsFor = ({ operation: { access }, binding: { bodyBytes } }: Route): BodyBounds =>
  access === 'public'
    ? { bytes: limits.openBodyBytes, values: limits.openBodyValues }
    : { bytes: bodyBytes ?? limits.bodyBytes, values: limits.jsonValues }

declare module 'hono' {
  interface ContextVariableMap {
    call: PublicContext & Record<string, unknown>
    cors: Record<string, string>
    /** Milliseconds that the caller and a place were looked for; the body's arrival does not count. */
    checkedMs: number
    /** The body of a request that sends JSON. */
    sentBytes: Buffer
  }
}

/** Settles who calls before the body is looked at, and turns every failure into an answer. */
function answering(
  route: Route,
  { services, authenticate, keys }: MountOptions,
): MiddlewareHandler {
  const { operation } = route
  const revision = revisionOfRoute(route)
  return async (c, next) => {
    const started = performance.now()
    const signal = AbortSignal.timeout(limits.requestMs)
    const trace = c.get('trace')
    const { requestId } = trace
    const added: Record<string, string> = {}
    const header = (name: string, value: string) => {
      added[name] = value
    }
    const sender = { address: c.env?.client, agent: c.req.header('user-agent') }
    const call: PublicContext = { ...services, requestId, signal, header, sender }
    c.set('cors', {})
    try {
      if (route.binding.noHead && c.req.raw.method === 'HEAD') {
        throw new MethodNotAllowed(allowedBy(route))
      }
      const isAssumed = revision !== undefined && namesNone(c.req.raw.headers)
      if (operation.access === 'public' && isAssumed) revisionOf(c.req.raw.headers)
      if (operation.access === 'public') c.set('call', call as never)
      else {
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
        checkCaller(operation, callersCall)
        c.set('call', callersCall as never)
        services.requests.check(ownerOf(callersCall))
      }
      c.set('checkedMs', performance.now() - started)
      await next()
      if (c.error) throw c.error
    } catch (thrown) {
      const error = deadlineFailure(failureOf(c.req.raw, thrown))
      c.res = failureResponse(error, { log: services.log, revision, requestId, operation })
    }
    const own = c.res.headers.get('cache-control')
    const kept = own === null ? {} : { 'cache-control': own }
    const headers = { ...answerHeaders(revision, requestId), ...kept, ...c.get('cors'), ...added }
    for (const [name, value] of Object.entries(headers)) {
      c.header(name, value, { append: name === 'vary' })
    }
  }
}

/** A client that went away is no failure of ours; nobody reads the answer. */
const failureOf = ({ signal }: Request, thrown: unknown): unknown =>
  signal.aborted && thrown === signal.reason
    ? new Invalid('The connection ended before the answer.')
    : thrown

const revisionOfRoute = ({ revision }: Route) => (revision === 'any' ? undefined : revision)

async function run(c: HonoContext, route: Route, { checkAnswers }: MountOptions) {
  const { binding, operation } = route
  const valid = (target: 'param' | 'query' | 'json') => c.req.valid(target as never) as object
  const ifMatch = c.req.header('if-match')
  const ifNoneMatch = c.req.header('if-none-match')
  const idempotencyKey = c.req.header('idempotency-key')
  const contentType = c.req.header('content-type')
  const input = {
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
    ...(ifMatch === undefined ? {} : { ifMatch: ifMatch.replace(/^"(.*)"$/, '$1') }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(binding.param ? valid('param') : {}),
    ...(binding.query ? valid('query') : {}),
    ...(binding.readsHeaders ? { headers: c.req.raw.headers } : {}),
    ...(binding.body === 'stream' ? { body: c.req.raw.body } : {}),
    ...(binding.body && binding.body !== 'stream'
      ? { body: valid('json'), sent: await c.req.json() }
      : {}),
  }
  const handle = operation.handle as (input: object, ctx: unknown) => unknown
  const signal = AbortSignal.timeout(operation.ms ?? timeLeft(c))
  const output = await handle(input, { ...c.get('call'), signal })
  if (output === NOT_MODIFIED) return c.body(null, 304)
  c.get('trace').hits = hitsOf(output)
  if (binding.answer === 'text') return c.text(String(output))
  if (binding.csv && (input as { format?: string }).format === 'csv') {
    return c.body(binding.csv(output as never), 200, { 'content-type': 'text/csv; charset=utf-8' })
  }
  if (binding.answer === 'bytes') return bytesAnswer(output as BinaryAnswer, c.req.raw.method)
  const body = (binding.encode as (output: unknown) => unknown)(output)
  if (checkAnswers) checkAnswer(binding.answer, body, operation.name)
  const answer = await encoded(await toJson(body), c.req.header('accept-encoding'))
  return c.body(answer.body as string, 200, {
    'content-type': mediaType(revisionOfRoute(route)),
    ...answer.headers,
  })
}

/** HEAD is answered without the body, which nobody would read or close. */
async function bytesAnswer(answer: BinaryAnswer, method: string) {
  const { status = 200, type, length, body, headers } = answer
  if (method === 'HEAD') await body.cancel()
  return new Response(method === 'HEAD' ? null : body, {
    status,
    headers: {
      'content-type': type,
      ...(length === null ? {} : { 'content-length': String(length) }),
      ...headers,
    },
  })
}

function checkAnswer(schema: z.ZodType, body: unknown, name: string): void {
  const checked = schema.safeParse(JSON.parse(JSON.stringify(body)))
  if (!checked.success) {
    throw new Error(`${name} answers another shape: ${problemText(checked.error, 'answer')}`)
  }
}

/** Before a large body is read, since what has arrived of it is held in memory. */
const uploading: MiddlewareHandler = (c, next) => {
  const { uploads, organization } = c.get('call') as unknown as Context
  return uploads.run(organization.id, next)
}

function texts(target: 'param' | 'query'): MiddlewareHandler {
  return async (c, next) => {
    const values = target === 'param' ? c.req.param() : c.req.queries()
    for (const [name, value] of Object.entries(values)) {
      for (const text of [value].flat()) checkText(text as string, shownName(name))
    }
    await next()
  }
}

function validator(target: 'param' | 'query' | 'json', schema: z.ZodType): MiddlewareHandler {
  return zValidator(target, schema, (result) => {
    if (!result.success) {
      throw new Invalid(
        problemText(result.error as z.ZodError, target === 'json' ? 'body' : 'request'),
      )
    }
  }) as unknown as MiddlewareHandler
}
