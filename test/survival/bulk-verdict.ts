import { type BulkExpected, MOVED } from './bulk-plan.ts'
import { entriesIn, type Place, pointsIn, storedIn } from './stored.ts'

export interface BulkVerdict {
  /** Products, log entries and points of Insights that are missing or differ. */
  readonly lost: number
  /** Those that exist although they should not, or more than once. */
  readonly doubled: number
}

interface Wanted {
  /** By writer: a search updated the products of the first and deleted those of the second. */
  readonly changed: BulkExpected
  readonly deleted: BulkExpected
}

/** Compares what is stored with what was acknowledged. */
export async function compareBulk(
  place: Place,
  organization: string,
  { changed, deleted }: Wanted,
): Promise<BulkVerdict> {
  let [found, lost, doubled] = [0, 0, 0]
  const waiting = new Set<string>()
  const entries = new Map<string, Set<string>>()
  const addEntry = (productId: string, id: string) => {
    entries.set(productId, (entries.get(productId) ?? new Set()).add(id))
  }
  for await (const { id, pending, ...product } of storedIn(place, `${organization}/c`)) {
    const wanted = changed.products.get(id)
    for (const entry of pending) addEntry(id, entry)
    if (pending.length > 0) waiting.add(id)
    if (!wanted) {
      doubled++
      continue
    }
    found++
    const { version, msrp, offers, segment } = product
    if (version > wanted.version + 1) doubled++
    else if (version <= wanted.version || msrp !== wanted.msrp || segment !== MOVED) lost++
    if (Object.values(offers).join() !== `${wanted.cost}`) lost++
  }
  lost += changed.products.size - found
  for await (const { id, productId } of entriesIn(place, organization)) addEntry(productId, id)
  const prices = new Map<string, number[]>()
  for await (const { productId, price } of pointsIn(place, organization)) {
    prices.set(productId, [...(prices.get(productId) ?? []), price])
  }
  for (const expected of [changed, deleted]) {
    for (const [id, count] of expected.entries) {
      const isMoved = expected === changed && expected.products.has(id)
      const difference = (entries.get(id)?.size ?? 0) - count - (isMoved ? 1 : 0)
      if (difference > 0) doubled += difference
      else lost -= difference
      const told = prices.get(id) ?? []
      const missing = expected.prices.get(id)!.filter((price) => !told.includes(price))
      doubled += told.length - expected.prices.get(id)!.length + missing.length
      // An entry that still waits will bring its points with it.
      if (!waiting.has(id)) lost += missing.length
    }
  }
  return { lost, doubled }
}
