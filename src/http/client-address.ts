import ipaddr from 'ipaddr.js'
import { StartupFailure } from '../errors.ts'
import { limits } from '../limits.ts'
import { isIn, type Network, networkOf } from '../platform/outbound/addresses.ts'
import { splitTrimmed } from '../text.ts'

/** Parses addresses and networks, separated by commas. Throws StartupFailure. */
export function proxiesOf(text: string): readonly Network[] {
  return splitTrimmed(text, ',').map((entry) => {
    const network = networkOf(entry)
    if (network) return network
    throw new StartupFailure(
      `TRUSTED_PROXIES: ${entry} is not an address or a network such as 10.0.0.0/8.`,
    )
  })
}

/**
 * The client's address: the peer, or, when that is a trusted proxy, the last address in
 * X-Forwarded-For that is not one. Proxies append to the header, so earlier entries may be forged.
 */
export function clientAddress(
  peer: string,
  forwarded: string | undefined,
  proxies: readonly Network[],
): string {
  let address = peer
  const hops = forwarded ? forwarded.split(',').slice(-limits.forwardedAddresses) : []
  while (isIn(address, proxies)) {
    const before = addressIn(hops.pop() ?? '')
    if (before === undefined) break
    address = before
  }
  return address
}

const WITH_PORT = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+))(?::\d{1,5})?$/i

/** The address of an entry, which may have a port; undefined for other text. */
function addressIn(entry: string): string | undefined {
  const text = entry.trim().slice(0, limits.idLength)
  const [, v6, v4] = WITH_PORT.exec(text) ?? []
  const address = v6 ?? v4 ?? text
  const known = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address)
  return known ? address : undefined
}

/**
 * One text for all addresses of a client. For IPv6, that is the /64 network that a line is
 * assigned.
 */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return ip.toString()
  return `${ip.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::`
}
