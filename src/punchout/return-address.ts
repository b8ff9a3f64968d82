import { Invalid } from '../errors.ts'
import { configured, type Family } from '../organizations/organization.ts'
import { parseUrl } from '../platform/parse-url.ts'

const HOSTS = 'punchoutCallbackHosts'
const CURRENCY = 'punchoutCurrency'
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** A three-letter code; USD unless the organization configures another one. */
export function currencyOf(family: Family | undefined): string {
  const value = configured(family, CURRENCY)?.trim().toUpperCase() ?? ''
  return /^[A-Z]{3}$/.test(value) ? value : 'USD'
}

/** Normalizes `shop.example` or `shop.example:8443`; undefined for anything else. */
function hostOf(entry: string): string | undefined {
  const url = parseUrl(`https://${entry}`)
  return url && url.href === `https://${url.host}/` ? url.host : undefined
}

/**
 * Parses the address to which a browser returns the order. Throws Invalid unless it is https (or
 * http on this machine) and the organization lists its host and port.
 */
export function callbackOf(text: string, family: Family): string {
  const url = parseUrl(text)
  if (!url) throw new Invalid('callbackUrl: must be a URL such as https://buyer.example/cart')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.includes(url.hostname))) {
    throw new Invalid('callbackUrl: must begin with https://')
  }
  if (url.username !== '' || url.password !== '') {
    throw new Invalid('callbackUrl: must not contain a user name or password')
  }
  const allowed = (configured(family, HOSTS) ?? '').split(',').map((entry) => hostOf(entry.trim()))
  if (!allowed.includes(url.host)) {
    throw new Invalid(`callbackUrl: the host is not listed in the configuration ${HOSTS}`)
  }
  return url.href
}
