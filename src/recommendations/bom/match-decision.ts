import { isNumberRole } from './columns.ts'
import type { NumberFit, ProductCandidate } from './fit.ts'
import type { Identifier } from './identifiers.ts'
import type { AskedLine } from './line.ts'
import { likelihood } from './ranking.ts'

/** The result of matching the numbers of a line. */
export interface MatchDecision {
  readonly matched: ProductCandidate | undefined
  /** The products that it may be, the most likely first. */
  readonly possible: readonly ProductCandidate[]
  /** Whether to search by words as well. */
  readonly open: boolean
}

/** Matches the only product that has a number of the line, unless something contradicts it. */
export function decideMatch(
  line: AskedLine,
  candidates: readonly ProductCandidate[],
): MatchDecision {
  const { fitting, by } = chosen(candidates)
  if (fitting.length === 0) return { matched: undefined, possible: [], open: true }
  const left = narrowed(fitting).toSorted(byLikelihood)
  const [only] = left
  if (left.length > 1) return { matched: undefined, possible: left, open: by === 'words' }
  const isMatch = only!.sameMaker !== false && CHECKS[by]({ line, one: only!, candidates })
  return isMatch
    ? { matched: only, possible: [], open: false }
    : { matched: undefined, possible: left, open: true }
}

/** The ways in which a line gives a number, the most reliable first. */
type NumberSource = 'label' | 'number' | 'phrase' | 'short' | 'words'
const WAYS: readonly NumberSource[] = ['label', 'number', 'phrase', 'short', 'words']

/** The candidates found in the most reliable way, with the numbers given in that way. */
function chosen(candidates: readonly ProductCandidate[]): {
  fitting: readonly ProductCandidate[]
  by: NumberSource
} {
  for (const by of WAYS) {
    const fitting = candidates.flatMap((one) => {
      const fits = one.fits.filter((fit) => wayOf(fit) === by)
      return fits.length === 0 ? [] : [{ ...one, fits }]
    })
    if (fitting.length > 0) return { fitting: by === 'words' ? longest(fitting) : fitting, by }
  }
  return { fitting: [], by: 'words' }
}

function wayOf({ identifier, kind }: Pick<NumberFit, 'identifier' | 'kind'>): NumberSource {
  if (!identifier.stated) return isGtin({ identifier, kind }) ? 'number' : 'words'
  if (identifier.role === kind) return 'label'
  // An item number may be the vendor's, the manufacturer's or our own.
  if (identifier.role === 'vendorPartNumber') return 'label'
  if (isShort(identifier)) return 'short'
  return isNumber(identifier) ? 'number' : 'phrase'
}

const GTIN_DIGITS = 12

/** A number this long can only be a GTIN, wherever it occurs. */
const isGtin = ({ identifier, kind }: Pick<NumberFit, 'identifier' | 'kind'>): boolean =>
  kind === 'gtin' && lengthOf(identifier) >= GTIN_DIGITS && !identifier.reference

const digitsOnly = ({ forms: [form = ''] }: Identifier): boolean => /^\p{N}+$/u.test(form)
const lengthOf = ({ forms: [form = ''] }: Identifier): number => form.length

const isShort = (identifier: Identifier): boolean =>
  lengthOf(identifier) < (digitsOnly(identifier) ? 5 : 4)

/** Whether it is a code, not a name: it has digits and is one piece, apart from stray spaces. */
const isNumber = (identifier: Identifier): boolean =>
  !isShort(identifier) && /\p{N}/u.test(identifier.forms[0]!) && isOnePiece(identifier.text)

const isOnePiece = (text: string): boolean => {
  const parts = text.split(' ')
  return parts.length <= 2 || (parts.length <= 4 && parts.every((part) => part.length <= 3))
}

const longestForm = ({ fits }: ProductCandidate): string =>
  fits
    .map(({ identifier }) => identifier.forms[0]!)
    .reduce((best, form) => (form.length > best.length ? form : best), '')

/** Drops candidates whose number is only part of the longer number of another candidate. */
function longest(candidates: readonly ProductCandidate[]): readonly ProductCandidate[] {
  const forms = candidates.map(longestForm)
  return candidates.filter(
    (_, at) =>
      !forms.some((other) => other.length > forms[at]!.length && other.includes(forms[at]!)),
  )
}

/**
 * Narrows candidates to those of the line's manufacturer, then to those with the most numbers of
 * the line.
 */
function narrowed(candidates: readonly ProductCandidate[]): readonly ProductCandidate[] {
  const same = candidates.filter(({ sameMaker }) => sameMaker === true)
  const rest = same.length > 0 ? same : candidates
  const counts = rest.map(({ fits }) => new Set(fits.map(({ identifier }) => identifier)).size)
  const most = Math.max(...counts)
  return most > 1 ? rest.filter((_, at) => counts[at] === most) : rest
}

const byLikelihood = (a: ProductCandidate, b: ProductCandidate): number =>
  likelihood(b) - likelihood(a) || (a.product.id < b.product.id ? -1 : 1)

/** The only product with a number of the line, and all candidates. */
interface Evidence {
  readonly line: AskedLine
  readonly one: ProductCandidate
  readonly candidates: readonly ProductCandidate[]
}

/** Decides, by the way the number was given, whether the only product with it is the match. */
const CHECKS: Readonly<Record<NumberSource, (evidence: Evidence) => boolean>> = {
  label: () => true,
  number: (evidence) => !isDenied(evidence) && !hasRival(evidence),
  phrase: (evidence) =>
    !isDenied(evidence) &&
    !evidence.one.foreign &&
    evidence.one.coverage >= 0.75 &&
    (evidence.one.fits.some(({ identifier }) => identifier.role !== 'description') ||
      isSwapped(evidence)),
  short: (evidence) =>
    !isDenied(evidence) &&
    !evidence.one.foreign &&
    (evidence.one.sameMaker === true ||
      (evidence.one.coverage >= 0.5 && evidence.line.words.length > 1)),
  words: isFound,
}

/** Whether a column of numbers has a number that belongs to no candidate. */
const isDenied = (evidence: Evidence): boolean => unmatched(evidence).some(isNumber)

/** Whether another cell is a code of no candidate, so that either code may be meant. */
const hasRival = (evidence: Evidence): boolean =>
  evidence.one.foreign &&
  unmatched(evidence, (role) => role === undefined).some(
    (identifier) => isNumber(identifier) && !digitsOnly(identifier),
  )

/** Whether the column of numbers has something else, as when cells have changed places. */
const isSwapped = (evidence: Evidence): boolean =>
  unmatched(evidence).some((identifier) => !isNumber(identifier))

const unmatched = (
  { line: { identifiers }, candidates }: Evidence,
  isIn: (role: Identifier['role']) => boolean = isNumberRole,
): Identifier[] =>
  identifiers.filter(
    (identifier) =>
      identifier.stated &&
      isIn(identifier.role) &&
      !candidates.some(({ fits }) => fits.some((fit) => fit.identifier === identifier)),
  )

function isFound(evidence: Evidence): boolean {
  const { line, one } = evidence
  const fits = one.fits.filter(({ identifier }) => !identifier.reference)
  if (fits.length === 0 || isDenied(evidence)) return false
  if (one.foreign) return false
  const same = one.sameMaker === true
  const codes = fits.filter(({ identifier }) => isNumber(identifier) && isCode(identifier.text))
  if (codes.length === 0) return isSureName(evidence)
  const strong = codes.some(
    ({ identifier }) => lengthOf(identifier) >= (digitsOnly(identifier) ? 8 : 6),
  )
  if (same && one.coverage >= 0.75) return true
  return strong && (one.coverage >= 0.5 || (same && line.words.length <= 4))
}

/** `CB 436 A` is a code split by spaces, `550 sheets` is not. */
const isCode = (text: string): boolean =>
  text.split(' ').every((part) => part.length <= 3 || /\p{N}/u.test(part))

/** Whether a part number that is a name fits nearly all words of the line and of the product. */
function isSureName(evidence: Evidence): boolean {
  const { line, one } = evidence
  const hasDigit = one.fits.some(({ identifier }) => /\p{N}/u.test(identifier.forms[0]!))
  const isPlaced = !line.numbered || isSwapped(evidence)
  return hasDigit && isPlaced && one.coverage >= 0.95 && one.nameShare >= 0.85
}
