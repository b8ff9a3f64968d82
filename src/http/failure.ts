import { Failure, MethodNotAllowed, publicError } from '../errors.ts'
import type { Operation, Revision } from '../operation.ts'
import type { Log } from '../platform/log.ts'
import { failed } from '../shapes.ts'
import { type Answer, responseOf } from './answer.ts'
import { mediaType } from './revision.ts'

interface FailureContext {
  readonly log: Log
  readonly revision: Revision | undefined
  readonly requestId: string
  /** The operation that failed, where one was found. */
  readonly operation?: Pick<Operation, 'name' | 'failure'>
}

/** The answer to a failure. Failures of the service itself are logged. */
export function failureAnswer(
  error: unknown,
  { log, revision, requestId, operation }: FailureContext,
): Answer {
  const { status, message } = publicError(error)
  if (status >= 500)
    log.error({ err: error, requestId, operation: operation?.name }, 'request failed')
  const body = operation?.failure === 'text' && status === 404 ? message : failed(message)
  const headers = { 'content-type': mediaType(revision), ...headersOf(error) }
  return { status, headers, body: JSON.stringify(body) }
}

/** The response to a failure outside of an operation, with CORS headers. */
export const failureResponse = (
  error: unknown,
  context: FailureContext,
  cors: Readonly<Record<string, string>>,
): Response => responseOf(failureAnswer(error, context), context, cors)

function headersOf(error: unknown): Record<string, string> {
  if (error instanceof MethodNotAllowed) return { allow: error.allow.join(', ') }
  if (error instanceof Failure && 'retryAfter' in error) {
    return { 'retry-after': String(error.retryAfter) }
  }
  if (error instanceof Failure && error.code === 'unauthenticated') {
    return { 'www-authenticate': 'Bearer' }
  }
  return {}
}
