import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of a request while it runs, for the log. */
export interface RequestTrace {
  readonly requestId: string
  readonly operation: string
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
