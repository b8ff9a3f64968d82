import { errors, Transport } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'

type Request = Transport['request']

/** One request to Elasticsearch. */
export interface ElasticsearchCall {
  /** Of a fixed set: `_search`, `_bulk`, `_doc`; `other` where the path names none. */
  readonly api: string
  readonly path: string
  readonly body: unknown
}

export interface CallEnd {
  readonly ms: number
  /** Undefined where no answer came. */
  readonly status: number | undefined
}

/** Told of a call before it is sent: says what headers go with it, and is told of its end. */
export type CallObserver = (call: ElasticsearchCall) => {
  readonly headers?: Readonly<Record<string, string>> | undefined
  ended(end: CallEnd): void
}

/** Spans are those of `observe`: the client's own have the bodies of searches. */
const NO_SPANS = { enabled: false }

/** What may be asked twice, as it changes nothing. */
const READS = new Set(['_search', '_msearch', '_count', '_mget', '_analyze'])

/** The first part of a path that is no index. */
const apiOf = (path: string): string => /\/(_[a-z_]+)/.exec(path)?.[1] ?? 'other'

/**
 * One deadline for a whole call: limits.elasticMs, or its `requestTimeout`. The stock client caps a
 * longer one by the pool's, does not cover the body, and aborts the caller's signal, which ends all
 * other calls on it. Of several nodes, a read asks the next one where one is away. Reports every
 * call to `observe`.
 */
export const deadlineTransport = (observe: CallObserver) =>
  class extends Transport {
    override request = (async (
      params: Parameters<Request>[0],
      { requestTimeout = limits.elasticMs, signal, ...given }: Parameters<Request>[1] = {},
    ) => {
      const deadline = AbortSignal.timeout(Number(requestTimeout))
      const both = signal ? AbortSignal.any([signal as AbortSignal, deadline]) : deadline
      const { path, body = params.bulkBody } = params
      const began = performance.now()
      const api = apiOf(path)
      const { headers, ended } = observe({ api, path, body })
      const isRead = params.method === 'GET' || READS.has(api)
      const options = {
        maxRetries: isRead ? this.connectionPool.size - 1 : 0,
        ...given,
        ...(headers ? { headers: { ...given.headers, ...headers } } : {}),
        openTelemetry: NO_SPANS,
      }
      const tell = (status: number | undefined) => ended({ ms: performance.now() - began, status })
      try {
        const answer = await super.request(params, { ...options, signal: both })
        tell(200)
        return answer
      } catch (error) {
        tell(error instanceof errors.ResponseError ? error.statusCode : undefined)
        if (!deadline.aborted || error instanceof errors.ResponseError) throw error
        // A node that hangs is away, too: the stock client takes an abort for the caller's.
        const connection = (error as Partial<errors.RequestAbortedError>).meta?.meta.connection
        if (connection) this.connectionPool.markDead(connection)
        throw new errors.TimeoutError(`no answer within ${requestTimeout} ms`)
      }
    }) as Request
  }
