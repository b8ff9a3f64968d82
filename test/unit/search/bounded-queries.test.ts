import { expect, test } from 'vitest'
import { atOnce } from '../../../src/platform/steps.ts'
import { criteriaOf } from '../../../src/search/criteria.ts'
import type { Mode } from '../../../src/search/cursor.ts'
import { searchBody } from '../../../src/search/queries.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'
import { NO_TUNING } from '../../../src/search/tuning/tuning.ts'
import { readingOf } from '../../../src/search/understanding/reading.ts'
import { createSynonyms, STARTER_SYNONYMS } from '../../../src/search/understanding/synonyms.ts'
import { distinct } from '../../../src/search/understanding/words.ts'
import { oddTexts } from '../../support/odd-texts.ts'

const WORDS = 'laptop monitor cable glove drill printer toner lamp bolt headset'.split(' ')
/** The maximum number of synonyms for a word. */
const OTHERS = Array.from({ length: 100 }, (_, at) => `other word ${at}`)
const synonyms = atOnce(
  createSynonyms(
    WORDS.map((word) => [[word], OTHERS]),
    STARTER_SYNONYMS,
  ),
)
const context = {
  ...({ organization: 'org', username: 'ann', scope: 'org/shop', language: 'en' } as const),
  tuning: { ...NO_TUNING, synonyms },
}

const CLAUSES = /"(?:terms?|match(?:_\w+)?|prefix|range|exists|function_score)":/g
const PREFIXES = /"prefix":/g
/** Queries that scan the terms of a field, or that parse a text as a query language. */
const FORBIDDEN = /"(?:wildcard|regexp|fuzzy|query_string|simple_query_string|script)":/

const counted = (value: unknown, pattern: RegExp): number =>
  (JSON.stringify(value ?? null).match(pattern) ?? []).length

/** The request for a text in which each word may be a misspelling of three others. */
function bodyOf(keywords: string, mode: Mode, typing: boolean) {
  const more = { highlight: true, explain: true, group: true, counts: true }
  const criteria = criteriaOf(SearchRequest.parse({ keywords, typing, ...more }))
  const reading = readingOf(criteria, context)
  const likely = WORDS.slice(0, 3)
  const corrections = new Map(distinct(reading.asked?.words ?? []).map((word) => [word, likely]))
  return searchBody(criteria, context, { reading: { ...reading, mode, corrections } })
}

test.each(Object.entries(oddTexts(WORDS)))('%s: the query has a limited size', (_, keywords) => {
  for (const mode of ['strict', 'relaxed', 'ofType'] as const) {
    for (const typing of [false, true]) {
      const { query, aggs, suggest, highlight, ...rest } = bodyOf(keywords, mode, typing)
      const parts = { query, aggs, highlight, rest }
      const all = Object.values(parts).reduce(
        (sum: number, part) => sum + counted(part, CLAUSES),
        0,
      )
      expect(all).toBeLessThan(4_000)
      expect(counted(parts, PREFIXES)).toBeLessThan(300)
      expect(Object.keys(suggest ?? {}).length).toBeLessThanOrEqual(64)
      expect(JSON.stringify(parts)).not.toMatch(FORBIDDEN)
    }
  }
})
