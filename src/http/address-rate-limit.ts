import { TooManyRequests } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Log } from '../platform/log.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import { openCors } from './cors.ts'
import { failureResponse } from './failure.ts'
import type { RequestKeys } from './request-keys.ts'
import { settledRevision } from './revision.ts'
import type { Fetch } from './server.ts'
import { urlPath } from './url-path.ts'

/** Never refused, since a supervisor ends a service whose status does not answer. */
export const ALIVE_PATH = '/api/status'

export interface AddressLimit {
  readonly log: Log
  readonly keys: RequestKeys
  /** The rates of addresses. */
  readonly rates: RateLimiter
  /** Whether a key was valid recently, so that its own rate limits it. */
  readonly isKnown: (secret: string) => boolean
  readonly onRefused: () => void
}

/**
 * Limits the rate of each address. Keys that were valid recently are exempt where an operation takes
 * one, so that others at their address cannot lock them out, except for refusals that their own rate
 * does not count. Bodies without a key, large answers and invalid keys weigh more.
 */
export function limitByAddress(
  next: Fetch,
  { log, keys, rates, isKnown, onRefused }: AddressLimit,
): Fetch {
  return async (request, client) => {
    if (client === undefined || urlPath(request.url) === ALIVE_PATH) return next(request, client)
    const named = keys.all(request)
    // Elsewhere no rate of the key counts.
    const [secret, another] = named.length > 0 && keys.takesKey(request) ? named : []
    if (secret !== undefined && another === undefined && isKnown(secret)) {
      const answer = await next(request, client)
      if (REFUSALS.has(answer.status)) rates.charge(client, weightOfRefusal(answer))
      return answer
    }
    const weight = secret === undefined && hasBody(request) ? limits.rateOfBody : 1
    const wait = rates.take(client, { weight })
    if (wait > 0) {
      onRefused()
      return refused(request, wait, log)
    }
    const answer = await next(request, client)
    if (answer.status === 401) rates.charge(client, weightOfRefusal(answer))
    else if (request.method !== 'HEAD') rates.charge(client, weightOf(answer))
    if (secret === undefined && answer.status >= 400) leaveRestUnread(answer)
    return answer
  }
}

const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403])

const weightOfRefusal = ({ status }: Response): number =>
  status === 401 ? limits.rateOfFailure : 1

const hasBody = ({ headers }: Request): boolean =>
  headers.has('transfer-encoding') || Number(headers.get('content-length') ?? 0) > 0

/** The weight of a large answer, in addition to that of its request. */
const weightOf = ({ headers }: Response): number =>
  Math.floor(Number(headers.get('content-length') ?? 0) / limits.rateOfAnswerBytes)

/** Closes the connection, so that the rest of a refused request is not read. */
const leaveRestUnread = ({ headers }: Response) => headers.set('connection', 'close')

function refused(request: Request, wait: number, log: Log): Response {
  const error = new TooManyRequests('Too many requests from this address. Try again later.', wait)
  const revision = settledRevision(request.headers)
  const cors = openCors(request.headers.get('origin') ?? undefined)
  const context = { log, revision, requestId: crypto.randomUUID() }
  const answer = failureResponse(error, context, cors)
  leaveRestUnread(answer)
  return answer
}
