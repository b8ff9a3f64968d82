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
 * The encoding to read a file by that declares one: what its bytes prove wins, and what is said
 * decides among the many that they cannot tell. Throws Invalid for one that is unknown.
 */
export function declaredEncoding(
  declared: string | null,
  { encoding }: Pick<Survey, 'encoding'>,
): string {
  if (declared === null || encoding.startsWith('utf-16')) return encoding
  const label = spelled(declared)
  // Only a file that is not what it says is judged by its bytes.
  return label.startsWith('utf-') ? encoding : label
}

function spelled(declared: string): string {
  const name = declared.toLowerCase().replaceAll('_', '-')
  const label = /^8859-\d+$/.test(name) ? `iso-${name}` : name.replace(/^iso(?=8859)/, 'iso-')
  try {
    return new TextDecoder(label).encoding
  } catch {
    throw new Invalid(`The file says that its encoding is ${declared}, which is not known.`)
  }
}
