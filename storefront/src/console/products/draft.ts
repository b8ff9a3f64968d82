import { AisleError, type Answer } from 'aisle-client'

/** A product as an editor gets it. */
export type EditedProduct = Answer<'getProduct'>
type EditedOffer = NonNullable<EditedProduct['vendors']>[number]

export const TEXTS = [
  'name',
  'description',
  'manufacturer',
  'manufacturerPartNumber',
  'segment',
  'category',
  'subCategory',
  'unspsc',
  'image',
  'groupId',
] as const
export type TextField = (typeof TEXTS)[number]

export const NAMED = ['facets', 'attributes', 'filters', 'options'] as const
type NamedField = (typeof NAMED)[number]

export type Pair = readonly [name: string, value: string]

/** An offer in the form; `before` is the offer that it changes, if it is not new. */
export interface OfferDraft {
  readonly before: EditedOffer | undefined
  readonly vendorName: string
  readonly vendorPartNumber: string
  readonly cost: string
  readonly onHand: string
}

/** A product as the form holds it; all values are strings. */
export interface Draft {
  readonly texts: Readonly<Record<TextField, string>>
  readonly msrp: string
  /** One per line. */
  readonly upcs: string
  readonly named: Readonly<Record<NamedField, readonly Pair[]>>
  readonly offers: readonly OfferDraft[]
}

const textOf = (number: number | null): string => (number === null ? '' : String(number))

export function draftOf(product: EditedProduct): Draft {
  const pairs = (field: NamedField) =>
    Object.entries(product[field] ?? {}).map(([name, value]): Pair => [name, String(value)])
  const each = <K extends string, T>(keys: readonly K[], of: (key: K) => T) =>
    Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, T>
  return {
    texts: each(TEXTS, (field) => product[field] ?? ''),
    msrp: textOf(product.msrp),
    upcs: (product.upcs ?? []).join('\n'),
    named: each(NAMED, pairs),
    offers: (product.vendors ?? []).map((offer) => ({
      before: offer,
      vendorName: offer.vendorName,
      vendorPartNumber: offer.vendorPartNumber ?? '',
      cost: textOf(offer.cost),
      onHand: textOf(offer.onHand),
    })),
  }
}

/** The changed fields, as Update Product expects them. Throws AisleError. */
export function patchOf(draft: Draft, product: EditedProduct): Record<string, unknown> {
  const before = draftOf(product)
  const patch: Record<string, unknown> = {}
  for (const field of TEXTS) {
    const text = draft.texts[field].trim()
    if (text !== before.texts[field]) patch[field] = text || null
  }
  if (draft.msrp !== before.msrp) patch.msrp = numberOf('msrp', draft.msrp)
  if (draft.upcs !== before.upcs) {
    patch.upcs = draft.upcs
      .split('\n')
      .map((upc) => upc.trim())
      .filter((upc) => upc !== '')
  }
  for (const field of NAMED) {
    if (differs(draft.named[field], before.named[field])) {
      patch[field] = namedOf(field, draft.named[field])
    }
  }
  if (differs(draft.offers, before.offers)) patch.vendors = draft.offers.map(offerOf)
  return patch
}

const differs = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) !== JSON.stringify(other)

function numberOf(place: string, text: string): number | null {
  if (text.trim() === '') return null
  const number = Number(text)
  if (!Number.isFinite(number)) throw new AisleError(400, `${place}: must be a number`)
  return number
}

function namedOf(field: NamedField, pairs: readonly Pair[]): Record<string, string | number> {
  const named = new Map<string, string | number>()
  for (const [given, value] of pairs) {
    const name = given.trim()
    if (name === '' && value.trim() === '') continue
    if (name === '') throw new AisleError(400, `${field}: “${value}” needs a name`)
    if (named.has(name)) throw new AisleError(400, `${field}: ${name} appears twice`)
    const read = field === 'filters' ? numberOf(`${field}.${name}`, value) : value.trim()
    if (read !== null && read !== '') named.set(name, read)
  }
  return Object.fromEntries(named)
}

/** Keeps an offer's properties that the form does not show. A changed quantity determines `inStock`. */
function offerOf(draft: OfferDraft, at: number) {
  const { before } = draft
  const onHand = numberOf(`vendors[${at}].onHand`, draft.onHand)
  const isAsBefore = before !== undefined && before.onHand === onHand
  return {
    ...(before ? { status: before.status, name: before.name } : {}),
    vendorName: draft.vendorName.trim(),
    vendorPartNumber: draft.vendorPartNumber.trim() || null,
    cost: numberOf(`vendors[${at}].cost`, draft.cost),
    onHand,
    ...(isAsBefore ? { inStock: before.inStock } : {}),
  }
}
