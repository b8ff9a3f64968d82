import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { NAMED, type ProductPatch } from './patch.ts'
import type { FieldChange, Offer, Product } from './product.ts'

type NamedValues = Readonly<Record<string, unknown>>

/**
 * The patch that reverts changes. In attributes, filters, facets, options and vendors, it reverts
 * only the entries that the changes list, and keeps others as they are. Throws Invalid.
 */
export function restorePatch(product: Product, changes: readonly FieldChange[]): ProductPatch {
  const patch = Object.fromEntries(
    changes.map(({ field, before, after }) => [field, valueBefore(product, field, before, after)]),
  ) as ProductPatch
  for (const field of NAMED) {
    const most = field === 'options' ? limits.productOptions : limits.productAttributes
    checkCount(field, Object.keys(patch[field] ?? {}).length, most)
  }
  checkCount('vendors', patch.vendors?.length ?? 0, limits.productOffers)
  return patch
}

function valueBefore(product: Product, field: string, before: unknown, after: unknown): unknown {
  if (field === 'vendors') {
    return offersBefore(product.vendors, before as Offer[], after as Offer[])
  }
  const named = NAMED.find((one) => one === field)
  if (named === undefined) return before
  return entriesBefore(product[named] ?? {}, before as NamedValues, after as NamedValues)
}

function entriesBefore(now: NamedValues, before: NamedValues, after: NamedValues): NamedValues {
  const kept = Object.entries(now).filter(([name]) => !Object.hasOwn(after, name))
  return { ...Object.fromEntries(kept), ...before }
}

/** Offers keep their places; removed ones are added back at the end. */
function offersBefore(now: readonly Offer[], before: readonly Offer[], after: readonly Offer[]) {
  const back = new Map(before.map((offer) => [offer.vendorName, offer]))
  const came = new Set(after.map(({ vendorName }) => vendorName))
  const kept = now.flatMap((offer) => {
    const old = back.get(offer.vendorName)
    back.delete(offer.vendorName)
    if (old) return [old]
    return came.has(offer.vendorName) ? [] : [offer]
  })
  return [...kept, ...back.values()]
}

function checkCount(field: string, count: number, most: number): void {
  if (count <= most) return
  throw new Invalid(`The restored product would have ${count} ${field}. The limit is ${most}.`)
}
