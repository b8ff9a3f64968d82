import { AisleError, type Input } from 'aisle-client'

type Change = Input<'updateProducts'>['product']

/** Fields that can be set for many products at once, with their labels. */
export const BULK_FIELDS = {
  category: 'Category',
  segment: 'Segment',
  subCategory: 'Subcategory',
  manufacturer: 'Manufacturer',
  unspsc: 'UNSPSC code',
  description: 'Description',
  image: 'Image URL',
  msrp: 'List price',
  hidden: 'Hidden from shoppers',
} as const
export type BulkField = keyof typeof BULK_FIELDS

/** A change as the form holds it; an empty text clears the field. */
export interface FieldChange {
  readonly field: BulkField
  readonly text: string
}

/** The `product` of Update Products. Throws AisleError. */
export function changeOf(changes: readonly FieldChange[]): Change {
  if (changes.length === 0) throw new AisleError(400, 'Choose at least one field to update.')
  return Object.fromEntries(changes.map(({ field, text }) => [field, given(field, text.trim())]))
}

function given(field: BulkField, text: string): string | number | boolean | null {
  if (field === 'hidden') return text === 'true'
  if (text === '') return null
  if (field !== 'msrp') return text
  const number = Number(text)
  if (!Number.isFinite(number)) throw new AisleError(400, 'product.msrp: must be a number')
  return number
}
