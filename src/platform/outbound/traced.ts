import { parseUrl } from '../parse-url.ts'
import { requestTrace } from '../request-trace.ts'
import type { Tracing } from '../tracing.ts'
import { OutboundFailure } from './failure.ts'
import type { OutboundAnswer, OutboundRequest } from './request.ts'

/**
 * Traces a call within a request, and calls to extensions also within a task or as a trace of their
 * own. Only extensions receive the trace headers.
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
    // Only the host is recorded: the rest of an address may hold a credential.
    'server.address': parseUrl(url)?.hostname,
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
