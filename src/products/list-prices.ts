import type { PricesWanted } from '../catalogs/price-lists/in-effect.ts'

/** A price in a list, from a quantity on and for a time. */
export interface PriceLine {
  readonly price: number
  /** Pieces from which on it holds; by 1 products are found and sorted. */
  readonly quantityFrom: number
  /** ISO 8601 in UTC with milliseconds: the first moment, null without a beginning. */
  readonly validFrom: string | null
  /** The first moment after it; null without an end. */
  readonly validTo: string | null
}

/** What the list in one slot says of a product. */
interface ListedPrices {
  readonly list: string
  /** By quantity, then by time. */
  readonly lines: readonly PriceLine[]
}

/** The prices of a product in price lists. */
export interface ListPrices {
  /** The moment whose prices are searched; upkeep moves it on when others begin to hold. */
  readonly asOf: string
  /** By the field of the search index that has the price of the moment. */
  readonly slots: Readonly<Record<string, ListedPrices>>
}

const isValidAt = ({ validFrom, validTo }: PriceLine, at: string): boolean =>
  (validFrom === null || validFrom <= at) && (validTo === null || at < validTo)

/** What one piece costs by lines of one moment; null where they do not say it. */
export const unitPrice = (lines: readonly PriceLine[]): number | null =>
  lines.find(({ quantityFrom }) => quantityFrom === 1)?.price ?? null

/** What a piece costs of so many, by lines of one moment; null where they do not say it. */
export const priceOfQuantity = (lines: readonly PriceLine[], quantity: number): number | null =>
  lines.findLast(({ quantityFrom }) => quantityFrom <= Math.max(quantity, 1))?.price ?? null

/** What the list says of a product at all times. */
export function linesIn(
  listPrices: ListPrices | undefined,
  { list, slot }: Pick<PricesWanted, 'list' | 'slot'>,
): readonly PriceLine[] {
  const found = listPrices?.slots[slot]
  return found?.list === list ? found.lines : []
}

/** What the list says of a product at that moment, by quantity. */
export const pricesIn = (
  listPrices: ListPrices | undefined,
  wanted: PricesWanted,
): readonly PriceLine[] => linesIn(listPrices, wanted).filter((line) => isValidAt(line, wanted.at))

interface WithListPrices {
  readonly listPrices?: ListPrices
}

/** What of a document has to be read for these prices. */
export const priceSource = (wanted: PricesWanted | undefined | null): string[] =>
  wanted ? [`listPrices.slots.${wanted.slot}`] : []

/** The same document with these lines of one list. */
export function withLines<D extends WithListPrices>(
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

/** Fields of the search index. */
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
 * When other lines begin to hold than those of the moment, of whatever quantity: answers show all,
 * and copies of answers that caches keep are good until the product is written.
 */
function nextChange({ asOf, slots }: ListPrices): number | undefined {
  const times = Object.values(slots)
    .flatMap(({ lines }) => lines)
    .flatMap(({ validFrom, validTo }) => [validFrom, validTo])
    .filter((time) => time !== null && time > asOf) as string[]
  return times.length === 0 ? undefined : Math.min(...times.map((time) => Date.parse(time)))
}
