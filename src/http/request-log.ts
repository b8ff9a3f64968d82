import type { MiddlewareHandler } from 'hono'
import type { Services } from '../operation.ts'
import { newTrace, type RequestTrace, requestTrace } from '../platform/request-trace.ts'
import type { Route } from './routes.ts'

declare module 'hono' {
  interface ContextVariableMap {
    trace: RequestTrace
  }
}

/** The number of hits in the output of a search or count. */
export function hitsOf(output: unknown): number | undefined {
  const { total, count } = (output ?? {}) as { total?: unknown; count?: unknown }
  return [total, count].find((hits) => typeof hits === 'number') as number | undefined
}

/**
 * Counts each request of an operation, traces it, and logs it at level `info`: who asked what, how
 * it ended and how long it took. Never a credential, an address of a page or a body.
 */
export function observed(
  { operation, revision, method, path }: Route,
  { log, metrics, tracing }: Pick<Services, 'log' | 'metrics' | 'tracing'>,
): MiddlewareHandler {
  return (c, next) => {
    const requestId = crypto.randomUUID()
    const span = tracing?.request(operation.name, c.req.raw.headers, {
      'http.request.method': method,
      'http.route': path,
      'aisle.revision': revision,
      'aisle.request': requestId,
    })
    const trace = newTrace({ requestId, operation: operation.name, span })
    const began = performance.now()
    c.set('trace', trace)
    return requestTrace.run(trace, async () => {
      await next()
      const ms = performance.now() - began
      const { status } = c.res
      const labels = { operation: operation.name, revision, status: String(status) }
      metrics.requests.observe(labels, ms / 1_000)
      span?.end(
        {
          'http.response.status_code': status,
          'aisle.organization': trace.organization,
          'aisle.hits': trace.hits,
        },
        status >= 500,
      )
      if (!log.isLevelEnabled('info')) return
      const { span: _span, charge: _charge, searchMs: _searchMs, ...facts } = trace
      const elasticsearchMs = rounded(trace.elasticsearchMs)
      const traced = span ? { traceId: span.traceId } : {}
      log.info(
        { ...facts, ...traced, revision, status, ms: rounded(ms), elasticsearchMs },
        'request',
      )
    })
  }
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10
