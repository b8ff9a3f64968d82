import { limits } from '../../limits.ts'
import { type FieldTarget, fieldOf, type MappedColumn, targetName } from './fields.ts'
import { contradicts, type FieldGuess, guessFields, isProse } from './guess-field.ts'
import { BY_CANONICAL, headingTarget, ownField } from './heading-target.ts'
import { canonical, isPurchasePrice } from './headings.ts'

/** The field that a column probably fills. */
export interface Suggestion extends MappedColumn {
  /** 0 to 1. From SURE on, an import without mappings uses it. */
  readonly confidence: number
}

/** Minimum confidence of columns that an import without mappings uses. */
export const SURE = 0.8

const EXACT = 1
const CONTRADICTED = 0.9
const SPELLED = 0.9
const MISSPELLED = 0.8
const DOUBT = 0.25
const OWN_NAME = 0.3
/** Minimum length of a misspelled word. In shorter ones, another letter makes another word. */
const MISSPELLABLE = 7
/**
 * Minimum length for prices and stocks, if the first letter is right, since they would be missed.
 */
const SHORTEST = 5
const CRITICAL_FIELDS = new Set(['vendor.cost', 'vendor.onHand'])

interface FieldCandidate extends FieldGuess {
  readonly index: number
}

/**
 * Suggests a field for each column, by its heading in any common spelling and by its values. Each
 * field goes to the most certain column. `headings` is null without a header.
 */
export function suggestColumns(
  headings: readonly string[] | null,
  rows: readonly (readonly string[])[],
): Suggestion[] {
  const width = rows.reduce((most, { length }) => Math.max(most, length), headings?.length ?? 0)
  const all: FieldCandidate[] = []
  for (let index = 0; index < width; index++) {
    const values = rows.map((cells) => cells[index] ?? '')
    for (const guess of guessesFor(headings?.[index] ?? '', values)) all.push({ index, ...guess })
  }
  all.sort((a, b) => b.confidence - a.confidence || a.index - b.index)
  const columns = new Set<number>()
  const fields = new Set<string>()
  const chosen: Suggestion[] = []
  for (const candidate of all) {
    const field = targetName(candidate.target)
    if (columns.has(candidate.index) || fields.has(field)) continue
    columns.add(candidate.index)
    fields.add(field)
    chosen.push(candidate)
  }
  const hasGroups = chosen.some(
    ({ target, confidence }) => targetName(target) === 'groupId' && confidence >= SURE,
  )
  const own = ({ target, ...rest }: FieldCandidate): FieldCandidate => {
    if (rest.confidence !== OWN_NAME || !('name' in target)) return { target, ...rest }
    const named = { to: ownField(target.name, hasGroups), name: target.name }
    return fields.has(targetName(named)) ? { target, ...rest } : { target: named, ...rest }
  }
  return chosen.map(own).sort((a, b) => a.index - b.index)
}

const REGULAR = new Set(['regularprice', 'retailprice', 'regularerpreis', 'normalpreis'])
const isRegularPrice = (heading: string): boolean => REGULAR.has(canonical(heading))

/** The regular price is the cost, or the `msrp` if another column has the cost. */
const REGULAR_PRICE: FieldGuess[] = [
  { target: { to: 'vendor', field: 'cost' }, confidence: 0.85 },
  { target: { to: 'product', field: 'msrp' }, confidence: 0.82 },
]

/** What a product costs the shop is its price if no other column has one. */
const PURCHASE_CONFIDENCE = 0.83

/** Headings of the product's name, if no other column has it and the values are words. */
const PRODUCT_WORDS = new Set('product produkt produit producto prodotto'.split(' '))
const PRODUCT_NAME: FieldGuess = { target: { to: 'product', field: 'name' }, confidence: 0.82 }

function guessesFor(heading: string, values: readonly string[]): FieldGuess[] {
  if (PRODUCT_WORDS.has(canonical(heading)) && isProse(values)) return [PRODUCT_NAME]
  const named = byName(heading)
  if (named) {
    const isDoubtful = contradicts(values, fieldOf(named.target))
    if (!isDoubtful) {
      if (isRegularPrice(heading)) return REGULAR_PRICE
      return [isPurchasePrice(heading) ? { ...named, confidence: PURCHASE_CONFIDENCE } : named]
    }
    const confidence = named.confidence === EXACT ? CONTRADICTED : named.confidence - DOUBT
    return [{ ...named, confidence }, ...guessFields(values)]
  }
  const name = heading.trim().slice(0, limits.nameLength)
  if (name === '' || name === '__proto__') return guessFields(values)
  // The heading says something else, which makes guesses by values less likely.
  return [
    ...guessFields(values, heading),
    { target: { to: 'attribute', name }, confidence: OWN_NAME },
  ]
}

/** The field of a correctly spelled heading; undefined if it is unknown. */
export function bySpelling(heading: string): FieldGuess | undefined {
  const exact = headingTarget(heading)
  if (exact) return { target: exact, confidence: EXACT }
  const spelled = BY_CANONICAL.get(canonical(heading))
  return spelled && { target: spelled, confidence: SPELLED }
}

const PICTURE =
  /^(?:product|produkt)?(?:image|img|picture|photo|foto|bild|imagen|immagine|afbeelding)(?:url|link)?(\d{1,2})(?:url|link)?$/

/** The number in a heading for pictures, such as 2 in `Image URL 2`; undefined for others. */
export function pictureNumber(heading: string): number | undefined {
  if (heading.length > limits.nameLength) return undefined
  const number = PICTURE.exec(canonical(heading))?.[1]
  return number === undefined ? undefined : Number(number)
}

/** The field of a heading, perhaps misspelled; undefined if it is unknown. */
export function byName(heading: string): FieldGuess | undefined {
  const spelled = bySpelling(heading)
  if (spelled) return spelled
  const name = canonical(heading)
  if (name.length < SHORTEST - 1 || name.length > limits.nameLength) return undefined
  if (pictureNumber(heading) !== undefined) return undefined
  const meant = SIMILAR_LENGTH.get(name.length)?.find(
    ({ known, target }) => isMisspellable(name, known, target) && isNearly(name, known),
  )
  return meant && { target: meant.target, confidence: MISSPELLED }
}

/** The known names that a misspelled one of this length may stand for, in their order. */
const SIMILAR_LENGTH = Map.groupBy(
  [...BY_CANONICAL].flatMap(([known, target]) =>
    [-1, 0, 1].map((more) => ({ known, target, length: known.length + more })),
  ),
  ({ length }) => length,
)

function isMisspellable(name: string, known: string, target: FieldTarget): boolean {
  if (name[0] !== known[0]) return false
  if (Math.min(name.length, known.length) >= MISSPELLABLE) return true
  return known.length >= SHORTEST && CRITICAL_FIELDS.has(targetName(target))
}

/** Whether two words of similar length differ by one added or missing letter, or two swapped ones. */
function isNearly(a: string, b: string): boolean {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const [restA, restB] = [a.slice(at), b.slice(at)]
  return (
    (restA === '' && restB === '') ||
    restA.slice(1) === restB ||
    restA === restB.slice(1) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2))
  )
}
