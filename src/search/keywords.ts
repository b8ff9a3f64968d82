import { constant, namedClause, present, some } from '../elastic/clauses.ts'
import type { Query } from '../elastic/search.ts'
import { grammarOf } from '../languages/grammar.ts'
import { type Language, textField } from '../languages/language.ts'
import { matchName, partName, wordName } from './clause-names.ts'
import { headType, namedQuery, otherWordsFor, roleQuery, typeQuery } from './ranking.ts'
import { requiredWords, type Understanding } from './understanding/understanding.ts'
import { distinct, hasDigit, runsOf, type Word } from './understanding/words.ts'
import {
  alternativeMatches,
  matchAll,
  partNumberMatches,
  partNumberOf,
  phrase,
  textMatches,
  unfinishedMatches,
  WEIGHTS,
  type WordMatch,
  withFieldWeights,
} from './word-matches.ts'

interface ClauseOptions extends Required<Omit<KeywordOptions, 'anchored'>> {
  /** The word that may still be incomplete. */
  readonly unfinished: Word | undefined
}

/** So few letters occur at the end of a part number of nearly every product. */
const FEW_LETTERS = /^\p{L}{1,2}$/u

/** Matches a short word only as a whole word of the name, a type or a manufacturer. */
function aloneMatches(word: Word, language: Language): WordMatch[] {
  const { text } = word
  const role = some([typeQuery([text], 1, language), roleQuery('brand', [text], 1)])!
  const named = textMatches(word, language).filter(({ field }) => field === 'name.whole')
  return [...named, { filter: role, weight: WEIGHTS.text, field: 'text', way: 'word', text }]
}

/** One clause for each distinct word: the best match of the word, or of a run that contains it. */
function wordClauses(
  understanding: Understanding,
  { scope, unfinished, explain, inside }: ClauseOptions,
): Query[] {
  const { words, alternatives, language } = understanding
  const runs = runsOf(words).map(({ first, last, form }) => {
    const parts = words.slice(first, last + 1)
    // A run scores the same as if each place of its words had a clause of its own.
    return { form, parts, exact: (WEIGHTS.exact * parts.length) / distinct(parts).length }
  })
  const asked = requiredWords(understanding)
  const isAlone = asked.length === 1 && FEW_LETTERS.test(asked[0]!.form)
  return asked.map((word, place) => {
    const typed = [
      ...(isAlone && !inside ? aloneMatches : textMatches)(word, language),
      ...partNumberOf(word, asked.length === 1),
      ...distinctRuns(runs.filter(({ parts }) => parts.includes(word))).flatMap(({ form, exact }) =>
        partNumberMatches(form, exact),
      ),
    ]
    const others = [
      ...alternatives
        .filter(({ first, last }) => words.slice(first, last + 1).includes(word))
        .flatMap((alternative) => alternativeMatches(alternative, language)),
      ...(word === unfinished ? unfinishedMatches(word, scope) : []),
    ]
    const clause = (match: WordMatch) =>
      namedClause(constant(match.filter, match.weight), explain && matchName(place, match))
    const { fields } = understanding
    const query = best(
      withFieldWeights(typed, fields).map(clause),
      withFieldWeights(others, fields).map(clause),
    )
    return namedClause(query, explain && partName('word', place))
  })
}

const TIE_BREAKER = 0.1

/** The better of the typed matches and the others. Several typed matches score a little more. */
function best(typed: readonly Query[], others: readonly Query[]): Query {
  const query = { dis_max: { queries: [...typed], tie_breaker: TIE_BREAKER } }
  return others.length === 0 ? query : { dis_max: { queries: [query, ...others] } }
}

/** Distinct runs, since repeated words form the same run in several places. */
const distinctRuns = <T extends { readonly form: string }>(runs: readonly T[]): T[] => [
  ...new Map(runs.map((run) => [run.form, run])).values(),
]

const ABSENT = ['no', 'without', 'ohne', 'kein', 'keine']

/** Matches unwanted words, except in products that say they lack them (`without`). */
function excludedClauses({ excluded, language }: Understanding): Query[] {
  const fields = [textField(language, 'name'), textField(language, 'text')]
  const absent = [...new Set([...ABSENT, ...grammarOf(language).absent])]
  return excluded.map(({ text }) => ({
    bool: {
      should: fields.map((field) => constant(matchAll(field, text), 1)),
      must_not: absent.flatMap((no) =>
        fields.map((field) => constant(phrase(field, `${no} ${text}`), 1)),
      ),
      minimum_should_match: 1,
    },
  }))
}

const excluding = (understanding: Understanding): { must_not?: Query[] } => {
  const clauses = excludedClauses(understanding)
  return clauses.length > 0 ? { must_not: clauses } : {}
}

export interface KeywordOptions {
  /** The catalog that is searched. */
  readonly scope: string
  /** Names every clause, so that the answer shows what each adds to the score. */
  readonly explain?: boolean
  /** Looks for a short word that stands alone inside other words, too. */
  readonly inside?: boolean
  /** `words`: a matched word must name the product; `type`: its type and all numbers must match. */
  readonly anchored?: 'words' | 'type'
}

/** A query for products that have all words. */
export function strictQuery(
  understanding: Understanding,
  { scope, explain = false, inside = false }: KeywordOptions,
): Query {
  const { unfinished } = understanding
  const must = wordClauses(understanding, { scope, unfinished, explain, inside })
  const excluded = excluding(understanding)
  return must.length === 1 && !excluded.must_not ? must[0]! : { bool: { must, ...excluded } }
}

/** The number of words that a product must have when none has all; at least one. */
export const fewerWords = (words: number): number => Math.max(1, Math.floor(words * 0.6))

/** Score of a matched word, so high that products with more words come first. */
export const WORD_MATCHED = 10_000

/**
 * The matched words must identify the product: by the head, its type or manufacturer, a number, or
 * any two words. `office` alone does not find an office chair. For `type`, all numbers must match.
 */
function anchors(
  understanding: Understanding,
  clauses: readonly Query[],
  anchored: 'words' | 'type',
): Query[] {
  const { head, language } = understanding
  const wanted = requiredWords(understanding)
  if (anchored === 'type') {
    const numbers = clauses.filter((_, at) => hasDigit(wanted[at]!.form))
    return present([headType(understanding, 1), ...numbers])
  }
  if (head === undefined || wanted.length < 2) return []
  const naming = clauses.filter((_, at) => wanted[at] === head || hasDigit(wanted[at]!.form))
  const texts = wanted.flatMap((word) => [
    word.text,
    ...otherWordsFor(word, understanding, ({ isGuess }) => !isGuess),
  ])
  const roles = [typeQuery(texts, 1, language), roleQuery('brand', texts, 1)]
  const several = { bool: { should: [...clauses], minimum_should_match: 2 } }
  const should = [...naming, ...roles, ...(wanted.length > 2 ? [several] : [])]
  return [{ bool: { should, minimum_should_match: 1 } }]
}

/**
 * A query for products that have some of the words, of which the last may be unfinished. Each
 * word's clause is named by its index among the wanted words.
 */
export function relaxedQuery(
  understanding: Understanding,
  { scope, explain = false, anchored }: KeywordOptions,
): Query {
  const { words } = understanding
  const unfinished = words.at(-1)
  const clauses = wordClauses(understanding, { scope, unfinished, explain, inside: false })
  const named = namedQuery({ ...understanding, unfinished }, scope)
  const wanted = requiredWords(understanding)
  const should = clauses.map((query, index) => {
    // The head counts as matched only in products that it names; others just mention it.
    const counts = wanted[index] === understanding.head && named ? named : { match_all: {} }
    return {
      bool: { _name: wordName(index), must: [query], should: [constant(counts, WORD_MATCHED)] },
    }
  })
  return {
    bool: {
      should,
      ...(anchored ? { filter: anchors(understanding, clauses, anchored) } : {}),
      minimum_should_match: fewerWords(should.length),
      ...excluding(understanding),
    },
  }
}
