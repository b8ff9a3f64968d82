import { fold, keyedWords, wordSet } from '../../text.ts'
import {
  type FieldTarget,
  IMPORTED_OFFER_FIELDS,
  type NamedField,
  nameProblem,
  PRODUCT_FIELDS,
  targetOf,
} from './fields.ts'
import {
  ENGLISH,
  GERMAN,
  normalizeHeading,
  OTHERS,
  PURCHASE_PRICES,
  spelledOut,
} from './headings.ts'

const FIELD_NAMES = [
  ...Object.keys(IMPORTED_OFFER_FIELDS).map((name) => `vendor.${name}`),
  // Without `delete`, which must be deliberate and only has its own name as a heading.
  ...Object.keys(PRODUCT_FIELDS),
]
const DELETE = '_delete'

// "Vendor Name" is vendorName, and only "vendor.name" is vendor.name. So the last one wins.
const BY_HEADING = new Map<string, string>([
  ...FIELD_NAMES.map((name): [string, string] => [normalizeHeading(name), name]),
  ...keyedWords(' ', OTHERS),
  ...keyedWords(' ', GERMAN),
  ...keyedWords(' ', ENGLISH),
  ...keyedWords(' ', { 'vendor.cost': PURCHASE_PRICES }),
])

/** `facet: Color` and the like; the name keeps its spelling. */
export const NAMED = /^(attribute|facet|filter|option)\s*[:.]/i

/** The field that a heading names exactly. */
export function headingTarget(text: string): FieldTarget | undefined {
  const exact = text.trim()
  const named = NAMED.exec(exact)
  const name = named ? exact.slice(named[0].length).trim() : ''
  if (named && name !== '' && nameProblem(name) === undefined) {
    return { to: named[1]!.toLowerCase() as NamedField, name }
  }
  if (exact === DELETE) return { to: 'product', field: 'delete' }
  const field = FIELD_NAMES.includes(exact) ? exact : BY_HEADING.get(normalizeHeading(text))
  return field === undefined ? undefined : targetOf(field, null)
}

/** The headings with "number" in one spelling. */
export const BY_CANONICAL: ReadonlyMap<string, FieldTarget> = new Map(
  [...BY_HEADING].map(([name, field]) => [spelledOut(name), targetOf(field, null)!]),
)

/** Names of values by which shoppers choose, folded, in the languages of `headings.ts`. */
const SHOPPER_CHOICES = wordSet(' ', [
  'color colour farbe couleur colore kleur size groesse grosse taille talla tamano taglia misura maat',
  'material matiere materiale materiaal pattern muster motif gender geschlecht genre',
])

/**
 * The kind of value for a column without a field: a facet for shoppers' choices, an option if there
 * are variants, else an attribute.
 */
export function ownField(name: string, hasGroups: boolean): NamedField {
  if (!SHOPPER_CHOICES.has(fold(name))) return 'attribute'
  return hasGroups ? 'option' : 'facet'
}
