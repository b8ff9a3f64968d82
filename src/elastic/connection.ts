import { errors, UndiciConnection } from '@elastic/elasticsearch'

type ConnectionRequest = UndiciConnection['request']
type Parameters = globalThis.Parameters<ConnectionRequest>[0]
type Options = globalThis.Parameters<ConnectionRequest>[1]

interface ConnectionReply {
  readonly statusCode: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

/** Nothing of the request was sent: its node could not be reached. */
export class UnsentError extends errors.ConnectionError {}

/**
 * The stock connection with less around a request: its answer is gathered as it comes, where the stock
 * one makes a stream for each. Signals, bounds and failures are the same.
 */
export class GatheringConnection extends UndiciConnection {
  readonly #prefix = this.url.pathname === '/' ? '' : this.url.pathname.replace(/\/$/, '')
  readonly #underWay = new Set<(error: Error) => void>()
  /** When an answer began to come last, by `performance.now()`. */
  heardAt = Number.NEGATIVE_INFINITY
  /** Whether Elasticsearch itself answered last, whatever it said; no proxy in its place. */
  isThere = false

  /** Fails what waits for an answer of this node. */
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
      // Tells of it once more.
      controller?.abort(error)
    }
    // Whatever its reason: who gives up says nothing of the node.
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
    // The pool has the one that it was made with.
    const timer =
      timeout == null || timeout === this.timeout ? undefined : setTimeout(late, timeout)
    /** Whether so many bytes are too many; then nothing more is read. */
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

/** Of what never began; one that was given up before is told of already. */
const unsent = (error: Error): Error =>
  error instanceof errors.ElasticsearchClientError ? error : new UnsentError(error.message)

/** As the client knows failures of a connection: what may be asked of another node, and what not. */
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
