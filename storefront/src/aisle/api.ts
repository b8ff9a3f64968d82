/** Who asks, and which catalog. A search key is enough for everything that needs no person. */
export interface Access {
  readonly key: string
  readonly catalog: string
  /** Only for keys that belong to several organizations. */
  readonly organization?: string
}

/** What Aisle refused, in its own words; `status` 0 when it did not answer at all. */
export class AisleError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface CallOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** One request, its JSON answer. Throws AisleError; an aborted one throws what fetch does. */
export type Call = <T>(method: string, path: string, options?: CallOptions) => Promise<T>

/** Calls the service that the page came from. Paths have no slash in front: a proxy may add one. */
export function createCall({ key, organization }: Access): Call {
  const headers = {
    'x-api-version': '6.0',
    authorization: `Bearer ${key}`,
    ...(organization ? { 'x-organization': organization } : {}),
  }
  return async (method, path, { body, signal } = {}) => {
    const answer = await fetch(path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    }).catch((error: unknown) => {
      if (signal?.aborted) throw error
      throw new AisleError(0, 'The service does not answer. Check the connection and try again.')
    })
    const read: unknown = await answer.json().catch((error: unknown) => {
      if (signal?.aborted) throw error
      if (answer.ok) throw new AisleError(0, 'The answer was cut off. Try again.')
    })
    if (!answer.ok) {
      const { message } = (read ?? {}) as { message?: string }
      throw new AisleError(answer.status, message ?? `The service answered ${answer.status}.`)
    }
    return read as never
  }
}
