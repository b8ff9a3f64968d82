import { anyOf, constant, namedClause, present, some } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { type Language, textField } from '../languages/language.ts'
import { singular } from '../products/catalog-words.ts'
import { roleTerm, type WordRole } from '../products/roles.ts'
import { quickPrefix } from '../products/search-fields.ts'
import { firstBytes } from '../products/short-value.ts'
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
import type { Alternative } from './understanding/alternative.ts'
import { requiredWords, type Understanding } from './understanding/understanding.ts'
import { recognisedValues } from './understanding/values.ts'
import { hasDigit, type Word } from './understanding/words.ts'
import { phrase, unfinishedMatches } from './word-matches.ts'

/** Scores of boosts. For comparison, a word in a name scores about 2. */
const RANKING = {
  /** The product is of the named type; more than a word in its name. */
  type: 3,
  /** A word other than the head may name the type, too: `printer hp`. */
  otherType: 0.5,
  /** Share of `type` for another spelling of the typed type, and for a synonym of it. */
  writtenShare: 0.8,
  synonymShare: 0.6,
  /** Share of `type` for a type of which only the beginning was typed. */
  begunShare: 0.9,
  /** Share of `type` for a type that is learned from the product's UNSPSC code. */
  codeShare: 0.8,
  brand: 0.5,
  /** A whole facet or attribute value. More would put HDMI-to-DVI cables first for `HDMI cable`. */
  value: 0.2,
  /** A manufacturer as the only word finds its own products before those `for Apple/Samsung`. */
  onlyBrand: 3,
  /** The words are the whole name or a part number; above similar products. */
  whole: 20,
  /** The name begins with the words. */
  begins: 2,
} as const

/** The reasons for a boost, by a word or by the product itself. */
type BoostingClause =
  | Signal
  | 'type'
  | 'brand'
  | 'value'
  | 'wholeNumber'
  | 'wholeName'
  | 'nameBegins'
  | 'brevity'

export interface RankingOptions {
  /** Names every clause, so that the answer shows what each adds to the score. */
  readonly explain?: boolean
  readonly signals?: Signals | undefined
  /** What is learned about the types of the catalog's products. */
  readonly learned?: LearnedTypes | undefined
}

/**
 * Boosts matching products: of the named type rather than for it, of the named manufacturer, with a
 * named value or the exact name, by signals, and among equal matches those with less text.
 */
export function rankingQueries(
  understanding: Understanding,
  { explain = false, signals = DEFAULT_SIGNALS, learned = NOTHING_LEARNED }: RankingOptions = {},
): Query[] {
  const { head, without, fields } = understanding
  const share = { type: 1, manufacturer: 1, ...fields }
  const wanted = requiredWords(understanding)
  const words = wanted.filter(({ measures }) => !measures)
  const named = (query: Query, name: BoostingClause, of?: string): Query =>
    namedClause(query, explain && partName('signal', name, of))
  const known = without?.has('learned') ? NOTHING_LEARNED : learned
  const isType = (word: Word): Query =>
    typeBoost(word, understanding, {
      boost: (word === head ? RANKING.type : RANKING.otherType) * share.type,
      learned: known,
    })
  const brand = wanted.length === 1 ? RANKING.onlyBrand : RANKING.brand
  const isBrand = ({ text }: Word) => roleQuery('brand', [text], brand * share.manufacturer)
  return [
    named(brevityQuery(wanted.length), 'brevity'),
    ...(without?.has('types') || share.type === 0
      ? []
      : words.map((word) => named(isType(word), 'type', word.text))),
    ...(without?.has('brands') || share.manufacturer === 0
      ? []
      : words.map((word) => named(isBrand(word), 'brand', word.text))),
    ...(without?.has('values')
      ? []
      : recognisedValues(understanding, learned.values).map(({ text, terms }) =>
          named(constant(hasValue(terms), RANKING.value), 'value', text),
        )),
    ...(without?.has('whole')
      ? []
      : wholeQueries(understanding).map(([name, query]) => named(query, name))),
    ...(without?.has('stock')
      ? []
      : signalQueries(signals).map(([name, query, of]) => named(query, name, of))),
  ]
}

/** Boosts products of the type that a word or its alternatives name, by their texts or codes. */
function typeBoost(
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

/** Accessory types that the search does not name. Their products are not of the head's type. */
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
 * Matches products that the head names: in the type, the name, a value (manufacturer, color) or a
 * part number, but not in a description alone. Undefined for searches of one word and for a head
 * that is a number. `scope` is the catalog.
 */
export function namedQuery(asked: Understanding, scope: string): Query | undefined {
  const { head, unfinished, language, words, alternatives } = asked
  const isNaming = head && !head.measures && !hasDigit(head.form)
  if (!isNaming || requiredWords(asked).length < 2) return undefined
  const others = alternatives.filter(({ last }) => words[last] === head).map(({ text }) => text)
  const fields = [textField(language, 'name'), textField(language, 'text')]
  return some([
    headType(asked, 0),
    anyOf('search.partNumbers', partNumberForms(head.form)),
    ...(head === unfinished ? unfinishedMatches(head, scope).map(({ filter }) => filter) : []),
    ...fields.flatMap((field) => [head.text, ...others].map((text) => phrase(field, text))),
  ])
}

/** Matches products of the type that the head names, or begins with if the head is unfinished. */
export const headType = (understanding: Understanding, boost: number): Query | undefined => {
  const { head, unfinished, language } = understanding
  if (!head) return undefined
  const type = typeQuery([head.text, ...otherWordsFor(head, understanding)], boost, language)
  return head === unfinished ? some([type, begunType(head, boost, language)]) : type
}

/** Most words of a text that can be a name, and fewest for the beginning of one. */
const WHOLE = { words: 16, begins: 3 } as const

/** All words as a name, or as a part number with or without the manufacturer before it. */
function wholeQueries({ words }: Understanding): (readonly [BoostingClause, Query])[] {
  if (words.length < 2 || words.length > WHOLE.words) return []
  const forms = [words, words.slice(1)].map((part) => part.map(({ form }) => form).join(''))
  const text = firstBytes(words.map((word) => word.text).join(' '))
  const begins = { prefix: { 'search.nameSort': fold(text) } }
  return [
    ['wholeNumber', constant({ terms: { 'search.partNumbers': forms } }, RANKING.whole)],
    ['wholeName', constant({ term: { 'search.nameSort': text } }, RANKING.whole)],
    ...(words.length < WHOLE.begins
      ? []
      : [['nameBegins', constant(begins, RANKING.begins)] as const]),
  ]
}

/** Matches products whose type or manufacturer is one of the texts. */
export const roleQuery = (role: WordRole, texts: readonly string[], boost: number): Query => {
  const forms = texts.map((text) => fold(text)).flatMap((text) => [text, singular(text)])
  const terms = [...new Set(forms)].map((form) => roleTerm(role, form))
  return constant({ terms: { 'search.roles': terms } }, boost)
}

/** Matches products of a type. Outside English, the language's analyzer compares types. */
export const typeQuery = (texts: readonly string[], boost: number, language: Language): Query =>
  language === 'en'
    ? roleQuery('type', texts, boost)
    : constant({ match: { [textField(language, 'types')]: { query: texts.join(' ') } } }, boost)

/**
 * Matches products of a type that begins with the unfinished word. Boosts those of a manufacturer
 * whose name begins with it as a whole word: GE Appliances for `ge`, but not Ode, Sons & Co.
 */
export function typePrefixQueries({ unfinished, language }: Understanding): Query[] {
  if (!unfinished) return []
  const maker = quickPrefix('m', fold(unfinished.text))
  const makers = [SEPARATOR, ' '].map((end): Query => ({ prefix: { 'search.quick': maker + end } }))
  return present([
    // The type adds no score here, since rankingQueries boosts it.
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

/** The last words of the alternatives for a word. */
export const otherWordsFor = (
  word: Word,
  { words, alternatives }: Understanding,
  isWanted: (alternative: Alternative) => boolean = () => true,
): string[] =>
  alternatives
    .filter((alternative) => words[alternative.last] === word && isWanted(alternative))
    .map(({ text }) => text.slice(text.lastIndexOf(' ') + 1))
