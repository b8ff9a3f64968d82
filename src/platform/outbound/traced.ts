import { requestTrace } from '../request-trace.ts'
import type { Tracing } from '../tracing.ts'
import { OutboundFailure } from './failure.ts'
import type { OutboundAnswer, OutboundRequest } from './request.ts'

/**
 * Runs a call as a span of the request that is answered, and of a task where it is to an extension.
 * One to an extension outside of both begins a trace of its own; extensions alone are told of it.
 */
export async function traced<Body>(
  tracing: Tracing | undefined,
  request: OutboundRequest,
  run: (request: OutboundRequest) => Promise<OutboundAnswer<Body>>,
): Promise<OutboundAnswer<Body>> {
  const { span: parent, isTask } = requestTrace.getStore() ?? {}
  const { extension, call, organization } = request.about ?? {}
  if (!tracing || !((parent && !isTask) || extension)) return run(request)
  const { method = 'GET', url, headers } = request
  const name = extension ? `extension ${call ?? method}` : method
  const facts = {
    'http.request.method': method,
    // Of an address the host alone: the rest may hold a credential.
    'server.address': URL.parse(url)?.hostname,
    'aisle.extension': extension,
    'aisle.organization': organization,
  }
  const span = tracing.call(name, facts, parent)
  try {
    const answer = await run(
      extension ? { ...request, headers: { ...headers, ...span.headers } } : request,
    )
    span.end({ 'http.response.status_code': answer.status }, answer.status >= 400)
    return answer
  } catch (error) {
    span.end({ 'error.type': error instanceof OutboundFailure ? error.kind : 'aborted' }, true)
    throw error
  }
}
