import { setTimeout as pause } from 'node:timers/promises'
import { jsonOf, type Wire } from './http.ts'
import type { Action } from './load.ts'
import type { Organization } from './organization.ts'
import type { Exchange, Recorder } from './recorder.ts'

/** A request to the service, and its requests to the products index. */
export interface Recorded {
  readonly request: Wire
  /** The service's answer. */
  readonly answer: unknown
  readonly exchanges: readonly Exchange[]
}

/** Milliseconds after an answer within which late writes arrive. */
const AFTERWARDS_MS = 5

/**
 * Sends each request through the recorder. Keeps only reads of the products index: other reads and
 * writes of the service (keys, catalogs, history) count as its own cost.
 */
export async function recordRequests(
  recorder: Recorder,
  organization: Organization,
  { requests, index }: { requests: readonly Wire[]; index: string },
): Promise<Recorded[]> {
  const once = async (request: Wire): Promise<Recorded> => {
    const exchanges: Exchange[] = []
    recorder.record((exchange) => {
      if (isReadOf(index, exchange.wire)) exchanges.push(exchange)
    })
    const reply = await organization.target.send(request)
    recorder.stop()
    const answer = jsonOf(reply, `${request.method} ${request.path} ${request.body ?? ''}`)
    await pause(AFTERWARDS_MS)
    return { request, answer, exchanges }
  }
  const recorded: Recorded[] = []
  for (const request of requests) {
    const first = await once(request)
    recorded.push({
      ...first,
      exchanges: commonExchanges(first.exchanges, (await once(request)).exchanges),
    })
  }
  return recorded
}

/** Exchanges that occur both times; the others come from background work of the service. */
export function commonExchanges(
  first: readonly Exchange[],
  second: readonly Exchange[],
): Exchange[] {
  const text = ({ wire }: Exchange) => `${wire.method} ${wire.path} ${wire.body ?? ''}`
  const left = second.map(text)
  return first.filter((exchange) => {
    const place = left.indexOf(text(exchange))
    if (place === -1) return false
    left.splice(place, 1)
    return true
  })
}

const READS = /^\/([^/?]+)\/(_search|_msearch|_count|_doc|_mget)\b/

export function isReadOf(index: string, { method, path }: Wire): boolean {
  const match = READS.exec(decodeURIComponent(path))
  if (match?.[1] !== index) return false
  return match[2] === '_doc' ? method === 'GET' : method === 'POST' || method === 'GET'
}

/** Requests to Elasticsearch per request to the service, on average. */
export const roundTripsOf = (recorded: readonly Recorded[]): number =>
  recorded.reduce((sum, { exchanges }) => sum + exchanges.length, 0) / recorded.length

/** The direct side: the recorded requests as they were sent. */
export const directActions = (recorded: readonly Recorded[]): Action[] =>
  recorded.map(({ exchanges }) => exchanges.map(({ wire }) => wire))

export const serviceActions = (recorded: readonly Recorded[]): Action[] =>
  recorded.map(({ request }) => [request])
