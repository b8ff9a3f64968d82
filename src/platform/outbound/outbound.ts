import { Resolver } from 'node:dns/promises'
import { Invalid } from '../../errors.ts'
import type { Log } from '../log.ts'
import type { Tracing } from '../tracing.ts'
import { parseAllowlist } from './allowlist.ts'
import { OutboundFailure } from './failure.ts'
import type { OutboundAnswer, OutboundRequest, ResolveTarget } from './request.ts'
import { addressesOf } from './resolve.ts'
import { type OutboundTimes, sendRequest } from './send.ts'
import { outboundTargetOf } from './target.ts'
import { traced } from './traced.ts'

/**
 * The only way out of the process over HTTP, to the public internet and to what OUTBOUND_ALLOW
 * names. Follows no redirect, decompresses nothing and keeps no connection; resends once a request
 * whose connection closed before any byte of an answer.
 */
export interface Outbound {
  /** The complete response, of any status but a redirect. Throws OutboundFailure. */
  call(request: OutboundRequest): Promise<OutboundAnswer<Uint8Array>>
  /** The response as a stream, under the same limits. Must be read, or closed by `return`. */
  open(request: OutboundRequest): Promise<OutboundAnswer<AsyncGenerator<Uint8Array>>>
  /** Checks an address by its text alone. Throws Invalid that names `place`. */
  check(url: string, place: string): void
  /** Whether OUTBOUND_ALLOW names the host of an address. */
  names(url: string): boolean
}

export interface OutboundSettings {
  /** Hosts, host:port and networks that may be called in addition to the public internet. */
  readonly allow?: string | undefined
  /** Name servers; those of the machine when absent. */
  readonly resolver?: Resolver
  /** Ports allowed for hosts that `allow` does not name; 80 and 443 when absent. */
  readonly ports?: readonly number[]
  readonly times?: Partial<OutboundTimes>
  /** The log of failures with their causes; none when absent. */
  readonly log?: Log
  readonly tracing?: Tracing | undefined
  /** Certificates to trust instead of the defaults. */
  readonly ca?: string
}

const TIMES: OutboundTimes = { connectMs: 3_000, headersMs: 10_000, idleMs: 15_000 }

/** Throws StartupFailure for an unreadable `allow`. */
export function createOutbound({
  allow = '',
  resolver = new Resolver({ timeout: 1_500, tries: 2 }),
  ports = [80, 443],
  times,
  ca,
  log,
  tracing,
}: OutboundSettings): Outbound {
  const allowed = parseAllowlist(allow)
  const aim = (url: string) => outboundTargetOf(url, { allowed, ports })
  const find: ResolveTarget = async (url) => {
    const target = aim(url)
    if (typeof target === 'string') throw new OutboundFailure('unreachable', new Error(target))
    return { target, addresses: await addressesOf(target, { allowed, resolver }) }
  }
  const parts = { times: { ...TIMES, ...times }, ca, find, log }
  return {
    call: (request) =>
      traced(tracing, request, async (sent) => {
        const answer = await sendRequest(sent, parts)
        const chunks: Uint8Array[] = []
        for await (const chunk of answer.body) chunks.push(chunk)
        return { ...answer, body: Buffer.concat(chunks) }
      }),
    open: (request) => traced(tracing, request, (sent) => sendRequest(sent, parts)),
    check(url, place) {
      const target = aim(url)
      if (typeof target === 'string') throw new Invalid(`${place}: ${target}`)
    },
    names(url) {
      const target = aim(url)
      if (typeof target === 'string') return false
      return target.trusted || (target.literal && allowed.address(target.host))
    },
  }
}
