import { Resolver } from 'node:dns/promises'
import { Invalid } from '../../errors.ts'
import type { Log } from '../log.ts'
import { allowedBy } from './allowed.ts'
import { OutboundFailure } from './failure.ts'
import type { Find, OutboundAnswer, OutboundRequest } from './request.ts'
import { addressesOf } from './resolve.ts'
import { begin, type OutboundTimes } from './send.ts'
import { targetOf } from './target.ts'

/**
 * The only way out of the process over HTTP: to the public internet and to what OUTBOUND_ALLOW
 * names, by the address that was checked. It follows no redirect, unpacks nothing and keeps nothing.
 * A request on whose connection not one byte came back before it was closed is sent once more.
 */
export interface Outbound {
  /** The whole answer, of any status but a redirect. Throws OutboundFailure. */
  call(request: OutboundRequest): Promise<OutboundAnswer<Uint8Array>>
  /** The answer as it comes, under the same limits; must be read or given back by `return`. */
  open(request: OutboundRequest): Promise<OutboundAnswer<AsyncGenerator<Uint8Array>>>
  /** Whether an address may be called, by its text alone. Throws Invalid that names `place`. */
  check(url: string, place: string): void
}

export interface OutboundSettings {
  /** Hosts, host:port and networks that may be called besides the public internet. */
  readonly allow?: string | undefined
  /** Name servers; those of the machine when absent. */
  readonly resolver?: Resolver
  /** Ports of hosts that are not named by `allow`; 80 and 443 when absent. */
  readonly ports?: readonly number[]
  readonly times?: Partial<OutboundTimes>
  /** Where failures are told with their causes; nowhere when absent. */
  readonly log?: Log
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string
}

const TIMES: OutboundTimes = { connectMs: 3_000, headersMs: 10_000, idleMs: 15_000 }

/** Throws StartupFailure for an `allow` that cannot be read. */
export function createOutbound({
  allow = '',
  resolver = new Resolver({ timeout: 1_500, tries: 2 }),
  ports = [80, 443],
  times,
  ca,
  log,
}: OutboundSettings): Outbound {
  const allowed = allowedBy(allow)
  const aim = (url: string) => targetOf(url, { allowed, ports })
  const find: Find = async (url) => {
    const target = aim(url)
    if (typeof target === 'string') throw new OutboundFailure('unreachable', new Error(target))
    return { target, addresses: await addressesOf(target, { allowed, resolver }) }
  }
  const parts = { times: { ...TIMES, ...times }, ca, find, log }
  return {
    async call(request) {
      const answer = await begin(request, parts)
      const chunks: Uint8Array[] = []
      for await (const chunk of answer.body) chunks.push(chunk)
      return { ...answer, body: Buffer.concat(chunks) }
    },
    open: (request) => begin(request, parts),
    check(url, place) {
      const target = aim(url)
      if (typeof target === 'string') throw new Invalid(`${place}: ${target}`)
    },
  }
}
