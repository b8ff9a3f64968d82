import { lookup, type Resolver } from 'node:dns/promises'
import { isPublic } from './addresses.ts'
import type { Allowlist } from './allowlist.ts'
import { OutboundFailure } from './failure.ts'
import type { OutboundTarget } from './target.ts'

/** Maximum number of addresses tried per host. */
const TRIED = 4
/** Maximum number that a name may have: an answer over TCP has room for thousands. */
const MOST = 64

/**
 * The addresses of a target, IPv4 first. One that may not be called refuses all of them. A trusted
 * name is resolved as the machine does, including its hosts file; other names are resolved by the
 * name servers only, which blocks none of Node's few threads.
 */
export async function addressesOf(
  { host, literal, trusted }: OutboundTarget,
  { allowed, resolver }: { allowed: Allowlist; resolver: Resolver },
): Promise<string[]> {
  if (literal) return [host]
  const found = trusted ? await looked(host) : await asked(host, resolver)
  const fits = (address: string) => trusted || allowed.address(address) || isPublic(address)
  const refused = found.find((address) => !fits(address))
  if (refused !== undefined) {
    throw new OutboundFailure('unreachable', new Error(`${refused} may not be called`))
  }
  return found.slice(0, TRIED)
}

async function looked(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, order: 'ipv4first' }).catch(unknown)
  return found.map(({ address }) => address)
}

function unknown(error: unknown): never {
  throw new OutboundFailure('unreachable', error)
}

async function asked(host: string, resolver: Resolver): Promise<string[]> {
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const [first] = found
  if (addresses.length > MOST) return unknown(new Error('too many addresses'))
  if (addresses.length > 0) return addresses
  return unknown(first.status === 'rejected' ? first.reason : new Error('no address'))
}
