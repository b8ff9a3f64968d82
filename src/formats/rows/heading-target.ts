import { fold } from '../../text.ts'
import {
  type FieldTarget,
  IMPORTED_OFFER_FIELDS,
  type NamedField,
  nameProblem,
  PRODUCT_FIELDS,
  targetOf,
} from './fields.ts'
import { ENGLISH, GERMAN, heading, OTHERS, spelledOut } from './headings.ts'

const FIELD_NAMES = [
  ...Object.keys(IMPORTED_OFFER_FIELDS).map((name) => `vendor.${name}`),
  // Not what deletes, which must be meant: it has no other heading than that of jsonl.
  ...Object.keys(PRODUCT_FIELDS),
]
const DELETE = '_delete'

const byName = (names: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(names).flatMap(([field, list]) =>
    list.split(' ').map((name): [string, string] => [name, field]),
  )

// "Vendor Name" is vendorName, and only "vendor.name" itself is vendor.name: so the last one wins.
const BY_HEADING = new Map<string, string>([
  ...FIELD_NAMES.map((name): [string, string] => [heading(name), name]),
  ...byName(OTHERS),
  ...byName(GERMAN),
  ...byName(ENGLISH),
])

/** `facet: Color` and the like; the name keeps its spelling. */
export const NAMED = /^(attribute|facet|filter|option)\s*[:.]/i

/** What a heading names in so many words. */
export function headingTarget(text: string): FieldTarget | undefined {
  const exact = text.trim()
  const named = NAMED.exec(exact)
  const name = named ? exact.slice(named[0].length).trim() : ''
  if (named && name !== '' && nameProblem(name) === undefined) {
    return { to: named[1]!.toLowerCase() as NamedField, name }
  }
  if (exact === DELETE) return { to: 'product', field: 'delete' }
  const field = FIELD_NAMES.includes(exact) ? exact : BY_HEADING.get(heading(text))
  return field === undefined ? undefined : targetOf(field, null)
}

/** The same names with "number" in one spelling. */
export const BY_CANONICAL: ReadonlyMap<string, FieldTarget> = new Map(
  [...BY_HEADING].map(([name, field]) => [spelledOut(name), targetOf(field, null)!]),
)

/** What shoppers choose by, folded: in the languages of `headings.ts`. */
const CHOSEN_BY = new Set(
  [
    'color colour farbe couleur colore kleur size groesse grosse taille talla tamano taglia misura maat',
    'material matiere materiale materiaal pattern muster motif gender geschlecht genre',
  ].flatMap((words) => words.split(' ')),
)

/** What a column becomes under its own name: what shoppers choose by a facet, of variants an option. */
export function ownField(name: string, hasGroups: boolean): NamedField {
  if (!CHOSEN_BY.has(fold(name))) return 'attribute'
  return hasGroups ? 'option' : 'facet'
}
