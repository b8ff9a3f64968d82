import ipaddr from 'ipaddr.js'

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Metadata and platform hosts of clouds on addresses that look public. */
const HOSTS_OF_CLOUDS: readonly Network[] = [ipaddr.parseCIDR('168.63.129.16/32')]
/** The global unicast range. Anything outside it may be local to our network. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3')
/** Marks an ISATAP tunnel address: the group before the embedded IPv4 address has this value. */
const TUNNEL = 0x5efe

/** Whether an IPv4 or IPv6 address is on the public internet. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  if (ip.range() !== 'unicast' || inAny(ip, HOSTS_OF_CLOUDS)) return false
  if (ip instanceof ipaddr.IPv4) return true
  return ip.match(GLOBAL_V6) && ip.parts[5] !== TUNNEL
}

/**
 * Whether an address is in one of the networks; mapped forms count as the address they stand for.
 */
export const isIn = (address: string, networks: readonly Network[]): boolean =>
  ipaddr.isValid(address) && inAny(ipaddr.process(address), networks)

const inAny = (ip: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean =>
  networks.some(([start, bits]) => ip.kind() === start.kind() && ip.match(start, bits))

/** Parses `10.0.0.0/8` or a single address; undefined for other text. */
export function networkOf(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = /^\[.*\]$/.test(text) ? text.slice(1, -1) : text
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return [ipaddr.IPv4.parse(address), 32]
  return ipaddr.IPv6.isValid(address) ? [ipaddr.IPv6.parse(address), 128] : undefined
}
