import { type BaseConnection, errors, Transport } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import { timeLimit } from '../platform/deadline.ts'
import { hedgedAttempts } from '../platform/hedged-attempts.ts'
import { UnsentError } from './connection.ts'
import type { NodePool } from './node-pool.ts'
import { parsedResponse } from './response-size.ts'
import { canReadAnyShardCopy, withAnyShardCopy } from './search-preference.ts'

type SendRequest = Transport['request']
type Params = Parameters<SendRequest>[0]
type GetConnectionOptions = Parameters<Transport['getConnection']>[0]

interface CallAttempts {
  /** Nodes the call has asked so far. */
  readonly asked: Set<BaseConnection>
  readonly isRead: boolean
}

/** One request to Elasticsearch. */
export interface ElasticsearchCall {
  /** One of a fixed set (`_search`, `_bulk`, `_doc`); `other` when the path names none. */
  readonly api: string
  readonly path: string
  readonly body: unknown
}

export interface CallEnd {
  readonly ms: number
  /** The HTTP status; undefined without an answer. */
  readonly status: number | undefined
  /** Further nodes that were asked. */
  readonly retries: number
}

/** Called before a call is sent: returns headers to send, and a function called at its end. */
export type CallObserver = (call: ElasticsearchCall) => {
  readonly headers?: Readonly<Record<string, string>> | undefined
  ended(end: CallEnd): void
}

/** Spans come from `observe`; the client's own would contain the bodies of searches. */
const NO_SPANS = { enabled: false }

/** Requests that may be sent twice, since they change nothing. */
const READS = new Set(['_search', '_msearch', '_count', '_mget', '_analyze'])

/** The first part of a path that is not an index. */
const apiOf = (path: string): string => /\/(_[a-z_]+)/.exec(path)?.[1] ?? 'other'

/**
 * Writes, which wait in Elasticsearch for their shard. They time out there before their caller
 * gives up.
 */
const WRITES = new Set(['_doc', '_create', '_bulk'])
const withTimeout = (params: Params, callMs: number): Params => {
  const timeout = `${Math.floor((callMs * 3) / 4)}ms`
  return { ...params, querystring: { ...(params.querystring as object), timeout } }
}

/** Whether the failure may concern this node only, so that another one can be asked. */
const isOfOneNode = (error: unknown): boolean =>
  error instanceof errors.ConnectionError ||
  (error instanceof errors.ResponseError && (error.statusCode === 429 || error.statusCode! >= 500))

/** Whether nothing was sent. The client wraps the error of the connection. */
const isUnsent = (error: unknown): boolean =>
  error instanceof errors.ConnectionError && error.cause instanceof UnsentError

/**
 * One deadline for a whole call: limits.elasticMs, or its `requestTimeout`. The stock client caps
 * longer ones by the pool's, excludes the body, and aborts the caller's signal. With several nodes,
 * reads move on from unavailable and slow nodes, unsent writes from unavailable ones.
 */
export const deadlineTransport = (observe: CallObserver) =>
  class extends Transport {
    /** Hedged attempts in progress. */
    #furtherTries = 0

    get #nodes(): NodePool {
      return this.connectionPool as NodePool
    }

    override request = (async (
      params: Params,
      { requestTimeout, signal, ...given }: Parameters<SendRequest>[1] = {},
    ) => {
      const callMs = Number(requestTimeout ?? limits.elasticMs)
      const callers = signal as AbortSignal | undefined
      const limit = timeLimit(callMs, callers)
      const { method, path, body = params.bulkBody } = params
      const began = performance.now()
      const api = apiOf(path)
      const { headers, ended } = observe({ api, path, body })
      const isRead = method === 'GET' || READS.has(api)
      const pool = this.#nodes
      const isOfCopies = pool.size > 1 && canReadAnyShardCopy(api, method)
      const sent = !isRead && WRITES.has(api) ? withTimeout(params, callMs) : params
      const asked = new Set<BaseConnection>()
      const options = {
        // A closed pool has no nodes.
        maxRetries: isRead ? Math.max(0, pool.size - 1) : 0,
        ...given,
        ...(headers ? { headers: { ...given.headers, ...headers } } : {}),
        ...(pool.size > 1 ? { context: { asked, isRead } } : {}),
        openTelemetry: NO_SPANS,
      }
      const ask = (isFirst: boolean, until: AbortSignal) => {
        const isOfAny = isOfCopies && (!isFirst || pool.isDoubted)
        return super.request(isOfAny ? withAnyShardCopy(sent, api) : sent, {
          ...options,
          signal: until,
        })
      }
      const untilAnswered = () =>
        hedgedAttempts({
          ask: (n, until) => (n === 0 ? ask(true, until) : this.#further(ask(false, until))),
          most: pool.size,
          lookMs: limits.furtherTryMs / 4,
          onSilence: (ms) => {
            pool.pingAll()
            const most = pool.isDoubted ? limits.furtherTries : limits.slowTries
            return ms >= limits.furtherTryMs && pool.isSure(began) && this.#furtherTries < most
          },
          isFinal: (error) => !isOfOneNode(error),
          signal: limit.signal,
        })
      const untilSent = async () => {
        for (let left = isRead ? 1 : pool.size; ; ) {
          try {
            return await ask(true, limit.signal)
          } catch (error) {
            if (--left <= 0 || !isUnsent(error)) throw error
          }
        }
      }
      const tell = (status: number | undefined) => {
        ended({ ms: performance.now() - began, status, retries: Math.max(0, asked.size - 1) })
      }
      let answer: unknown
      try {
        const isWaitedFor = requestTimeout === undefined
        answer = await (isOfCopies && isWaitedFor ? untilAnswered() : untilSent())
        tell(200)
      } catch (error) {
        tell(error instanceof errors.ResponseError ? error.statusCode : undefined)
        if (!limit.signal.aborted || error instanceof errors.ResponseError) throw error
        // The stock client continues to ask a hanging node, no matter who ended the call.
        if (asked.size > 0) pool.pingAll()
        if (callers?.aborted) throw error
        throw new errors.TimeoutError(`no answer within ${callMs} ms`)
      } finally {
        limit.end()
      }
      return parsedResponse(answer)
    }) as SendRequest

    async #further<T>(ending: Promise<T>): Promise<T> {
      const began = performance.now()
      this.#furtherTries++
      try {
        const answer = await ending
        // The first attempt was not just slow: its node hangs, or waits for a copy on one that
        // does.
        if (performance.now() - began < limits.furtherTryMs / 4) this.#nodes.doubt()
        return answer
      } finally {
        this.#furtherTries--
      }
    }

    /**
     * A call asks each node once while others are left, and unavailable nodes before hanging ones.
     */
    override getConnection(options: GetConnectionOptions): BaseConnection | null {
      if (!options.context) return super.getConnection(options)
      const { asked, isRead } = options.context as CallAttempts
      const pool = this.#nodes
      const alive = (filter: (one: BaseConnection) => boolean) =>
        pool.getConnection({ ...options, filter, name: 'aisle', now: Date.now() })
      const node =
        alive((one) => !asked.has(one) && (isRead || pool.isWilling(one))) ??
        alive((one) => !asked.has(one)) ??
        // The node may be back. If not, it fails at once.
        pool.connections.find((one) => !asked.has(one) && !pool.hangs(one)) ??
        alive((one) => !pool.isSilent(one)) ??
        pool.connections.find((one) => !asked.has(one)) ??
        // The earlier attempt may have used an old connection that the node had closed.
        pool.connections.find((one) => !pool.hangs(one)) ??
        super.getConnection(options)
      if (node) asked.add(node)
      return node
    }
  }
