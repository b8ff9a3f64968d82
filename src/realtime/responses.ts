import { identityOf } from '../extensions/identity.ts'
import type { Word } from './ask.ts'
import type { Named } from './asked.ts'
import { onHandOf } from './offer.ts'
import type { RealtimeAllAnswer, RealtimeAnswer } from './schemas.ts'

type Said = Pick<Word, 'vendor' | 'asked' | 'outcome' | 'time'>

/** What one vendor says of a product, or why it says nothing; both in one shape. Pure. */
function shown({ vendor, asked, outcome: { item, error }, time }: Said) {
  const identity = identityOf(asked.product, vendor.name)
  return {
    vendorPartNumber: item?.vendorPartNumber ?? identity.vendorPartNumber,
    manufacturerPartNumber: item?.manufacturerPartNumber ?? identity.manufacturerPartNumber,
    description: item?.description ?? null,
    error,
    // Only a vendor's own word takes a product off its range.
    active: item?.active ?? true,
    onHand: item ? onHandOf(item) : null,
    cost: item?.cost ?? null,
    inStockDate: item?.inStockDate ?? null,
    warehouses: item?.warehouses ?? [],
    ...(time ? { checkedAt: time.toISOString() } : {}),
  }
}

const saidOf = (words: readonly Said[], { asked }: Named): Said[] =>
  words.filter((word) => word.asked === asked)

/** The answer about all vendors: those who were asked about a product, in one order. Pure. */
export const allAnswer = (
  products: readonly Named[],
  words: readonly Said[],
): RealtimeAllAnswer => ({
  items: products.map((named) => ({
    id: named.id,
    catalog: named.catalog,
    vendors: saidOf(words, named).map((word) => ({
      vendorName: word.vendor.name,
      ...shown(word),
    })),
  })),
})

const nothing = {
  vendorPartNumber: null,
  manufacturerPartNumber: null,
  description: null,
  active: true,
  onHand: null,
  cost: null,
  inStockDate: null,
  warehouses: [],
  status: null,
}

/** The answer about one vendor. It fails as a whole when no product was answered. Pure. */
export function oneAnswer(products: readonly Named[], words: readonly Said[]): RealtimeAnswer {
  const items = products.map((named) => {
    const { id, catalog } = named
    const word = saidOf(words, named)[0]
    if (word) return { id, catalog, ...shown(word), status: word.outcome.item?.status ?? null }
    const error = named.asked
      ? 'The extension is not for this catalog.'
      : 'There is no such product.'
    return { id, catalog, ...nothing, error }
  })
  // A vendor that answered about nothing at all has failed, and why is the same for each product.
  const failed = words.length > 0 && words.every(({ time }) => time === null)
  return { success: !failed, error: failed ? words[0]!.outcome.error : null, items }
}
