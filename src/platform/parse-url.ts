/**
 * Most characters of a host, its port included. A name has at most 253; an international one takes
 * quadratic time to parse.
 */
const MOST = 300

/** What the parser of URLs takes as user, password, host and port. It skips tabs and line ends. */
const AUTHORITY = /^[\0- ]*(?:(?:https?|wss?|ftp|file):)?[\\/]*([^\\/?#]*)/i

/** Whether the host of a URL is longer than any name. */
export function isHostTooLong(url: string): boolean {
  const [, authority = ''] = AUTHORITY.exec(url.replace(/[\t\r\n]/g, ''))!
  return authority.length - 1 - authority.lastIndexOf('@') > MOST
}

/** Parses a URL that somebody sent, as URL.parse does; null also if a host is too long. */
export const parseUrl = (text: string, base = ''): URL | null =>
  isHostTooLong(text) || isHostTooLong(base) ? null : URL.parse(text, base || undefined)
