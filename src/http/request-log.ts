import type { MiddlewareHandler } from 'hono'
import type { Services } from '../operation.ts'
import { newTrace, type RequestTrace, requestTrace } from '../platform/request-trace.ts'
import type { Route } from './routes.ts'

declare module 'hono' {
  interface ContextVariableMap {
    trace: RequestTrace
  }
}

/** What a search or count found, as its output says. */
export function hitsOf(output: unknown): number | undefined {
  const { total, count } = (output ?? {}) as { total?: unknown; count?: unknown }
  return [total, count].find((hits) => typeof hits === 'number') as number | undefined
}

/**
 * Counts each request of an operation, and logs it at level `info`: who asked what, how it ended
 * and how long it took. Never a credential, an address of a page or a body.
 */
export function observed(
  { operation, revision }: Route,
  { log, metrics }: Pick<Services, 'log' | 'metrics'>,
): MiddlewareHandler {
  return (c, next) => {
    const trace = newTrace({ requestId: crypto.randomUUID(), operation: operation.name })
    const began = performance.now()
    c.set('trace', trace)
    return requestTrace.run(trace, async () => {
      await next()
      const ms = performance.now() - began
      const { status } = c.res
      const labels = { operation: operation.name, revision, status: String(status) }
      metrics.requests.observe(labels, ms / 1_000)
      if (!log.isLevelEnabled('info')) return
      const elasticsearchMs = rounded(trace.elasticsearchMs)
      log.info({ ...trace, revision, status, ms: rounded(ms), elasticsearchMs }, 'request')
    })
  }
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10
