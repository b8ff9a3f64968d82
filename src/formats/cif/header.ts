import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** The header of a CIF file. */
export interface CifHeader {
  readonly charset: string | null
  readonly currency: string | null
  /** Number of rows that it declares; null if it does not. */
  readonly itemCount: number | null
  readonly fields: readonly string[]
  /** Bytes of the file, as UTF-8, before the first row, and the line of that row. */
  readonly skip: number
  readonly line: number
}

/** Default fields of a file that does not name them. */
const USUAL_FIELDS = [
  ...['Supplier ID', 'Supplier Part ID', 'Manufacturer Part ID', 'Item Description', 'SPSC Code'],
  ...['Unit Price', 'Unit of Measure', 'Lead Time', 'Manufacturer Name', 'Supplier URL'],
  ...['Manufacturer URL', 'Market Price'],
]
const VERSION = /^CIF_I_V([\d.]+)$/i
const SETTING = /^\s*([A-Z_]+)\s*:(.*)$/i

export const END_OF_DATA = 'ENDOFDATA'

/** Reads the lines up to DATA, at the beginning of the file. Throws Invalid. */
export function cifHeader(head: string): CifHeader {
  const settings = new Map<string, string>()
  let at = 0
  for (let line = 1; ; line++) {
    const [, text = '', end = ''] = /^([^\r\n]*)(\r\n|\n|\r|$)/.exec(head.slice(at))!
    at += text.length + end.length
    const said = text.trim()
    if (line === 1) checkVersion(said)
    else if (said.toUpperCase() === 'DATA') return headerOf(settings, head.slice(0, at), line + 1)
    const [, name, value] = SETTING.exec(said) ?? []
    if (name !== undefined) settings.set(name.toUpperCase(), value!.trim())
    if (end === '') throw new Invalid('The CIF file has no DATA line before its rows.')
  }
}

function checkVersion(first: string): void {
  const version = VERSION.exec(first)?.[1]
  if (version === undefined)
    throw new Invalid('The file is not a CIF file: its first line is not CIF_I_V3.0.')
  if (Number(version) > 3)
    throw new Invalid(`CIF ${version} is not supported. Supported: versions up to 3.0.`)
}

function headerOf(settings: ReadonlyMap<string, string>, before: string, line: number): CifHeader {
  const count = settings.get('ITEMCOUNT') ?? ''
  const names = settings.get('FIELDNAMES')
  const fields = names?.split(',').map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  if (fields && fields.length > limits.importColumns) {
    throw new Invalid(`FIELDNAMES has more than ${limits.importColumns} fields.`)
  }
  return {
    charset: settings.get('CHARSET') || null,
    currency: settings.get('CURRENCY')?.toUpperCase() || null,
    itemCount: /^\d{1,9}$/.test(count) ? Number(count) : null,
    fields: fields ?? USUAL_FIELDS,
    skip: Buffer.byteLength(before),
    line,
  }
}
