import type { Decimal } from './cell-values.ts'
import { parseNumber } from './cell-values.ts'
import { saysNothing } from './stock-words.ts'

const ISO = /^(\d{4})-(\d{2})-(\d{2})/
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)/
const POINTS = /^(\d{1,2})([.-])(\d{1,2})\2(\d{4})/
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{2}|\d{4})\b/

/** Formats a day as `YYYY-MM-DD`; undefined for an invalid one such as `0000-00-00`. */
function day(year: string, month: string, date: string): string | undefined {
  const full = year.length === 2 ? `20${year}` : year
  const text = `${full}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const time = new Date(Date.UTC(Number(full), Number(month) - 1, Number(date)))
  return time.toISOString().startsWith(text) ? text : undefined
}

/**
 * Whether dates with slashes have the day first, by the unambiguous ones; undefined if there are
 * none.
 */
export function daysFirst(texts: Iterable<string>): boolean | undefined {
  let days = 0
  for (const text of texts) {
    const [, first, second] = SLASHES.exec(text.trim()) ?? []
    days += Number(Number(first) > 12) - Number(Number(second) > 12)
  }
  return days === 0 ? undefined : days > 0
}

/**
 * Converts a date in a common format, with or without a time, to `YYYY-MM-DD`; undefined for other
 * text. `isDayFirst` decides ambiguous dates such as 2/1/2026.
 */
export function dayOf(text: string, isDayFirst = false): string | undefined {
  const [, year, month, date] = ISO.exec(text) ?? YEAR_FIRST.exec(text) ?? []
  if (year !== undefined) return day(year, month!, date!)
  const [, first, between, second, last] = POINTS.exec(text) ?? []
  if (first !== undefined) {
    const american = between === '-' ? day(last!, first, second!) : undefined
    return day(last!, second!, first) ?? american
  }
  const [, left, right, short] = SLASHES.exec(text) ?? []
  if (left === undefined) return undefined
  const [american, european] = [day(short!, left, right!), day(short!, right!, left)]
  return isDayFirst ? (european ?? american) : (american ?? european)
}

/** How systems write that there is no date. */
const NO_DATE = /^0+(?:[-./]0+[-./]0+)?(?:\s|$)/

/** Whether a cell has a date, both dates of a period, or a sign for none. */
export const isPeriod = (text: string): boolean =>
  (ISO.test(text) ? text.split('/') : [text])
    .map((part) => part.trim())
    .every((part) => saysNothing(part) || NO_DATE.test(part) || dayOf(part) !== undefined)

/** The price fields of a row. */
export interface PriceFields {
  readonly cost?: number | undefined
  readonly msrp?: number | undefined
  readonly salePrice?: number | undefined
  /** A date, or both dates separated by a slash. */
  readonly saleFrom?: string | undefined
  readonly saleUntil?: string | undefined
}

/**
 * The price of today. While a reduced price is valid, it is the cost, and the regular one is the
 * `msrp` unless that is given. A reduced price of 0, or not below the regular one, is ignored.
 */
export function priceOf(
  said: PriceFields,
  today: string,
  isDayFirst = false,
): Pick<PriceFields, 'cost' | 'msrp'> {
  const { cost, msrp, salePrice = 0, saleFrom = '', saleUntil } = said
  const [begin = '', end = ''] = ISO.test(saleFrom) ? saleFrom.split('/') : [saleFrom]
  const from = dayOf(begin.trim(), isDayFirst)
  const until = dayOf((saleUntil ?? end).trim(), isDayFirst)
  const isOver = (from !== undefined && today < from) || (until !== undefined && today > until)
  if (salePrice <= 0 || isOver || salePrice >= (cost ?? Number.POSITIVE_INFINITY)) {
    return { cost, msrp }
  }
  return { cost: salePrice, msrp: msrp ?? cost }
}

const DOLLAR = '$'
const SIGNS: Readonly<Record<string, string>> = {
  ...{ '€': 'EUR', '£': 'GBP', '₹': 'INR', zł: 'PLN' },
  [DOLLAR]: DOLLAR,
}
const CODE = /^([A-Z]{3})\b|\b([A-Z]{3})$/
const SIGN = /[€£₹$]|zł/

const CODES = new Set(Intl.supportedValuesOf('currency'))

/** The currency code in an amount; `$` for a dollar sign, which many currencies use. */
export function currencyOf(text: string): string | undefined {
  const amount = text.trim()
  const [, before, behind] = CODE.exec(amount) ?? []
  const [sign] = SIGN.exec(amount) ?? []
  const code = before ?? behind
  if (code !== undefined && CODES.has(code)) return code
  return sign === undefined ? undefined : SIGNS[sign]
}

/** Whether two currencies may be the same: `$` matches any currency written with that sign. */
export const isSameCurrency = (one: string, other: string): boolean =>
  one === other || (one === DOLLAR && hasDollar(other)) || (other === DOLLAR && hasDollar(one))

const hasDollar = (currency: string): boolean =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .format(0)
    .includes(DOLLAR)

/**
 * The currency of most amounts in a file; `$` if the country is unknown, undefined if none has one.
 */
export function commonCurrency(texts: Iterable<string>, decimal: Decimal): string | undefined {
  const counts = new Map<string, number>()
  for (const text of texts) {
    const currency = parseNumber(text, decimal) === undefined ? undefined : currencyOf(text)
    if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  const [first, ...others] = [...counts].sort(([, a], [, b]) => b - a).map(([code]) => code)
  if (first !== DOLLAR) return first
  return others.find((other) => isSameCurrency(first, other)) ?? first
}
