import { errors, UndiciConnection } from '@elastic/elasticsearch'

type ConnectionRequest = UndiciConnection['request']
type Parameters = globalThis.Parameters<ConnectionRequest>[0]
type Options = globalThis.Parameters<ConnectionRequest>[1]

interface ConnectionReply {
  readonly statusCode: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

/** The node could not be reached; nothing was sent. */
export class UnsentError extends errors.ConnectionError {}

/**
 * The stock connection with less overhead: responses are collected as they arrive, instead of
 * through a stream for each. Signals, bounds and errors are the same.
 */
export class GatheringConnection extends UndiciConnection {
  readonly #prefix = this.url.pathname === '/' ? '' : this.url.pathname.replace(/\/$/, '')
  readonly #underWay = new Set<(error: Error) => void>()
  /** When the latest response began to arrive, by `performance.now()`. */
  heardAt = Number.NEGATIVE_INFINITY
  /** Whether the latest response came from Elasticsearch, with any status, and not from a proxy. */
  isThere = false

  /** Fails all pending requests of this node. */
  giveUp(): void {
    this.isThere = false
    const away = new errors.ConnectionError('The node does not answer')
    for (const fail of [...this.#underWay]) fail(away)
  }

  override request = ((params: Parameters, options: Options): Promise<ConnectionReply> => {
    const { method, querystring, body: sent = null } = params
    const { signal, timeout, maxResponseSize: most = Number.POSITIVE_INFINITY } = options
    const path = `${this.#prefix}${params.path}${querystring ? `?${querystring}` : ''}`
    const { promise, resolve, reject } = Promise.withResolvers<ConnectionReply>()
    const chunks: Buffer[] = []
    let controller: { abort(reason: Error): void } | undefined
    let failure: Error | undefined
    let statusCode = 0
    let headers: ConnectionReply['headers'] = {}
    let length = 0

    const end = () => {
      clearTimeout(timer)
      this.#underWay.delete(fail)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (error: Error) => {
      failure = error
      end()
      reject(failureOf(error))
      // This calls onResponseError with the same error.
      controller?.abort(error)
    }
    // The caller's abort says nothing about the node.
    const abort = () => fail(new errors.RequestAbortedError('Request aborted'))
    const late = () => fail(new errors.TimeoutError('Request timed out'))
    const heard = (answered: ConnectionReply['headers']) => {
      this.heardAt = performance.now()
      this.isThere = 'x-elastic-product' in answered
    }
    const lost = (error: Error) => {
      if (failure === undefined) this.isThere = false
      return controller ? failureOf(error) : unsent(error)
    }
    // The pool itself enforces the timeout that it was created with.
    const timer =
      timeout == null || timeout === this.timeout ? undefined : setTimeout(late, timeout)
    /** Fails the request if the response is too long, and returns whether it is. */
    const isTooLong = (bytes: number) => {
      if (bytes <= most) return false
      fail(
        new errors.RequestAbortedError(
          `The content length (${bytes}) is bigger than the maximum allowed string (${most})`,
        ),
      )
      return true
    }

    this.#underWay.add(fail)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort)
    this.pool.dispatch(
      {
        method: method as 'GET',
        path,
        headers: { ...this.headers, ...params.headers },
        body: sent,
      },
      {
        onRequestStart(started) {
          controller = started
          if (failure) started.abort(failure)
        },
        onResponseStart(_, status, answered) {
          heard(answered)
          statusCode = status
          headers = answered
          isTooLong(Number(answered['content-length'] ?? 0))
        },
        onResponseData(_, chunk) {
          length += chunk.length
          if (!isTooLong(length)) chunks.push(chunk)
        },
        onResponseEnd() {
          end()
          const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
          resolve({ statusCode, headers, body })
        },
        onResponseError(_, error) {
          end()
          reject(lost(error))
        },
      },
    )
    return promise
  }) as ConnectionRequest
}

/** The failure of a request that never began, unless giving it up has already reported one. */
const unsent = (error: Error): Error =>
  error instanceof errors.ElasticsearchClientError ? error : new UnsentError(error.message)

/** Maps failures to the client's error classes, which decide whether another node may be asked. */
function failureOf(error: Error & { code?: unknown }): Error {
  if (error instanceof errors.ElasticsearchClientError) return error
  switch (error.code) {
    case 'UND_ERR_ABORTED':
    case DOMException.ABORT_ERR:
      return new errors.RequestAbortedError('Request aborted')
    case 'UND_ERR_HEADERS_TIMEOUT':
      return new errors.TimeoutError('Request timed out')
    default:
      return new errors.ConnectionError(error.message)
  }
}
