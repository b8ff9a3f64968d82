import { replaceBracketed, withoutEnd } from '../../text.ts'
import { dateText, durationText } from './dates.ts'

/** The meaning of a cell's numbers. */
export type NumberFormat =
  | { readonly kind: 'number' }
  | { readonly kind: 'date' }
  | { readonly kind: 'duration' }
  /** Padded with zeros, as in article numbers and barcodes. */
  | { readonly kind: 'padded'; readonly digits: number }

export const NUMBER: NumberFormat = { kind: 'number' }
const DATES = [
  [14, 22],
  [27, 36],
  [45, 45],
  [47, 47],
  [50, 58],
] as const
const ELAPSED = 46
const DIGITS = 15

/** The number format with this id, or with this code if the workbook has one. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    if (id === ELAPSED) return { kind: 'duration' }
    return DATES.some(([from, to]) => from <= id && id <= to) ? { kind: 'date' } : NUMBER
  }
  if (/^0{2,}$/.test(code)) return { kind: 'padded', digits: code.length }
  // Text in quotes, escaped characters, fillers, colors and conditions are not part of the number.
  const unquoted = code.replace(/"[^"]*"|\\.|_.|\*./gs, '')
  const [bare] = replaceBracketed(unquoted, ['[', ']'], (inside) =>
    /^[hms]+$/i.test(inside) ? `[${inside}]` : '',
  ).split(';')
  if (/\[[hms]+\]/i.test(bare!)) return { kind: 'duration' }
  return /[dmyhs]/i.test(bare!.replace(/general/gi, '')) ? { kind: 'date' } : NUMBER
}

/** A stored number as the workbook shows it, without exponent and binary noise. */
export function numberText(stored: string, format: NumberFormat, is1904: boolean): string {
  const value = Number(stored)
  if (stored.trim() === '' || !Number.isFinite(value)) return stored.trim()
  if (format.kind === 'date') return dateText(value, is1904) ?? plainNumber(value)
  if (format.kind === 'duration' && value >= 0) return durationText(value)
  const plain = plainNumber(value)
  return format.kind === 'padded' && /^\d+$/.test(plain)
    ? plain.padStart(format.digits, '0')
    : plain
}

/** Rounds to fifteen digits, as a workbook shows; the others are noise. */
export function plainNumber(value: number): string {
  const [mantissa, exponent] = value.toExponential(DIGITS - 1).split('e') as [string, string]
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = withoutEnd(mantissa.replace(/[-.]/g, ''), '0')
  const point = Number(exponent) + 1
  if (digits === '') return '0'
  if (point > 300 || point < -300) return String(value)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return sign + digits.padEnd(point, '0')
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
