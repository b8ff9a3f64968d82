import { TooManyRequests } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Log } from '../platform/log.ts'
import type { RateLimiter } from '../platform/rate-limiter.ts'
import { openCors } from './cors.ts'
import { failureResponse } from './failure.ts'
import { pathOf } from './path-of.ts'
import type { RequestKeys } from './request-keys.ts'
import { settledRevision } from './revision.ts'
import type { Fetch } from './server.ts'

/** Never refused: who asks here ends a service that does not answer. */
export const ALIVE_PATH = '/api/status'

export interface AddressLimit {
  readonly log: Log
  readonly keys: RequestKeys
  /** Of addresses. */
  readonly rates: RateLimiter
  /** Whether a key was good lately; its own rate holds it then. */
  readonly isKnown: (secret: string) => boolean
  readonly onRefused: () => void
}

/**
 * Limits the rate of each address, but not of keys that were valid lately: others at their address
 * cannot shut them out. Bodies without a key, large answers and invalid keys weigh more. Of a known
 * key counts what is refused before its own rate does.
 */
export function limitByAddress(
  next: Fetch,
  { log, keys, rates, isKnown, onRefused }: AddressLimit,
): Fetch {
  return async (request, client) => {
    if (client === undefined || pathOf(request.url) === ALIVE_PATH) return next(request, client)
    const [secret, another] = keys.all(request)
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

/** What a large answer weighs besides its request. */
const weightOf = ({ headers }: Response): number =>
  Math.floor(Number(headers.get('content-length') ?? 0) / limits.rateOfAnswerBytes)

/** Of whoever is refused without a key nothing more is read. */
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
