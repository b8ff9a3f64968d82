import type { Hit } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import { mapSteps, type Steps } from '../platform/steps.ts'
import { pricesIn } from '../products/list-prices.ts'
import type { ViewableDocument } from '../products/view.ts'
import { type ClauseName, readClauseName, wordName } from './clause-names.ts'
import type { Criteria } from './criteria.ts'
import type { ExplainedReading, Explanation, ScorePart } from './explanation-schemas.ts'
import { WORD_MATCHED } from './keywords.ts'
import { createMatchLocator } from './match-locations.ts'
import { fittingPrice } from './offers.ts'
import { isByWords, orderKeys } from './sort.ts'
import type { Reading } from './understanding/reading.ts'
import { withCorrections } from './understanding/spelling.ts'
import { requiredWords } from './understanding/understanding.ts'
import type { Word } from './understanding/words.ts'

type ExplainedWord = Explanation['words'][number]

/** Elasticsearch scores are floats of about seven significant digits. */
const rounded = (score: number): number => Number(score.toFixed(3))

/** How the words of a search were understood; null without words. */
export function explainedReading({ mode, asked, corrections }: Reading): ExplainedReading {
  if (asked === undefined) return null
  const read = withCorrections(asked, corrections)
  return {
    mode: mode === 'strict' ? 'allWords' : 'fewerWords',
    words: requiredWords(read).map((word) => ({
      word: word.text,
      isType: word === read.head,
      alternatives: read.alternatives
        .filter(({ first, last }) => read.words.slice(first, last + 1).includes(word))
        // The ways to split a word are guesses; `matches` shows which one was right.
        .filter(({ first, last, kind }) => kind !== 'compound' || first < last)
        .map(({ text, kind }) => ({ text, kind })),
    })),
    optional: [...read.optional].map(({ text }) => text),
    excluded: read.excluded.map(({ text }) => text),
  }
}

/** Explains the position of each hit on a page by the names of the clauses that it matches. */
export function* explanationsOf(
  hits: readonly Hit<ViewableDocument>[],
  criteria: Criteria,
  { asked }: Reading,
): Steps<Explanation[]> {
  const words = asked ? requiredWords(asked) : []
  const explained = yield* mapSteps(hits, (hit) => ({ hit, parts: partsOf(hit, words, criteria) }))
  const explanations: Explanation[] = []
  for (const [at, { hit, parts }] of explained.entries()) {
    const next = explained[at + 1]
    const { product, listPrices } = hit._source!
    const listed = criteria.prices ? pricesIn(listPrices, criteria.prices) : undefined
    explanations.push({
      score: scoreOf(hit),
      parts,
      words: yield* wordsOf(
        hit,
        words,
        createMatchLocator(product, limits.explainedLength / hits.length),
      ),
      price: fittingPrice(product, criteria, listed),
      aboveNext: next
        ? {
            by: decidedBy(hit, next.hit, criteria),
            parts: differences(parts, next.parts),
          }
        : null,
    })
  }
  return explanations
}

const scoresOf = ({ matched_queries: scores = {} }: Hit<unknown>): [string, number][] =>
  Array.isArray(scores) ? [] : Object.entries(scores)

const namedScores = (hit: Hit<unknown>): [ClauseName, number][] =>
  scoresOf(hit).flatMap(([text, score]): [ClauseName, number][] => {
    const name = readClauseName(text)
    return name ? [[name, score]] : []
  })

const scoreOf = ({ _score: score }: Hit<unknown>): number | null =>
  typeof score === 'number' ? rounded(score) : null

const byScore = (a: { readonly score: number }, b: { readonly score: number }): number =>
  Math.abs(b.score) - Math.abs(a.score)

/** The parts of a score; empty when hits have no score. */
function partsOf(
  hit: Hit<unknown>,
  words: readonly Pick<Word, 'text'>[],
  criteria: Criteria,
): ScorePart[] {
  if (scoreOf(hit) === null) return []
  const parts = namedScores(hit).flatMap(([name, score]): ScorePart[] => {
    // In other orders, words only filter.
    if (name.type !== 'part' || (name.kind === 'word' && !isByWords(criteria))) return []
    const shown = name.kind === 'word' ? words[Number(name.name)]!.text : name.name
    const of = name.of === '' ? {} : { of: name.of }
    return [{ kind: name.kind, name: shown, ...of, score: rounded(score) }]
  })
  const places = new Set(words.map((_, place) => wordName(place)))
  // A named type that is only mentioned does not count as a matched word; see relaxedQuery.
  const isLifted = (score: number): boolean => score >= WORD_MATCHED
  const found = scoresOf(hit).filter(([name, of]) => places.has(name) && isLifted(of)).length
  if (found > 0 && isByWords(criteria)) {
    parts.push({ kind: 'words', name: 'found', score: found * WORD_MATCHED })
  }
  return parts.sort(byScore)
}

/** The matches of each word in a hit, best first; of equal matches only the best. */
function* wordsOf(
  hit: Hit<unknown>,
  words: readonly Word[],
  find: ReturnType<typeof createMatchLocator>,
): Steps<ExplainedWord[]> {
  const matches = words.map(() => new Map<string, ExplainedWord['matches'][number]>())
  for (const [name, score] of namedScores(hit)) {
    yield
    const word = name.type === 'match' ? words[name.word] : undefined
    if (name.type !== 'match' || !word) continue
    const found = { text: name.text, ...find({ ...name, measures: word.measures }) }
    const key = JSON.stringify(found)
    const known = matches[name.word]!.get(key)
    const match = { ...found, score: rounded(score) }
    if (!known || Math.abs(match.score) > Math.abs(known.score)) {
      matches[name.word]!.set(key, match)
    }
  }
  return words.map(({ text }, at) => ({
    word: text,
    matches: [...matches[at]!.values()].sort(byScore),
  }))
}

/** The first sort key in which two hits differ. */
function decidedBy(hit: Hit<unknown>, next: Hit<unknown>, criteria: Criteria) {
  // Only pinned products have no sort values.
  if (!hit.sort || !next.sort) return 'pin'
  const at = orderKeys(criteria).findIndex((_, key) => hit.sort?.[key] !== next.sort?.[key])
  return orderKeys(criteria)[at] ?? 'id'
}

const keyOf = ({ kind, name, of }: ScorePart): string => JSON.stringify([kind, name, of])

/** The differences between the parts of two scores. */
function differences(parts: readonly ScorePart[], others: readonly ScorePart[]): ScorePart[] {
  const byKey = new Map(others.map((part) => [keyOf(part), part]))
  const own = parts.map((part) => {
    const other = byKey.get(keyOf(part))
    byKey.delete(keyOf(part))
    return { ...part, score: rounded(part.score - (other?.score ?? 0)) }
  })
  const missing = [...byKey.values()].map((part) => ({ ...part, score: -part.score }))
  return [...own, ...missing].filter(({ score }) => score !== 0).sort(byScore)
}
