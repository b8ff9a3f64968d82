import type { PricesWanted } from '../catalogs/price-lists/in-effect.ts'

/** A price in a list, from a quantity on and for a period. */
export interface PriceLine {
  readonly price: number
  /** Least quantity. Products are found and sorted by the price for 1. */
  readonly quantityFrom: number
  /** Inclusive start in ISO 8601, UTC with milliseconds; null without one. */
  readonly validFrom: string | null
  /** Exclusive end; null without one. */
  readonly validTo: string | null
}

/** The prices of a product in the list of one slot. */
interface ListedPrices {
  readonly list: string
  /** Ordered by quantity, then by time. */
  readonly lines: readonly PriceLine[]
}

/** The prices of a product in price lists. */
export interface ListPrices {
  /** The time whose prices are indexed. Upkeep advances it when other prices become valid. */
  readonly asOf: string
  /** Keyed by the field of the search index that has the current price. */
  readonly slots: Readonly<Record<string, ListedPrices>>
}

const isValidAt = ({ validFrom, validTo }: PriceLine, at: string): boolean =>
  (validFrom === null || validFrom <= at) && (validTo === null || at < validTo)

/** The price of one piece from lines valid at one time; null if they have none. */
export const unitPrice = (lines: readonly PriceLine[]): number | null =>
  lines.find(({ quantityFrom }) => quantityFrom === 1)?.price ?? null

/** The unit price for a quantity from lines valid at one time; null if they have none. */
export const priceOfQuantity = (lines: readonly PriceLine[], quantity: number): number | null =>
  lines.findLast(({ quantityFrom }) => quantityFrom <= Math.max(quantity, 1))?.price ?? null

/** All lines of a product in a list, whenever they are valid. */
export function linesIn(
  listPrices: ListPrices | undefined,
  { list, slot }: Pick<PricesWanted, 'list' | 'slot'>,
): readonly PriceLine[] {
  const found = listPrices?.slots[slot]
  return found?.list === list ? found.lines : []
}

/** The lines of a product in a list that are valid at `wanted.at`, by quantity. */
export const pricesIn = (
  listPrices: ListPrices | undefined,
  wanted: PricesWanted,
): readonly PriceLine[] => linesIn(listPrices, wanted).filter((line) => isValidAt(line, wanted.at))

/** The `_source` paths of a document for these prices. */
export const priceSource = (wanted: PricesWanted | undefined | null): string[] =>
  wanted ? [`listPrices.slots.${wanted.slot}`] : []

/** The document with the lines of one list replaced. */
export function withLines<D extends { readonly listPrices?: ListPrices }>(
  document: D,
  { list, slot, at }: PricesWanted,
  lines: readonly PriceLine[],
): D {
  const { listPrices: before, ...rest } = document
  const { [slot]: _, ...others } = before?.slots ?? {}
  const slots = lines.length === 0 ? others : { ...others, [slot]: { list, lines } }
  const isEmpty = Object.keys(slots).length === 0
  return (isEmpty ? rest : { ...rest, listPrices: { asOf: at, slots } }) as D
}

/** The fields of the search index for list prices. */
export function listPriceFields(listPrices: ListPrices | undefined) {
  if (!listPrices) return {}
  const { asOf, slots } = listPrices
  const prices = Object.entries(slots).flatMap(([slot, { lines }]): [string, number][] => {
    const price = unitPrice(lines.filter((line) => isValidAt(line, asOf)))
    return price === null ? [] : [[slot, price]]
  })
  return {
    listPrices: Object.fromEntries(prices),
    priceLists: Object.values(slots).map(({ list }) => list),
    pricesDue: nextChange(listPrices),
  }
}

/**
 * The next time at which the valid lines change, for any quantity. Answers show all quantities, and
 * cached ones stay valid until the product is written.
 */
function nextChange({ asOf, slots }: ListPrices): number | undefined {
  const times = Object.values(slots)
    .flatMap(({ lines }) => lines)
    .flatMap(({ validFrom, validTo }) => [validFrom, validTo])
    .filter((time) => time !== null && time > asOf) as string[]
  return times.length === 0 ? undefined : Math.min(...times.map((time) => Date.parse(time)))
}
