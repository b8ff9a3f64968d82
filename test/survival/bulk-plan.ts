/**
 * Sequences of requests by two writers and their expected results, computed without the service.
 */
export const WRITERS = [0, 1] as const
export type Writer = (typeof WRITERS)[number]

export interface BulkPlan {
  /** Batches per writer. */
  readonly batches: number
  /** Operations per batch, a multiple of four. */
  readonly size: number
}

const VENDOR = 'Nord'
const FIRST_PRICE = 1

const idOf = (writer: Writer, batch: number, at: number) => `W${writer}-${batch}-${at}`
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** The category of all products of a writer. */
export const categoryOf = (writer: Writer): string => `Parts ${writer}`
export const MOVED = 'Moved'

/** Half of a batch creates products; the rest changes and deletes products of the batch before. */
export function batchAt({ size }: BulkPlan, writer: Writer, batch: number) {
  const [quarter, half] = [size / 4, size / 2]
  const before = batch - 1
  const creations = range(0, half).map((at) => {
    const id = idOf(writer, batch, at)
    const vendors = [{ vendorName: VENDOR, cost: FIRST_PRICE }]
    const product = { id, name: `Part ${id}`, category: categoryOf(writer), msrp: batch, vendors }
    return { action: 'create', product }
  })
  const changes = range(0, batch === 0 ? 0 : quarter).map((at) => ({
    ...{ action: 'update', id: idOf(writer, before, at), ifMatch: '2' },
    product: { msrp: changedMsrp(before) },
  }))
  const deletions = range(quarter, batch === 0 ? quarter : half).map((at) => ({
    ...{ action: 'delete', id: idOf(writer, before, at), ifMatch: '1' },
  }))
  const operations = [...creations, ...changes, ...deletions]
  return {
    body: { operations },
    count: operations.length,
    answer: { created: half, updated: changes.length, deleted: deletions.length, failed: 0 },
  }
}

/** New prices for half of the products that a batch created. */
export function offersAt({ size }: BulkPlan, writer: Writer, batch: number) {
  const offers = range(0, size / 4).map((at) => ({
    ...{ id: idOf(writer, batch, at), cost: changedPrice(batch) },
  }))
  return {
    body: { vendorName: VENDOR, offers },
    count: offers.length,
    answer: { updated: offers.length, unchanged: 0, rejected: 0 },
  }
}

const changedMsrp = (batch: number) => 1_000 + batch
const changedPrice = (batch: number) => 2 + batch

interface ExpectedProduct {
  readonly version: number
  readonly msrp: number
  readonly cost: number
}

export interface BulkExpected {
  readonly products: ReadonlyMap<string, ExpectedProduct>
  /** Log entries of each product, deleted ones included, and its prices in Insights. */
  readonly entries: ReadonlyMap<string, number>
  readonly prices: ReadonlyMap<string, readonly number[]>
}

/** The expected state once all requests of a writer are answered. */
export function expectedOf({ batches, size }: BulkPlan, writer: Writer): BulkExpected {
  const products = new Map<string, ExpectedProduct>()
  const entries = new Map<string, number>()
  const prices = new Map<string, readonly number[]>()
  for (const batch of range(0, batches)) {
    const isLast = batch === batches - 1
    for (const at of range(0, size / 2)) {
      const id = idOf(writer, batch, at)
      const isPriced = at < size / 4
      const cost = isPriced ? changedPrice(batch) : FIRST_PRICE
      const isChanged = isPriced && !isLast
      entries.set(id, isChanged ? 2 : 1)
      prices.set(id, isPriced ? [FIRST_PRICE, cost] : [FIRST_PRICE])
      if (!isPriced && !isLast) continue
      const version = 1 + (isPriced ? 1 : 0) + (isChanged ? 1 : 0)
      products.set(id, { version, msrp: isChanged ? changedMsrp(batch) : batch, cost })
    }
  }
  return { products, entries, prices }
}
