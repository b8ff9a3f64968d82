import { cut } from '../../text.ts'
import { BadRow } from './mapped-row.ts'

/**
 * Parses `2026-12-31`, also with a time, with slashes or without dashes; empty for no date. Throws
 * BadRow with the name of the field.
 */
export function isoDay(field: string, text: string): string {
  if (text === '' || text.startsWith('0000-00-00')) return ''
  const [, year, month, day] = /^(\d{4})[-/]?(\d{2})[-/]?(\d{2})(?:\D|$)/.exec(text) ?? []
  if (year !== undefined) return `${year}-${month}-${day}`
  throw new BadRow(`${field}: ${JSON.stringify(cut(text, 40))} is not a date such as 2026-12-31`)
}
