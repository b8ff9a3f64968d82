import { isIP } from 'node:net'
import { limits } from '../../limits.ts'
import { isPublic } from './addresses.ts'
import type { Allowed } from './allowed.ts'

/** An address that may be tried; where its name leads is still to be seen. */
export interface Target {
  readonly url: URL
  /** Without brackets and a dot at the end. */
  readonly host: string
  readonly port: number
  /** The host is an address itself. */
  readonly literal: boolean
  /** The operator named the host: it may lead anywhere. */
  readonly trusted: boolean
}

const USUAL: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }
/** Names that never leave a machine or a network. */
const INSIDE = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa|onion)$/

/** Where a text leads that may be tried, or in words why it is refused. */
export function targetOf(
  text: string,
  { allowed, ports }: { allowed: Allowed; ports: readonly number[] },
): Target | string {
  if (text.length > limits.valueLength) return `at most ${limits.valueLength} characters`
  if (!URL.canParse(text)) return 'not an address such as https://files.example.com/list.csv'
  const url = new URL(text)
  const usual = USUAL[url.protocol]
  if (usual === undefined) return 'must begin with https:// or http://'
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password'
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = url.port === '' ? usual : Number(url.port)
  const literal = isIP(host) !== 0
  const trusted = allowed.host(url.hostname.replace(/\.$/, ''), port)
  const target = { url, host, port, literal, trusted }
  if (trusted || (literal && allowed.address(host))) return target
  if (literal ? !isPublic(host) : INSIDE.test(host) || !host.includes('.')) {
    return 'leads to an address that may not be called unless OUTBOUND_ALLOW names it'
  }
  if (!ports.includes(port)) return `may only use port ${ports.join(' or ')}`
  return target
}
