import { isIP } from 'node:net'
import { limits } from '../../limits.ts'
import { parseUrl } from '../parse-url.ts'
import { isPublic } from './addresses.ts'
import type { Allowlist } from './allowlist.ts'

/** An allowed address whose host name is not resolved yet. */
export interface OutboundTarget {
  readonly url: URL
  /** The host without brackets and a trailing dot. */
  readonly host: string
  readonly port: number
  /** The host is an IP address. */
  readonly literal: boolean
  /** The operator named the host, so it may resolve to any address. */
  readonly trusted: boolean
}

const USUAL: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
/** Host names that never leave a machine or a network. */
const INSIDE = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|onion)$/

/** The target of an allowed address, or why it is refused. */
export function outboundTargetOf(
  text: string,
  { allowed, ports }: { allowed: Allowlist; ports: readonly number[] },
): OutboundTarget | string {
  if (text.length > limits.valueLength) return `at most ${limits.valueLength} characters`
  const url = parseUrl(text)
  if (!url) return 'must be a URL such as https://files.example.com/list.csv'
  const usual = USUAL[url.protocol]
  if (usual === undefined) return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = url.port === '' ? usual : Number(url.port)
  const literal = isIP(host) !== 0
  const trusted = allowed.host(url.hostname.replace(/\.$/, ''), port)
  const target = { url, host, port, literal, trusted }
  if (trusted || (literal && allowed.address(host))) return target
  if (literal ? !isPublic(host) : INSIDE.test(host) || !host.includes('.')) {
    return 'leads to an address that is only allowed if OUTBOUND_ALLOW lists it'
  }
  if (!ports.includes(port)) return `must use port ${ports.join(' or ')}`
  return target
}
