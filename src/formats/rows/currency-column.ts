import { wordSet } from '../../text.ts'
import { isPrice, type MappedColumn } from './fields.ts'
import { normalizeHeading } from './headings.ts'
import { currencyOf } from './prices.ts'

const HEADINGS = wordSet(' ', [
  'currency currencycode currencyiso isocurrency pricecurrency wahrung waehrung wahrungscode',
  'preiswahrung devise monnaie moneda divisa valuta munteenheid',
])

/**
 * Adds the currency to prices in the cells of a row if it has its own column, such as `Currency`,
 * so that they are compared like `5.00 EUR`.
 */
export function currencyAdder(
  headings: readonly string[],
  columns: readonly MappedColumn[],
): (cells: readonly string[]) => readonly string[] {
  const at = headings.findIndex((text) => HEADINGS.has(normalizeHeading(text)))
  const prices = columns.filter(({ target }) => isPrice(target)).map(({ index }) => index)
  if (at === -1 || prices.length === 0 || prices.includes(at)) return (cells) => cells
  return (cells) => {
    const currency = cells[at]?.trim().toUpperCase() ?? ''
    if (currency === '') return cells
    return cells.map((text, index) =>
      prices.includes(index) ? withCurrency(text, currency) : text,
    )
  }
}

function withCurrency(price: string, currency: string): string {
  if (!/\d/.test(price) || currencyOf(price) !== undefined) return price
  const whole = `${price.trim()} ${currency}`
  return currencyOf(whole) === undefined ? price : whole
}
