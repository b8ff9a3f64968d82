/** HTML tags, unlike `a < b`. */
const TAG =
  /<\/?(?:p|br|div|span|ul|ol|li|b|strong|i|em|u|h[1-6]|a|img|table|tbody|thead|tr|td|th|font|sup|sub|hr|blockquote)(?:\s[^<>]*)?\/?>/i

const BREAKS = new Set('p br div ul ol li tr table h1 h2 h3 h4 h5 h6 blockquote hr'.split(' '))
/** Elements whose content is not text. */
const HIDDEN: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script/gi],
  ['style', /<\/style/gi],
])
const NAME = /^\/?([a-z][a-z\d:-]*)[\s/>]/i
/** Maximum number of characters of a tag's name, with what is around it. */
const NAME_LENGTH = 40

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', euro: '€', pound: '£' },
  ...{ copy: '©', reg: '®', trade: '™', deg: '°', plusmn: '±', times: '×', micro: 'µ' },
  ...{ ndash: '–', mdash: '—', hellip: '…', bull: '•', middot: '·', laquo: '«', raquo: '»' },
  ...{ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', frac12: '½' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
  ...{ eacute: 'é', egrave: 'è', ecirc: 'ê', agrave: 'à', acirc: 'â', ccedil: 'ç', ntilde: 'ñ' },
  ...{ aacute: 'á', iacute: 'í', oacute: 'ó', uacute: 'ú', ograve: 'ò', ugrave: 'ù', icirc: 'î' },
}

/** Replaces entities such as `&amp;`, `&#228;` and `&#xe4;` by their characters. */
const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z]{2,8}\d{0,2}));/g, (...found) => {
    const [whole, decimal, hex, name] = found as [string, ...(string | undefined)[]]
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? NAMED[name]! : whole
    const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
    // Control characters, surrogates and invalid code points stay unchanged.
    const isText = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isText && code !== 127 ? String.fromCodePoint(code) : whole
  })

/**
 * Converts HTML to text, with paragraphs, breaks and items on separate lines. Other text stays
 * unchanged.
 */
export function htmlAsText(text: string): string {
  if (!text.includes('<') || !TAG.test(text)) return text
  const pieces: string[] = []
  let at = 0
  let close = 0
  while (at < text.length) {
    const open = text.indexOf('<', at)
    if (open === -1) break
    if (close <= open) close = text.indexOf('>', open)
    if (close === -1) break
    pieces.push(text.slice(at, open))
    if (text.startsWith('<!--', open)) {
      at = endOf(text, text.indexOf('-->', open), 3)
      continue
    }
    const next = text.indexOf('<', open + 1)
    if (next !== -1 && next < close) {
      pieces.push(text.slice(open, next))
      at = next
      continue
    }
    at = close + 1
    const name = NAME.exec(text.slice(open + 1, open + NAME_LENGTH))?.[1]?.toLowerCase()
    if (name === undefined && text[open + 1] !== '!') pieces.push(text.slice(open, at))
    else if (name && BREAKS.has(name)) pieces.push('\n')
    const end = text[open + 1] === '/' ? undefined : HIDDEN.get(name ?? '')
    if (end) {
      end.lastIndex = at
      at = endOf(text, end.exec(text)?.index ?? -1, 0)
    }
  }
  pieces.push(text.slice(at))
  return withoutEntities(pieces.join(''))
    .split('\n')
    .map((line) =>
      line
        .replaceAll('\u00a0', ' ')
        .split(/[ \t\r]/)
        .filter(Boolean)
        .join(' '),
    )
    .filter((line) => line !== '')
    .join('\n')
}

/** The position after a match at `found`; the end of the text if there is none. */
const endOf = (text: string, found: number, length: number): number =>
  found === -1 ? text.length : found + length
