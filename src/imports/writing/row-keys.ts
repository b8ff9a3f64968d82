import { hashedId } from '../../elastic/collection.ts'
import type { RowChange } from '../../formats/rows/row-change.ts'
import { memoizeWeak } from '../../platform/memoize-weak.ts'
import type { Product } from '../../products/product.ts'
import { normalisePartNumber, token } from '../../text.ts'

/** Kinds of keys that identify a product when a row has no id, in this order. */
export type KeyKind = 'part' | 'vendorPart' | 'upc'

export interface RowKey {
  readonly kind: KeyKind
  /** The vendor of a vendor's number. */
  readonly vendor?: string
  /** Equal texts mean the same product. Trimmed and lowercase, but not normalized. */
  readonly text: string
  /** The number in the key, as indexed in `search.partNumbers`. */
  readonly number: string
}

const same = (text: string): string => text.trim().toLowerCase()

type NumberOf = readonly [kind: KeyKind, number: string | null | undefined, owner?: string | null]

const textOf = (kind: KeyKind, number: string, owner?: string): string =>
  token(kind, ...(owner === undefined ? [] : [same(owner)]), same(number))

/** A key whose number has no letter or digit identifies nothing. */
function keyOf([kind, number, owner]: NumberOf): RowKey[] {
  const form = number ? normalisePartNumber(number) : ''
  if (form === '' || owner === null || owner === '') return []
  const vendor = kind === 'vendorPart' ? { vendor: same(owner!) } : {}
  return [{ kind, ...vendor, text: textOf(kind, number!, owner), number: form }]
}

/**
 * Whether a product has at most one of these keys, however their manufacturers are spelled. UPCs
 * count as one.
 */
export const isRival = (one: RowKey, other: RowKey): boolean =>
  one.kind === other.kind && one.vendor === other.vendor

interface ProductNumbers {
  readonly manufacturer?: string | null | undefined
  readonly manufacturerPartNumber?: string | null | undefined
  readonly upcs?: readonly string[] | undefined
}
type OfferNumbers = readonly {
  readonly vendorName: string
  readonly vendorPartNumber?: string | null
}[]

const numbersOf = (named: ProductNumbers, offers: OfferNumbers): NumberOf[] => [
  ['part', named.manufacturerPartNumber, named.manufacturer ?? null],
  ...offers.map((offer): NumberOf => ['vendorPart', offer.vendorPartNumber, offer.vendorName]),
  ...(named.upcs ?? []).map((upc): NumberOf => ['upc', upc]),
]

const keys = (named: ProductNumbers, offers: OfferNumbers): RowKey[] =>
  numbersOf(named, offers).flatMap(keyOf)

/** All keys of a row, strongest kind first. */
export const keysOfRow = ({ patch, offers }: RowChange): RowKey[] => keys(patch, offers)

/** The fields of a product from which keys are made. */
export type KeyedProduct = Pick<
  Product,
  'manufacturer' | 'manufacturerPartNumber' | 'upcs' | 'vendors'
>

/** All keys of a product, memoized because thousands of rows may name one. */
export const keysOfProduct = memoizeWeak((product: KeyedProduct): readonly RowKey[] =>
  keys(product, product.vendors),
)

/** The texts of a product's keys, and of numbers without letters or digits, which no row has. */
export const keyTexts = (product: KeyedProduct): string[] =>
  numbersOf(product, product.vendors).flatMap(([kind, number, owner]) =>
    number && owner !== null && owner !== '' ? [textOf(kind, number, owner)] : [],
  )

/** The keys of the strongest kind; only vendor numbers and UPCs have several. */
export function leadingKeys(all: readonly RowKey[]): RowKey[] {
  const [first] = all
  return first ? all.filter(({ kind }) => kind === first.kind) : []
}

const ID_LENGTH = 22

/** The id of a product created by a row without one: 132 bits of the hash of its first key. */
export const idFromKey = ({ text }: RowKey): string => hashedId([text]).slice(0, ID_LENGTH)
