import { isNumberRole } from './columns.ts'
import type { NumberFit, ProductCandidate } from './fit.ts'
import type { Identifier } from './identifiers.ts'
import type { AskedLine } from './line.ts'
import { likelihood } from './ranking.ts'

/** What the numbers of a line say. */
export interface Judgement {
  readonly matched: ProductCandidate | undefined
  /** The products that it may be, the likeliest first. */
  readonly possible: readonly ProductCandidate[]
  /** Its words may find it where the numbers did not. */
  readonly open: boolean
}

/** A product that alone has a number of the line is its match, unless something contradicts. */
export function judge(line: AskedLine, candidates: readonly ProductCandidate[]): Judgement {
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

/** How a number was given, the surest way first. */
type NumberSource = 'label' | 'number' | 'phrase' | 'short' | 'words'
const WAYS: readonly NumberSource[] = ['label', 'number', 'phrase', 'short', 'words']

/** The candidates of the surest way, each with the numbers given in that way. */
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
  // Item numbers are the vendor's, the manufacturer's or our own.
  if (identifier.role === 'vendorPartNumber') return 'label'
  if (isShort(identifier)) return 'short'
  return isNumber(identifier) ? 'number' : 'phrase'
}

const GTIN_DIGITS = 12

/** One that is long enough is nothing else, wherever it stands. */
const isGtin = ({ identifier, kind }: Pick<NumberFit, 'identifier' | 'kind'>): boolean =>
  kind === 'gtin' && lengthOf(identifier) >= GTIN_DIGITS && !identifier.reference

const digitsOnly = ({ forms: [form = ''] }: Identifier): boolean => /^\p{N}+$/u.test(form)
const lengthOf = ({ forms: [form = ''] }: Identifier): number => form.length

const isShort = (identifier: Identifier): boolean =>
  lengthOf(identifier) < (digitsOnly(identifier) ? 5 : 4)

/** A code and not a name: digits, and in one piece but for spaces where a hand slipped. */
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

/** A number inside the longer one of another product means that one. */
function longest(candidates: readonly ProductCandidate[]): readonly ProductCandidate[] {
  const forms = candidates.map(longestForm)
  return candidates.filter(
    (_, at) =>
      !forms.some((other) => other.length > forms[at]!.length && other.includes(forms[at]!)),
  )
}

/** The line's manufacturer, and that several of its numbers agree, decide among several products. */
function narrowed(candidates: readonly ProductCandidate[]): readonly ProductCandidate[] {
  const same = candidates.filter(({ sameMaker }) => sameMaker === true)
  const rest = same.length > 0 ? same : candidates
  const counts = rest.map(({ fits }) => new Set(fits.map(({ identifier }) => identifier)).size)
  const most = Math.max(...counts)
  return most > 1 ? rest.filter((_, at) => counts[at] === most) : rest
}

const byLikelihood = (a: ProductCandidate, b: ProductCandidate): number =>
  likelihood(b) - likelihood(a) || (a.product.id < b.product.id ? -1 : 1)

/** The only product that has a number of the line, and all that were looked at. */
interface Evidence {
  readonly line: AskedLine
  readonly one: ProductCandidate
  readonly candidates: readonly ProductCandidate[]
}

/** Whether the only product that has the number is the match, by how the number was given. */
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

/** The line has a column for such numbers, and the number in it is of no product. */
const isDenied = (evidence: Evidence): boolean => unanswered(evidence).some(isNumber)

/** Another code, in a cell of its own, is nobody's: which of the two is meant nobody can tell. */
const hasRival = (evidence: Evidence): boolean =>
  evidence.one.foreign &&
  unanswered(evidence, (role) => role === undefined).some(
    (identifier) => isNumber(identifier) && !digitsOnly(identifier),
  )

/** Something that is no number stands where the number should. */
const isSwapped = (evidence: Evidence): boolean =>
  unanswered(evidence).some((identifier) => !isNumber(identifier))

const unanswered = (
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

/** `CB 436 A` is a code that was torn apart, `550 sheets` is none. */
const isCode = (text: string): boolean =>
  text.split(' ').every((part) => part.length <= 3 || /\p{N}/u.test(part))

/** A name for a part number, at the beginning of a text that says little else. */
function isSureName(evidence: Evidence): boolean {
  const { line, one } = evidence
  const hasDigit = one.fits.some(({ identifier }) => /\p{N}/u.test(identifier.forms[0]!))
  const isPlaced = !line.numbered || isSwapped(evidence)
  return hasDigit && isPlaced && one.coverage >= 0.95 && one.nameShare >= 0.85
}
