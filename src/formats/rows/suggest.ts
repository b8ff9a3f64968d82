import { limits } from '../../limits.ts'
import { type FieldTarget, fieldOf, type MappedColumn, targetName } from './fields.ts'
import { contradicts, type FieldGuess, guessFields, isProse } from './guess-field.ts'
import { BY_CANONICAL, headingTarget, ownField } from './heading-target.ts'
import { canonical } from './headings.ts'

/** What a column probably fills. */
export interface Suggestion extends MappedColumn {
  /** 0 to 1; from SURE on an import believes it. */
  readonly confidence: number
}

/** An import without mappings uses what is at least as sure as this. */
export const SURE = 0.8

const EXACT = 1
const CONTRADICTED = 0.9
const SPELLED = 0.9
const MISSPELLED = 0.8
const DOUBT = 0.25
const OWN_NAME = 0.3
/** Shorter words are other words when one letter differs. */
const MISSPELLABLE = 7
/** But what is missed at once, a price or a stock, is known by its first letter and the rest. */
const SHORTEST = 5
const MISSED = new Set(['vendor.cost', 'vendor.onHand'])

interface FieldCandidate extends FieldGuess {
  readonly index: number
}

/**
 * What each column fills, by its heading (English or German, as people spell them) and by its
 * values; a field once, for the column that is surest. `headings` is null without a header.
 */
export function suggest(
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

/** What a product costs, unless another column says it: then what it did before a reduction. */
const REGULAR_PRICE: FieldGuess[] = [
  { target: { to: 'vendor', field: 'cost' }, confidence: 0.85 },
  { target: { to: 'product', field: 'msrp' }, confidence: 0.82 },
]

/** What products are called where nothing else is their name, and numbered where something is. */
const THINGS = new Set('product produkt produit producto prodotto'.split(' '))
const THING: FieldGuess = { target: { to: 'product', field: 'name' }, confidence: 0.82 }

function guessesFor(heading: string, values: readonly string[]): FieldGuess[] {
  if (THINGS.has(canonical(heading)) && isProse(values)) return [THING]
  const named = byName(heading)
  if (named) {
    const isDoubtful = contradicts(values, fieldOf(named.target))
    if (!isDoubtful) return isRegularPrice(heading) ? REGULAR_PRICE : [named]
    const confidence = named.confidence === EXACT ? CONTRADICTED : named.confidence - DOUBT
    return [{ ...named, confidence }, ...guessFields(values)]
  }
  const name = heading.trim().slice(0, limits.nameLength)
  if (name === '' || name === '__proto__') return guessFields(values)
  // A heading that says something else: its values make it less likely.
  return [
    ...guessFields(values, heading),
    { target: { to: 'attribute', name }, confidence: OWN_NAME },
  ]
}

/** What a heading names that is spelled well; undefined for what is not known. */
export function bySpelling(heading: string): FieldGuess | undefined {
  const exact = headingTarget(heading)
  if (exact) return { target: exact, confidence: EXACT }
  const spelled = BY_CANONICAL.get(canonical(heading))
  return spelled && { target: spelled, confidence: SPELLED }
}

const PICTURE =
  /^(?:product|produkt)?(?:image|img|picture|photo|foto|bild|imagen|immagine|afbeelding)(?:url|link)?(\d{1,2})(?:url|link)?$/

/** Which of several pictures a column has, by its heading: 2 of `Image URL 2`; undefined for others. */
export function pictureNumber(heading: string): number | undefined {
  if (heading.length > limits.nameLength) return undefined
  const number = PICTURE.exec(canonical(heading))?.[1]
  return number === undefined ? undefined : Number(number)
}

/** What a heading names; undefined for what is not known. */
export function byName(heading: string): FieldGuess | undefined {
  const spelled = bySpelling(heading)
  if (spelled) return spelled
  const name = canonical(heading)
  if (name.length < SHORTEST - 1 || name.length > limits.nameLength) return undefined
  if (pictureNumber(heading) !== undefined) return undefined
  for (const [known, target] of BY_CANONICAL) {
    if (isMisspellable(name, known, target) && isNearly(name, known)) {
      return { target, confidence: MISSPELLED }
    }
  }
  return undefined
}

function isMisspellable(name: string, known: string, target: FieldTarget): boolean {
  if (Math.min(name.length, known.length) >= MISSPELLABLE) return true
  return known.length >= SHORTEST && name[0] === known[0] && MISSED.has(targetName(target))
}

/** Whether a letter too many, one missing or two swapped make one of the other. */
function isNearly(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
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
