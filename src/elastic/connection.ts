import { errors, UndiciConnection } from '@elastic/elasticsearch'

type Request = UndiciConnection['request']
type Parameters = globalThis.Parameters<Request>[0]
type Options = globalThis.Parameters<Request>[1]

interface Reply {
  readonly statusCode: number
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

/**
 * The stock connection with less around a request: its answer is gathered as it comes, where the stock
 * one makes a stream for each. Signals, bounds and failures are the same.
 */
export class GatheringConnection extends UndiciConnection {
  readonly #prefix = this.url.pathname === '/' ? '' : this.url.pathname.replace(/\/$/, '')

  override request = ((params: Parameters, options: Options): Promise<Reply> => {
    const { method, querystring, body: sent = null } = params
    const { signal, timeout, maxResponseSize: most = Number.POSITIVE_INFINITY } = options
    const path = `${this.#prefix}${params.path}${querystring ? `?${querystring}` : ''}`
    const { promise, resolve, reject } = Promise.withResolvers<Reply>()
    const chunks: Buffer[] = []
    let controller: { abort(reason: Error): void } | undefined
    let failure: Error | undefined
    let statusCode = 0
    let headers: Reply['headers'] = {}
    let length = 0

    const end = () => {
      clearTimeout(timer)
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
          reject(failureOf(error))
        },
      },
    )
    return promise
  }) as Request
}

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
