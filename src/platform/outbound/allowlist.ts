import { StartupFailure } from '../../errors.ts'
import { isIn, type Network, networkOf } from './addresses.ts'

/** Destinations beyond the public internet that the operator allows. */
export interface Allowlist {
  /** Whether this host may be called at this port, whatever it resolves to. */
  host(name: string, port: number): boolean
  /** Whether an address is in an allowed network. */
  address(address: string): boolean
}

const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/

/** Parses `host`, `host:port` and networks, separated by commas. Throws StartupFailure. */
export function parseAllowlist(text: string): Allowlist {
  const hosts = new Set<string>()
  const networks: Network[] = []
  for (const part of text.split(',')) {
    const entry = part.trim().toLowerCase()
    if (entry === '') continue
    const network = networkOf(entry)
    if (network) networks.push(network)
    else hosts.add(hostOf(entry))
  }
  return {
    host: (name, port) => hosts.has(name) || hosts.has(`${name}:${port}`),
    address: (address) => isIn(address, networks),
  }
}

function hostOf(entry: string): string {
  const [, name, digits] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry)!
  const port = digits === undefined ? 80 : Number(digits)
  const known = HOST.test(name!) || (/^\[.*\]$/.test(name!) && networkOf(name!) !== undefined)
  if (known && port >= 1 && port <= 65_535) return entry
  throw new StartupFailure(
    `OUTBOUND_ALLOW: ${entry} is not a host name, host:port or network such as 10.0.0.0/8.`,
  )
}
