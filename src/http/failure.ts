import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { Failure, MethodNotAllowed, TooManyRequests, toldOf, Unavailable } from '../errors.ts'
import type { Operation, Revision } from '../operation.ts'
import type { Log } from '../platform/log.ts'
import { type ActionResponse, failed } from '../shapes.ts'
import { answerHeaders, mediaType } from './revision.ts'

interface FailureAnswer {
  readonly status: ContentfulStatusCode
  readonly headers: Record<string, string>
  readonly body: ActionResponse | string
}

/** The status, headers and body of a failure. */
function failureAnswer(error: unknown, style: 'action' | 'text'): FailureAnswer {
  const { status, message } = toldOf(error)
  return {
    status,
    headers: headersOf(error),
    body: style === 'text' && status === 404 ? message : failed(message),
  }
}

interface FailureContext {
  readonly log: Log
  readonly revision: Revision | undefined
  readonly requestId: string
  /** The operation that failed, where one was found. */
  readonly operation?: Pick<Operation, 'name' | 'failure'>
}

/** The whole answer to a failure; one that is not the caller's is logged. */
export function failureResponse(
  error: unknown,
  { log, revision, requestId, operation }: FailureContext,
): Response {
  const { status, body, headers } = failureAnswer(error, operation?.failure ?? 'action')
  if (status >= 500)
    log.error({ err: error, requestId, operation: operation?.name }, 'request failed')
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': mediaType(revision),
      ...answerHeaders(revision, requestId),
      ...headers,
    },
  })
}

function headersOf(error: unknown): Record<string, string> {
  if (error instanceof MethodNotAllowed) return { allow: error.allow.join(', ') }
  if (error instanceof TooManyRequests || error instanceof Unavailable) {
    return { 'retry-after': String(error.retryAfter) }
  }
  if (error instanceof Failure && error.code === 'unauthenticated') {
    return { 'www-authenticate': 'Bearer' }
  }
  return {}
}
