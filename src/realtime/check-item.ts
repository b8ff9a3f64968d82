import { Failure } from '../errors.ts'
import type { RealtimeResponse } from '../extensions/schemas.ts'
import { limits } from '../limits.ts'
import { checkValue } from '../platform/input-checks.ts'

export type OfferItem = RealtimeResponse['items'][number]

/** A vendor's answer about one product, or why there is none. */
export type ItemResult =
  | { readonly item: OfferItem; readonly error: null }
  | { readonly item: null; readonly error: string }

export const failure = (error: string): ItemResult => ({ item: null, error })

/** One item of an answer, its texts trimmed; a failure when it cannot be an offer. */
export function checkItem(item: OfferItem): ItemResult {
  const problem = problemOf(item)
  if (problem !== null) return failure(`The response is invalid: ${problem}.`)
  const error = textOf(item.error)
  if (error !== null) return failure(error.slice(0, limits.valueLength))
  return {
    error: null,
    item: {
      ...item,
      error: null,
      vendorPartNumber: textOf(item.vendorPartNumber),
      manufacturerPartNumber: textOf(item.manufacturerPartNumber),
      description: textOf(item.description),
      status: textOf(item.status),
    },
  }
}

const textOf = (text: string | null): string | null => text?.trim() || null

/** Why an item cannot be an offer, by the limits for a product's offers; null if it can. */
function problemOf(item: OfferItem): string | null {
  const { nameLength, valueLength, warehouses } = limits
  if (item.cost !== null && item.cost < 0) return 'cost: below 0'
  for (const name of ['vendorPartNumber', 'manufacturerPartNumber', 'status'] as const) {
    if ((item[name]?.length ?? 0) > nameLength)
      return `${name}: longer than ${nameLength} characters`
  }
  if ((item.description?.length ?? 0) > valueLength)
    return `description: longer than ${valueLength} characters`
  if (item.warehouses.length > warehouses) return `warehouses: more than ${warehouses} entries`
  if (item.warehouses.some(({ warehouse }) => warehouse.length > nameLength)) {
    return `warehouses: a name is longer than ${nameLength} characters`
  }
  try {
    checkValue(item, 'item')
    return null
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
