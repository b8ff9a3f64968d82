import type { ProductIdentity } from '../extensions/contract.ts'
import type { Steps } from '../platform/steps.ts'
import { shownName } from '../platform/validation-problem.ts'
import { checkItem, failure, type ItemResult, type OfferItem } from './check-item.ts'

export interface MatchedItems {
  /** One for each product that was asked about, in their order. */
  readonly results: readonly ItemResult[]
  /** Part numbers in the answer that belong to none of them. */
  readonly strangers: readonly string[]
  /** Items that failed or could not be assigned, and why. */
  readonly faults: readonly string[]
}

/** The form in which part numbers are compared, as in imports: trimmed, without case. */
const keyOf = (number: string | null): string => number?.trim().toLowerCase() ?? ''

/** Whether a product can be asked about at all. */
export const hasNumber = (product: ProductIdentity): boolean =>
  keyOf(product.vendorPartNumber) !== '' || keyOf(product.manufacturerPartNumber) !== ''

const NAMED = 3
const NAMED_LENGTH = 40

/**
 * Finds the product of each item by the vendor's part number, else by the manufacturer's. An item
 * that fits no product, or could mean different ones, is not a result for any.
 */
export function* matchItems(
  products: readonly ProductIdentity[],
  items: readonly OfferItem[],
): Steps<MatchedItems> {
  const byVendor = indexBy(products, ({ vendorPartNumber }) => keyOf(vendorPartNumber))
  const byMaker = indexBy(products, ({ manufacturerPartNumber }) => keyOf(manufacturerPartNumber))
  const results: (ItemResult | undefined)[] = products.map(() => undefined)
  const strangers: string[] = []
  const faults: string[] = []
  let nameless: string | undefined
  for (const item of items) {
    const found =
      byVendor.get(keyOf(item.vendorPartNumber)) ??
      fitting(products, byMaker.get(keyOf(item.manufacturerPartNumber)) ?? [], item)
    const result = isOneThing(products, found) ? checkItem(item) : failure(SEVERAL)
    if (found.length === 0) {
      if (result.error !== null && isNameless(item)) nameless ??= result.error
      else strangers.push(nameOf(item))
    }
    if (result.error !== null) faults.push(`${nameOf(item)}: ${result.error}`)
    for (const at of found) results[at] ??= result
    yield
  }
  // An error without a part number may be about any product that has no other result.
  const missing = failure(
    nameless ?? `The response does not contain this product${aboutOthers(strangers)}.`,
  )
  return { results: results.map((result) => result ?? missing), strangers, faults }
}

const SEVERAL =
  'The response has only a part number that several of the products share. Request them one at a time.'

function indexBy(products: readonly ProductIdentity[], key: (product: ProductIdentity) => string) {
  const index = Map.groupBy(products.keys(), (at) => key(products[at]!))
  index.delete('')
  return index
}

/** Skips products with a vendor part number if the item has another one. */
const fitting = (
  products: readonly ProductIdentity[],
  found: readonly number[],
  item: OfferItem,
) =>
  keyOf(item.vendorPartNumber) === ''
    ? found
    : found.filter((at) => keyOf(products[at]!.vendorPartNumber) === '')

/**
 * Whether products are the same thing, which may be in several catalogs. Two manufacturers may use
 * one part number.
 */
function isOneThing(products: readonly ProductIdentity[], found: readonly number[]): boolean {
  const isOne = (texts: readonly string[]) => new Set(texts).size === 1 && texts[0] !== ''
  return (
    found.length <= 1 ||
    isOne(found.map((at) => keyOf(products[at]!.manufacturer))) ||
    isOne(found.map((at) => keyOf(products[at]!.vendorPartNumber)))
  )
}

const isNameless = ({ vendorPartNumber, manufacturerPartNumber }: OfferItem): boolean =>
  !vendorPartNumber && !manufacturerPartNumber

const nameOf = ({ vendorPartNumber, manufacturerPartNumber }: OfferItem): string =>
  shownName((vendorPartNumber || manufacturerPartNumber || 'no part number').slice(0, NAMED_LENGTH))

const aboutOthers = (strangers: readonly string[]): string =>
  strangers.length === 0
    ? ''
    : `, but ${strangers.slice(0, NAMED).join(', ')}, which was not requested`
