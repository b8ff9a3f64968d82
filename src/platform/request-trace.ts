import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenSpan } from './tracing.ts'

/** What is known of a request, or of a task, while it runs; for the log. */
export interface RequestTrace {
  readonly requestId: string
  /** Of a task its kind. */
  readonly operation: string
  /** Where there are traces. */
  readonly span?: OpenSpan | undefined
  /** A task, whose calls are too many to be spans, but for those of extensions. */
  readonly isTask?: true
  organization?: string | undefined
  keyId?: string | undefined
  /** What a search or count found. */
  hits?: number | undefined
  /** Requests to Elasticsearch, and the sum of their milliseconds. */
  elasticsearchRequests: number
  elasticsearchMs: number
}

/**
 * The request that is being answered, if one is. What several requests wait for together counts for
 * the one that began it.
 */
export const requestTrace = new AsyncLocalStorage<RequestTrace>()

/** The beginning of a trace: nothing was asked of Elasticsearch yet. */
export const newTrace = (
  known: Omit<RequestTrace, 'elasticsearchRequests' | 'elasticsearchMs'>,
): RequestTrace => ({ ...known, elasticsearchRequests: 0, elasticsearchMs: 0 })
