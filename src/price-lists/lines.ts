import { Conflict, Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import type { PriceLine } from '../products/list-prices.ts'

/** A requested line; a null price removes it. */
export interface LineChange extends Omit<PriceLine, 'price'> {
  readonly price: number | null
}

/** The lines of a product after a change; the same array if none. Throws Invalid, Conflict. */
export function withLine(
  lines: readonly PriceLine[],
  { price, ...key }: LineChange,
): readonly PriceLine[] {
  const { quantityFrom, validFrom, validTo } = key
  if (validFrom !== null && validTo !== null && validTo <= validFrom) {
    throw new Invalid('validTo: must be after validFrom')
  }
  const known = lines.find(
    (line) => line.quantityFrom === quantityFrom && line.validFrom === validFrom,
  )
  if (price === null) return known ? lines.filter((line) => line !== known) : lines
  if (known?.price === price && known.validTo === validTo) return lines
  const line = { price, ...key }
  const others = lines.filter((one) => one !== known)
  const overlapped = others.find((other) => overlaps(line, other))
  if (overlapped) {
    throw new Conflict(
      `The price overlaps the price ${overlapped.price} ${rangeText(overlapped)}. End one where the other begins.`,
    )
  }
  if (others.length >= limits.productListPrices) {
    throw new Invalid(`A product has at most ${limits.productListPrices} prices in a list.`)
  }
  return [...others, line].sort(byRange)
}

/** Only one line for the same quantity may be valid at a time. */
const overlaps = (a: PriceLine, b: PriceLine): boolean =>
  a.quantityFrom === b.quantityFrom && beginsBefore(a, b) && beginsBefore(b, a)

const beginsBefore = ({ validFrom }: PriceLine, { validTo }: PriceLine): boolean =>
  validFrom === null || validTo === null || validFrom < validTo

function rangeText({ quantityFrom, validFrom, validTo }: PriceLine): string {
  const from = validFrom === null ? '' : ` from ${validFrom}`
  const to = validTo === null ? '' : ` until ${validTo}`
  return `for ${quantityFrom} and more,${from === '' && to === '' ? ' always' : `${from}${to}`}`
}

const byRange = (a: PriceLine, b: PriceLine): number =>
  a.quantityFrom - b.quantityFrom || ((a.validFrom ?? '') < (b.validFrom ?? '') ? -1 : 1)
