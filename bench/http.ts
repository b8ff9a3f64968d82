import { Pool } from 'undici'

/** A prepared request, so that sending it costs the caller as little as possible. */
export interface Wire {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface Reply {
  readonly status: number
  /** Content-Type; empty if there is none. */
  readonly type: string
  readonly body: Buffer
}

/** A server with persistent connections. Both sides of a comparison are called through one. */
export interface Target {
  send(wire: Wire): Promise<Reply>
  close(): Promise<void>
}

const NO_TIMEOUT = { headersTimeout: 0, bodyTimeout: 0 }

/** Connects with undici's lowest layer: the less the caller costs, the more accurate the ratio. */
export function connect(
  origin: string,
  { connections, ca }: { connections: number; ca?: string },
): Target {
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    ...NO_TIMEOUT,
    ...(ca ? { connect: { ca } } : {}),
  })
  const send = ({ method, path, headers, body }: Wire) =>
    new Promise<Reply>((resolve, reject) => {
      const chunks: Buffer[] = []
      let status = 0
      let type = ''
      const options = { method: method as 'GET', path, headers, body: body ?? null }
      pool.dispatch(options, {
        onRequestStart: () => {},
        onResponseStart: (_, statusCode, answered) => {
          status = statusCode
          type = String(answered['content-type'] ?? '')
        },
        onResponseData: (_, chunk) => {
          chunks.push(chunk)
        },
        onResponseEnd: () => resolve({ status, type, body: Buffer.concat(chunks) }),
        onResponseError: (_, error) => reject(error),
      })
    })
  return { send, close: () => pool.close() }
}

/** Parses an answer with status 200; throws an Error with the answer's text for any other. */
export function jsonOf<T>({ status, body }: Reply, what = 'request'): T {
  if (status === 200) return JSON.parse(body.toString('utf8')) as T
  throw new Error(`${what}: ${status} ${body.toString('utf8', 0, 500)}`)
}
