import { AsyncLocalStorage } from 'node:async_hooks'
import type { OpenSpan } from './tracing.ts'

/** Facts about a request or task for the log, collected while it runs. */
export interface RequestTrace {
  readonly requestId: string
  /** The kind, for a task. */
  readonly operation: string
  /** Present when tracing is on. */
  readonly span?: OpenSpan | undefined
  /** Set for tasks: their calls are too many to be spans, except those to extensions. */
  readonly isTask?: true
  /** Charges the caller, once known, for milliseconds of processor time of a step just done. */
  charge?: ((ms: number) => void) | undefined
  organization?: string | undefined
  /** For whom it counts, as loadOwner says; absent before the caller is known. */
  owner?: string | undefined
  keyId?: string | undefined
  /** Hits of a search or count. */
  hits?: number | undefined
  /** Requests to Elasticsearch, and the sum of their milliseconds. */
  elasticsearchRequests: number
  elasticsearchMs: number
  /** The part of these milliseconds that was spent on searching and counting. */
  searchMs: number
}

/** The current request, if any. Work shared by several counts for the one that started it. */
export const requestTrace = new AsyncLocalStorage<RequestTrace>()

/** The owner for whom the current request counts; `other` where nobody is known. */
export const currentOwner = (other = ''): string => requestTrace.getStore()?.owner ?? other

const NO_CALLS = { elasticsearchRequests: 0, elasticsearchMs: 0, searchMs: 0 }

/** A new trace, with no calls to Elasticsearch yet. */
export const newTrace = (known: Omit<RequestTrace, keyof typeof NO_CALLS>): RequestTrace => ({
  ...known,
  ...NO_CALLS,
})
