import type { Decimal } from './cell-values.ts'
import { parseNumber } from './cell-values.ts'
import { datesOf } from './dates.ts'

/** The price fields of a row. */
export interface PriceFields {
  readonly cost?: number | undefined
  readonly msrp?: number | undefined
  readonly salePrice?: number | undefined
  /** A date, or both dates. */
  readonly saleFrom?: string | undefined
  readonly saleUntil?: string | undefined
}

/**
 * The price of today. While a reduced price is valid, it is the cost, and the regular one is the
 * `msrp` unless that is given. A reduced price of 0, or not below the regular one, is ignored. With
 * `hasSales`, `msrp` is null without a reduction, since it may be from an earlier one.
 */
export function priceOf(
  said: PriceFields,
  today: string,
  { isDayFirst, hasSales }: { readonly isDayFirst?: boolean; readonly hasSales?: boolean } = {},
): { cost: number | undefined; msrp: number | null | undefined } {
  const { cost, msrp, salePrice = 0, saleFrom = '', saleUntil = '' } = said
  const begins = datesOf(saleFrom, isDayFirst) ?? []
  const ends = datesOf(saleUntil, isDayFirst) ?? []
  // Either cell may have both dates.
  const from = begins[0] || (ends.length > 1 ? ends[0] : '')
  const until = ends.at(-1) || begins[1]
  const isOver = (from && today < from) || (until && today > until)
  if (salePrice <= 0 || isOver || salePrice >= (cost ?? Number.POSITIVE_INFINITY)) {
    return { cost, msrp: msrp ?? (hasSales && cost !== undefined ? null : undefined) }
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
  const isAmount = (text: string) => parseNumber(text, decimal) !== undefined
  const codes = [...texts].flatMap((text) => (isAmount(text) ? (currencyOf(text) ?? []) : []))
  const [first, ...others] = byFrequency(codes)
  if (first !== DOLLAR) return first
  return others.find((other) => isSameCurrency(first, other)) ?? first
}

/** Distinct currencies, the most frequent ones first, equally frequent ones as they come. */
export function byFrequency(codes: Iterable<string>): string[] {
  const counts = new Map<string, number>()
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a).map(([code]) => code)
}
