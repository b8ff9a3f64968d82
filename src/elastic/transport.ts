import { type BaseConnection, errors, Transport } from '@elastic/elasticsearch'
import { limits } from '../limits.ts'
import { timeLimit } from '../platform/deadline.ts'
import { firstAnswer } from '../platform/first-answer.ts'
import { isReadOfCopies, ofAnyCopy } from './copies.ts'
import type { NodePool } from './node-pool.ts'

type Request = Transport['request']
type Params = Parameters<Request>[0]
type GetConnectionOptions = Parameters<Transport['getConnection']>[0]
type AskedNodes = Set<BaseConnection>

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

/** Writes wait in Elasticsearch for their shard; they give up before their caller does. */
const WRITES = new Set(['_doc', '_create', '_bulk'])
const withTimeout = (params: Params, callMs: number): Params => {
  const timeout = `${Math.floor((callMs * 3) / 4)}ms`
  return { ...params, querystring: { ...(params.querystring as object), timeout } }
}

/** A failure that another node may not have. */
const isOfOneNode = (error: unknown): boolean =>
  error instanceof errors.ConnectionError ||
  (error instanceof errors.ResponseError && (error.statusCode === 429 || error.statusCode! >= 500))

/**
 * One deadline for a whole call: limits.elasticMs, or its `requestTimeout`. The stock client caps a
 * longer one by the pool's, does not cover the body, and aborts the caller's signal, which ends all
 * other calls on it. Of several nodes, a read asks the next one where one is away, and one that a
 * request waits for also where one is slow. Reports every call to `observe`.
 */
export const deadlineTransport = (observe: CallObserver) =>
  class extends Transport {
    /** Tries under way of reads whose first one is slow. */
    #furtherTries = 0

    override request = (async (
      params: Params,
      { requestTimeout, signal, ...given }: Parameters<Request>[1] = {},
    ) => {
      const callMs = Number(requestTimeout ?? limits.elasticMs)
      const callers = signal as AbortSignal | undefined
      const limit = timeLimit(callMs, callers)
      const { method, path, body = params.bulkBody } = params
      const began = performance.now()
      const api = apiOf(path)
      const { headers, ended } = observe({ api, path, body })
      const isRead = method === 'GET' || READS.has(api)
      const pool = this.connectionPool as NodePool
      const isOfCopies = pool.size > 1 && isReadOfCopies(api, method)
      const sent = !isRead && WRITES.has(api) ? withTimeout(params, callMs) : params
      const asked: AskedNodes = new Set()
      const options = {
        // Once it is closed, the pool has no node.
        maxRetries: isRead ? Math.max(0, pool.size - 1) : 0,
        ...given,
        ...(headers ? { headers: { ...given.headers, ...headers } } : {}),
        ...(pool.size > 1 ? { context: { asked } } : {}),
        openTelemetry: NO_SPANS,
      }
      const ask = (isFirst: boolean, until: AbortSignal) => {
        const isOfAny = isOfCopies && !(isFirst && pool.isWhole)
        return super.request(isOfAny ? ofAnyCopy(sent, api) : sent, { ...options, signal: until })
      }
      const suspectAsked = () => {
        for (const node of asked) pool.suspect(node)
      }
      const untilAnswered = () =>
        firstAnswer({
          ask: (n, until) => (n === 0 ? ask(true, until) : this.#counted(ask(false, until))),
          most: pool.size,
          afterMs: limits.furtherTryMs,
          onSilence: () => {
            suspectAsked()
            return this.#furtherTries < limits.furtherTries
          },
          isFinal: (error) => !isOfOneNode(error),
          signal: limit.signal,
        })
      const tell = (status: number | undefined) => ended({ ms: performance.now() - began, status })
      try {
        const isWaitedFor = requestTimeout === undefined
        const answer = await (isOfCopies && isWaitedFor ? untilAnswered() : ask(true, limit.signal))
        tell(200)
        return answer
      } catch (error) {
        tell(error instanceof errors.ResponseError ? error.statusCode : undefined)
        if (!limit.signal.aborted || error instanceof errors.ResponseError) throw error
        // Whoever ended it, the stock client goes on asking a node that hangs.
        suspectAsked()
        if (callers?.aborted) throw error
        throw new errors.TimeoutError(`no answer within ${callMs} ms`)
      } finally {
        limit.end()
      }
    }) as Request

    async #counted<T>(ending: Promise<T>): Promise<T> {
      this.#furtherTries++
      try {
        return await ending
      } finally {
        this.#furtherTries--
      }
    }

    /** A call asks each node once while there are others; one that is away before one that hangs. */
    override getConnection(given: GetConnectionOptions): BaseConnection | null {
      const asked: AskedNodes | undefined = given.context?.asked
      if (asked === undefined) return super.getConnection(given)
      const others = { ...given, name: 'aisle', now: Date.now() }
      const node =
        this.connectionPool.getConnection({ ...others, filter: (one) => !asked.has(one) }) ??
        this.connectionPool.connections.find((one) => !asked.has(one)) ??
        super.getConnection(given)
      if (node) asked.add(node)
      return node
    }
  }
