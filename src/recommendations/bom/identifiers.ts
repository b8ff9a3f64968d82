import { runsOf } from '../../search/understanding/words.ts'
import { normalisePartNumber, partNumberForms, wordSet } from '../../text.ts'
import type { Cell } from './cells.ts'
import { type ColumnRole, isNumberRole } from './columns.ts'

/** A text of a line that may name a product. */
export interface Identifier {
  readonly text: string
  /** Normalized as in the index, also without leading zeros. */
  readonly forms: readonly string[]
  /** The role of its column. */
  readonly role: ColumnRole | undefined
  /** Whether it is a whole cell or line, apart from the manufacturer, and not found among words. */
  readonly stated: boolean
  /** Whether it follows a word such as `for`, and so names what the product is compatible with. */
  readonly reference: boolean
}

const PRICE = /^[^\p{L}\d]*\d[\d.,]*[.,]\d{2}\s*(?:€|\$|£|eur|usd|chf|gbp)?$/iu
const WHOLE_NUMBER = /^(\d+)\.0+$/

/** Identifiers that are whole cells, in any column, since cells may be in the wrong one. */
export function identifiersInCells(cells: readonly Cell[]): Identifier[] {
  const stated = cells.flatMap(({ text, role }): Identifier[] => {
    if (!isNumberRole(role) && PRICE.test(text)) return []
    const forms = partNumberForms(text.replace(WHOLE_NUMBER, '$1'))
    return forms.length === 0 ? [] : [{ text, forms, role, stated: true, reference: false }]
  })
  // Of two equal cells, the one in a column of numbers says more.
  return stated.toSorted((a, b) => Number(isNumberRole(b.role)) - Number(isNumberRole(a.role)))
}

const REFERENCE = wordSet(' ', [
  'for fur fuer compatible kompatibel passend replaces replacing replacement ersetzt ersatz equivalent aquivalent alternative statt anstelle like wie',
])
const REFERENCE_WORDS = 4
/** Maximum number of words at the beginning of a text that are tried as one identifier. */
const LEADING_WORDS = 24
const SHORTEST = 4
const SHORTEST_DIGITS = 5
const SHORTEST_PHRASE = 8

/**
 * Identifiers among words: single words, adjacent parts of a split number, or the beginning of the
 * text.
 */
export function identifiersInText(text: string): Identifier[] {
  const words = text.split(' ').map((word) => ({ text: word, form: normalisePartNumber(word) }))
  const spans = [
    ...words.map((_, at) => ({ first: at, last: at })),
    ...runsOf(words),
    ...words.slice(1, LEADING_WORDS).map((_, at) => ({ first: 0, last: at + 1 })),
  ]
  return spans
    .map(({ first, last }): Identifier => {
      const span = words.slice(first, last + 1)
      const before = words.slice(Math.max(0, first - REFERENCE_WORDS), first)
      return {
        text: span.map((word) => word.text).join(' '),
        forms: partNumberForms(span.map(({ form }) => form).join('')),
        role: undefined,
        stated: false,
        reference: before.some(({ form }) => REFERENCE.has(form)),
      }
    })
    .filter((one) => isLikely(one.forms[0] ?? '') || isPhrase(one.text, one.forms[0] ?? ''))
}

const isLikely = (form: string): boolean =>
  /\p{N}/u.test(form) && form.length >= (/^\p{N}+$/u.test(form) ? SHORTEST_DIGITS : SHORTEST)

/** Some products have a name as their part number. */
const isPhrase = (text: string, form: string): boolean =>
  text.includes(' ') && form.length >= SHORTEST_PHRASE

/** Removes repeated forms. Stated identifiers come first and are kept. */
export function unique(identifiers: readonly Identifier[]): Identifier[] {
  const seen = new Set<string>()
  return identifiers.filter(({ forms }) => !seen.has(forms[0]!) && seen.add(forms[0]!))
}
