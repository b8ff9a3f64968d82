import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { requestTrace } from '../platform/request-trace.ts'
import type { Elastic } from './client.ts'
import type { ElasticsearchCall } from './transport.ts'

const SEARCHING = new Set(['_search', '_msearch', '_count'])
/** Characters of a body in the log. */
const LOGGED_BODY = 20_000

export interface CallObservation {
  readonly elastic: Elastic
  readonly metrics: Metrics
  readonly log: Log
  /** Searches that take longer are logged with their body; 0: none is. */
  readonly slowSearchMs: number
}

/** Counts every call, for the instance and for its request. Returns a function that stops it. */
export function observeCalls({ elastic, metrics, log, slowSearchMs }: CallObservation): () => void {
  return elastic.observe((call) => {
    const { api, ms, status = 0 } = call
    metrics.elasticsearch.observe({ api, status: String(status) }, ms / 1_000)
    const trace = requestTrace.getStore()
    if (trace) {
      trace.elasticsearchRequests += 1
      trace.elasticsearchMs += ms
    }
    if (slowSearchMs === 0 || ms < slowSearchMs || !SEARCHING.has(api)) return
    metrics.slowSearches.inc()
    const { requestId, operation, organization, keyId } = trace ?? {}
    const asker = { requestId, operation, organization, keyId }
    // Repeated lines are counted by name: a tenant's do not hide another's.
    const name = `${call.path} of ${organization ?? 'nobody'}`
    log.warn({ name, ...asker, body: textOf(call), ms: Math.round(ms) }, 'slow search')
  })
}

const textOf = ({ body }: ElasticsearchCall): string =>
  (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')).slice(0, LOGGED_BODY)
