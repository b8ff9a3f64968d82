import { Invalid } from '../../errors.ts'
import type { Survey } from './survey.ts'

const DECLARATION = /^\s*<\?xml\s[^>]*/
const ENCODING = /encoding\s*=\s*["']([\w.:-]+)["']/
const LONGEST = 40

/** The encoding that an XML file declares; null for none. */
export function encodingOfXml(head: string): string | null {
  const [declaration = ''] = DECLARATION.exec(head) ?? []
  const name = ENCODING.exec(declaration)?.[1] ?? null
  return name !== null && name.length <= LONGEST ? name : null
}

/**
 * The encoding of a file that declares one. What its bytes prove takes precedence, and the
 * declaration decides among other encodings. Throws Invalid for an unknown one.
 */
export function declaredEncoding(
  declared: string | null,
  { encoding }: Pick<Survey, 'encoding'>,
): string {
  if (declared === null || encoding.startsWith('utf-16')) return encoding
  const label = spelled(declared)
  // Bytes only decide for a file that falsely declares UTF.
  return label.startsWith('utf-') ? encoding : label
}

function spelled(declared: string): string {
  const name = declared.toLowerCase().replaceAll('_', '-')
  const label = /^8859-\d+$/.test(name) ? `iso-${name}` : name.replace(/^iso(?=8859)/, 'iso-')
  try {
    return new TextDecoder(label).encoding
  } catch {
    throw new Invalid(`The file declares the encoding ${declared}, which is not supported.`)
  }
}
