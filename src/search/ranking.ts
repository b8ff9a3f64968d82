import { anyOf, constant, named, present, some } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { type Language, textField } from '../languages/language.ts'
import { singular } from '../products/catalog-words.ts'
import { roleTerm, type WordRole } from '../products/roles.ts'
import { quickPrefix } from '../products/search-fields.ts'
import { fold, partNumberForms, SEPARATOR } from '../text.ts'
import { partName } from './clause-names.ts'
import { codeClause, type LearnedTypes, NOTHING_LEARNED } from './learning/learned-types.ts'
import { hasValue } from './learning/learned-values.ts'
import {
  brevityQuery,
  DEFAULT_SIGNALS,
  type Signal,
  type Signals,
  signalQueries,
} from './signals.ts'
import { type Alternative, type Understanding, wantedWords } from './understanding/understanding.ts'
import { recognisedValues } from './understanding/values.ts'
import { hasDigit, type Word } from './understanding/words.ts'
import { phrase, unfinishedMatches } from './word-matches.ts'

/** What a lift is worth; a word in a name is worth about 2. */
const RANKING = {
  /** What the product is; more than a word in its name. */
  type: 3,
  /** A word before the last may name the type, too: `printer hp`. */
  otherType: 0.5,
  /** What a type is worth, of the one that was typed: only written otherwise, or a synonym. */
  writtenShare: 0.8,
  synonymShare: 0.6,
  /** The same for a type of which the beginning was typed. */
  begunShare: 0.9,
  /** And for a type that its UNSPSC code has in this catalog, whatever its own texts say. */
  codeShare: 0.8,
  brand: 0.5,
  /** A value of a facet or an attribute, not only a word of it. With more, HDMI to DVI is an `HDMI cable` first. */
  value: 0.2,
  /** A word alone that is a maker asks for what he makes: above `for Apple/Samsung`. */
  onlyBrand: 3,
  /** The words are the whole name, or a part number: above whatever else is like it. */
  whole: 20,
  /** The name begins with them. */
  begins: 2,
} as const

/** What lifts a product, of a word or by itself. */
type LiftingClause =
  | Signal
  | 'type'
  | 'brand'
  | 'value'
  | 'wholeNumber'
  | 'wholeName'
  | 'nameBegins'
  | 'brevity'

export interface RankingOptions {
  /** Names every clause, so that an answer tells what each adds to the score. */
  readonly explain?: boolean
  readonly signals?: Signals | undefined
  /** What the products of the catalog say of their types. */
  readonly learned?: LearnedTypes | undefined
}

/**
 * Lifts among what matches: what is the thing above what is for it, the maker's own, what has a value
 * that is named, what is called just so, by the signals, and of products that match alike the one with less text.
 */
export function rankingQueries(
  understanding: Understanding,
  { explain = false, signals = DEFAULT_SIGNALS, learned = NOTHING_LEARNED }: RankingOptions = {},
): Query[] {
  const { head, without, fields } = understanding
  const share = { type: 1, manufacturer: 1, ...fields }
  const wanted = wantedWords(understanding)
  const words = wanted.filter(({ measures }) => !measures)
  const lift = (query: Query, name: LiftingClause, of?: string): Query =>
    named(query, explain ? partName('signal', name, of) : undefined)
  const known = without?.has('learned') ? NOTHING_LEARNED : learned
  const isType = (word: Word): Query =>
    typeLift(word, understanding, {
      boost: (word === head ? RANKING.type : RANKING.otherType) * share.type,
      learned: known,
    })
  const brand = wanted.length === 1 ? RANKING.onlyBrand : RANKING.brand
  const isBrand = ({ text }: Word) => roleQuery('brand', [text], brand * share.manufacturer)
  return [
    lift(brevityQuery(wanted.length), 'brevity'),
    ...(without?.has('types') || share.type === 0
      ? []
      : words.map((word) => lift(isType(word), 'type', word.text))),
    ...(without?.has('brands') || share.manufacturer === 0
      ? []
      : words.map((word) => lift(isBrand(word), 'brand', word.text))),
    ...(without?.has('values')
      ? []
      : recognisedValues(understanding, learned.values).map(({ text, terms }) =>
          lift(constant(hasValue(terms), RANKING.value), 'value', text),
        )),
    ...(without?.has('whole')
      ? []
      : wholeQueries(understanding).map(([name, query]) => lift(query, name))),
    ...(without?.has('stock')
      ? []
      : signalQueries(signals).map(([name, query, of]) => lift(query, name, of))),
  ]
}

/** What a word says that a product is, or what stands for it; or what its code says that it is. */
function typeLift(
  word: Word,
  understanding: Understanding,
  { boost, learned }: { readonly boost: number; readonly learned: LearnedTypes },
): Query {
  const { unfinished, language } = understanding
  const isOf = (texts: readonly string[], worth: number): Query[] =>
    texts.length === 0
      ? []
      : present([
          typeQuery(texts, boost * worth, language),
          codeClause(learned, texts, boost * worth * RANKING.codeShare),
        ])
  const alike = (isWanted: (alternative: Alternative) => boolean) =>
    otherWordsFor(word, understanding, isWanted)
  const queries = [
    ...isOf([word.text], 1),
    ...isOf(
      alike(({ kind }) => kind !== 'synonym'),
      RANKING.writtenShare,
    ),
    ...isOf(
      alike(({ kind }) => kind === 'synonym'),
      RANKING.synonymShare,
    ),
    ...(word === unfinished ? [begunType(word, boost * RANKING.begunShare, language)] : []),
  ]
  const best = queries.length === 1 ? queries[0]! : { dis_max: { queries } }
  const accessories = otherAccessories(word, understanding, learned)
  if (accessories.length === 0) return best
  return { bool: { must: [best], must_not: [typeQuery(accessories, 0, language)] } }
}

/** Accessories that nobody asks for: what is one of them, too, is not what the search names. */
function otherAccessories(
  word: Word,
  understanding: Understanding,
  { accessories }: LearnedTypes,
): string[] {
  const { head, unfinished, words, alternatives } = understanding
  if (word !== head || word === unfinished || accessories.length === 0) return []
  const texts = [...words, ...alternatives].flatMap(({ text }) => fold(text).split(' '))
  const asked = new Set(texts.flatMap((text) => [text, singular(text)]))
  return accessories.filter((accessory) => !asked.has(accessory))
}

/**
 * What the word that names the product names: that is its type, or stands in its name, among its
 * values (a maker, a colour) or its part numbers, and not in a description alone. Undefined where a
 * search has one word; a number names nothing. `scope` is the catalog.
 */
export function namedQuery(asked: Understanding, scope: string): Query | undefined {
  const { head, unfinished, language, words, alternatives } = asked
  const isNaming = head && !head.measures && !hasDigit(head.form)
  if (!isNaming || wantedWords(asked).length < 2) return undefined
  const others = alternatives.filter(({ last }) => words[last] === head).map(({ text }) => text)
  const fields = [textField(language, 'name'), textField(language, 'text')]
  return some([
    headType(asked, 0),
    anyOf('search.partNumbers', partNumberForms(head.form)),
    ...(head === unfinished ? unfinishedMatches(head, scope).map(({ filter }) => filter) : []),
    ...fields.flatMap((field) => [head.text, ...others].map((text) => phrase(field, text))),
  ])
}

/** What the word that names the product says it is; of an unfinished one what it begins. */
export const headType = (understanding: Understanding, boost: number): Query | undefined => {
  const { head, unfinished, language } = understanding
  if (!head) return undefined
  const type = typeQuery([head.text, ...otherWordsFor(head, understanding)], boost, language)
  return head === unfinished ? some([type, begunType(head, boost, language)]) : type
}

/** Longer texts are no names. */
const WHOLE = { words: 16, begins: 3 } as const

/** The words together as a part number, with the manufacturer before it or not, and as a name. */
function wholeQueries({ words }: Understanding): (readonly [LiftingClause, Query])[] {
  if (words.length < 2 || words.length > WHOLE.words) return []
  const forms = [words, words.slice(1)].map((part) => part.map(({ form }) => form).join(''))
  const text = words.map((word) => word.text).join(' ')
  const begins = { prefix: { 'search.nameSort': fold(text) } }
  return [
    ['wholeNumber', constant({ terms: { 'search.partNumbers': forms } }, RANKING.whole)],
    ['wholeName', constant({ term: { 'search.nameSort': text } }, RANKING.whole)],
    ...(words.length < WHOLE.begins
      ? []
      : [['nameBegins', constant(begins, RANKING.begins)] as const]),
  ]
}

/** One of the words names what a product is, or who makes it. */
export const roleQuery = (role: WordRole, texts: readonly string[], boost: number): Query => {
  const forms = texts.map((text) => fold(text)).flatMap((text) => [text, singular(text)])
  const terms = [...new Set(forms)].map((form) => roleTerm(role, form))
  return constant({ terms: { 'search.roles': terms } }, boost)
}

/** Outside of English the analysis of a language compares types. */
export const typeQuery = (texts: readonly string[], boost: number, language: Language): Query =>
  language === 'en'
    ? roleQuery('type', texts, boost)
    : constant({ match: { [textField(language, 'types')]: { query: texts.join(' ') } } }, boost)

/**
 * What is of a type that begins with the word that is being typed and, before it, what is of a maker
 * whose name begins with the whole word: GE Appliances, but not Ode, Sons & Co.
 */
export function begunTypes({ unfinished, language }: Understanding): Query[] {
  if (!unfinished) return []
  const maker = quickPrefix('m', fold(unfinished.text))
  const makers = [SEPARATOR, ' '].map((end): Query => ({ prefix: { 'search.quick': maker + end } }))
  return present([
    // A type is lifted by itself, see rankingQueries.
    some([begunType(unfinished, 0, language), constant(some(makers)!, RANKING.type)]),
  ])
}

const begunType = ({ text }: Word, boost: number, language: Language): Query => {
  const begun =
    language === 'en'
      ? { 'search.roles': roleTerm('type', fold(text)) }
      : { [textField(language, 'types')]: fold(text) }
  return constant({ prefix: begun }, boost)
}

/** The last words of what may stand for a word. */
export const otherWordsFor = (
  word: Word,
  { words, alternatives }: Understanding,
  isWanted: (alternative: Alternative) => boolean = () => true,
): string[] =>
  alternatives
    .filter((alternative) => words[alternative.last] === word && isWanted(alternative))
    .map(({ text }) => text.slice(text.lastIndexOf(' ') + 1))
