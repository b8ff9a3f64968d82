import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type RequestTrace, requestTrace } from '../platform/request-trace.ts'
import type { OpenSpan, Tracing } from '../platform/tracing.ts'
import type { Elastic } from './client.ts'
import type { CallEnd, ElasticsearchCall } from './transport.ts'

const SEARCHING = new Set(['_search', '_msearch', '_count'])
/** Characters of a body in the log. */
const LOGGED_BODY = 20_000

export interface CallObservation {
  readonly elastic: Elastic
  readonly metrics: Metrics
  readonly log: Log
  /** Milliseconds after which a search is logged with its body; 0 logs none. */
  readonly slowSearchMs: number
  readonly tracing?: Tracing | undefined
}

/** Counts every call for the instance and its request. Returns a function that ends this. */
export function observeCalls(observation: CallObservation): () => void {
  const { elastic, metrics, tracing } = observation
  return elastic.observe((call) => {
    const trace = requestTrace.getStore()
    const parent = trace?.isTask ? undefined : trace?.span
    const span = parent && tracing?.call(call.api, factsOf(call), parent)
    return {
      headers: span?.headers,
      ended(end) {
        const { ms, status = 0, retries } = end
        metrics.elasticsearch.observe({ api: call.api, status: String(status) }, ms / 1_000)
        metrics.retries.inc({ api: call.api }, retries)
        if (trace) {
          trace.elasticsearchRequests += 1
          trace.elasticsearchMs += ms
          if (SEARCHING.has(call.api)) trace.searchMs += ms
        }
        if (span) endSpan(span, end)
        logSlowSearch(observation, call, ms, trace)
      },
    }
  })
}

function logSlowSearch(
  { metrics, log, slowSearchMs }: CallObservation,
  call: ElasticsearchCall,
  ms: number,
  trace: RequestTrace | undefined,
): void {
  if (slowSearchMs === 0 || ms < slowSearchMs || !SEARCHING.has(call.api)) return
  metrics.slowSearches.inc()
  const { requestId, operation, organization, keyId, span } = trace ?? {}
  const asker = { requestId, traceId: span?.traceId, operation, organization, keyId }
  // Repeated lines are counted by name, so that one tenant's do not hide another's.
  const name = `${call.path} of ${organization ?? 'nobody'}`
  log.warn({ name, ...asker, body: textOf(call), ms: Math.round(ms) }, 'slow search')
}

/**
 * The attributes of a span. Only the index is recorded of the path, since the rest may hold ids.
 */
const factsOf = ({ api, path }: ElasticsearchCall) => ({
  'db.system.name': 'elasticsearch',
  'db.operation.name': api,
  'db.collection.name': path.split('/').find((part) => part !== '' && !part.startsWith('_')),
})

/** A missing or changed document is an answer, not a failure. */
const endSpan = (span: OpenSpan, { status }: CallEnd) =>
  span.end(
    { 'db.response.status_code': status === undefined ? undefined : String(status) },
    status === undefined || status === 429 || status >= 500,
  )

const textOf = ({ body }: ElasticsearchCall): string =>
  (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, LOGGED_BODY)
