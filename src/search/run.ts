import type { PricesInEffect } from '../catalogs/price-lists/in-effect.ts'
import { countIn } from '../elastic/answer-parts.ts'
import type { SearchAnswer } from '../elastic/search.ts'
import { limits } from '../limits.ts'
import type { Steps } from '../platform/steps.ts'
import type { Product } from '../products/product.ts'
import type { ViewableDocument } from '../products/view.ts'
import { groupsOf, groupTotal } from './count-groups.ts'
import { countBody, countQuery, suggestionsBody } from './count-queries.ts'
import type { Criteria } from './criteria.ts'
import { type CursorPosition, type Mode, writeCursor } from './cursor.ts'
import { explanationsOf } from './explanation.ts'
import type { Explanation } from './explanation-schemas.ts'
import { aboutGroups } from './groups.ts'
import { metadataOf } from './metadata.ts'
import type { Metadata } from './metadata-response.ts'
import { findPins } from './pinned-products.ts'
import type { PlacedPin } from './pins.ts'
import { metadataBody, searchBody } from './queries.ts'
import {
  type FoundProductView,
  pageWith,
  productsOf,
  type ReadWords,
  readWords,
  ruledBy,
  totalOf,
} from './results.ts'
import {
  positionOf,
  printOf,
  ruledCriteria,
  type SearchTarget,
  searchContextOf,
  walkOf,
  withoutChangedPins,
} from './target.ts'
import { NO_WORDS, type Reading, readingOf } from './understanding/reading.ts'
import { correctionsIn } from './understanding/spelling.ts'
import {
  visibleSuggestions,
  visibleWordsBody,
  wordsLikeBody,
} from './understanding/visible-words.ts'

/** The result of a search. `metadata` and `cursor` are present only if requested. */
export interface SearchResult extends ReadWords {
  readonly products: readonly FoundProductView[]
  /** The same products as they are stored. Not part of the answer. */
  readonly stored: readonly Product[]
  /** Explains the position of each product, which takes a while; present with `explain`. */
  readonly explanations?: Steps<Explanation[]>
  readonly total: number
  readonly metadata?: Metadata
  readonly cursor?: string
  readonly rules?: readonly string[]
  readonly redirect?: string
  readonly priceList?: Pick<PricesInEffect, 'name' | 'currency'>
}

/** Searches a catalog. Throws Invalid for a cursor that belongs to another search. */
export async function runSearch(target: SearchTarget, request: Criteria): Promise<SearchResult> {
  const asked = ruledCriteria(target, request)
  const print = printOf(target, asked)
  const position = positionOf(target, asked, print)
  const criteria = withoutChangedPins(asked, position)
  const walk = await walkOf(target, criteria, position)
  try {
    return await pageOf({ ...target, walk }, criteria, { print, position })
  } catch (error) {
    // Later pages can be retried, but nobody has a cursor of a failed first page.
    if (walk && !position) target.walks?.leave(walk, undefined)
    throw error
  }
}

interface PageStart {
  readonly print: string
  readonly position: CursorPosition | undefined
}

async function pageOf(
  target: SearchTarget,
  criteria: Criteria,
  page: PageStart,
): Promise<SearchResult> {
  const pins = await findPins(target, criteria)
  const { answer, reading } = await answerOf(target, criteria, { ...page, pins })
  const others = criteria.group ? aboutGroups(answer) - pins.length : totalOf(answer)
  const { hits, next } = pageWith(criteria, { ...page, answer, pins, others })
  const [metadata, groups, total] = await Promise.all([
    criteria.metadata ? metadataOf(target, criteria, { answer, reading }) : undefined,
    criteria.group ? groupsOf(target, criteria, { hits, reading }) : undefined,
    criteria.group ? groupTotal(target, criteria, { answer, reading }) : others + pins.length,
  ])
  const { walks, walk } = target
  const left = walk && walks?.leave(walk, next && answer.pit_id)
  const goesOn = next && { ...next, mode: reading.mode, walk: left }
  const cursor = goesOn && walks?.seal(writeCursor(page.print, goesOn))
  return {
    products: productsOf(hits, criteria, { reading, viewer: target.viewer, groups }),
    stored: hits.map(({ _source }) => _source!.product),
    ...(criteria.explain ? { explanations: explanationsOf(hits, criteria, reading) } : {}),
    total,
    ...(metadata ? { metadata } : {}),
    ...(cursor === undefined ? {} : { cursor }),
    ...readWords(hits, criteria, reading),
    ...ruledBy(criteria, target),
    ...shownList(criteria),
  }
}

const shownList = ({ prices }: Criteria): Pick<SearchResult, 'priceList'> =>
  prices ? { priceList: { name: prices.name, currency: prices.currency } } : {}

interface ReadAnswer {
  readonly answer: SearchAnswer<ViewableDocument>
  readonly reading: Reading
}

/** Requests a page. Later pages of a walk keep the reading of the first one. */
async function answerOf(
  target: SearchTarget,
  criteria: Criteria,
  { position, pins }: PageStart & { pins: readonly PlacedPin[] },
): Promise<ReadAnswer> {
  const { products, signal, walk } = target
  const context = searchContextOf(target)
  const options = { signal, pointInTime: walk?.pointInTime, most: limits.answerBytes }
  const ask = (reading: Reading) =>
    products.search(searchBody(criteria, context, { reading, position, pins }), options)
  if (!position) return bestReading(target, criteria, { ask, pinned: pins.length })
  const reading = await readingIn(target, criteria, position.mode)
  return { answer: await ask(reading), reading }
}

interface ReadingSearch {
  readonly ask: (reading: Reading) => Promise<SearchAnswer<ViewableDocument>>
  /** Number of pinned products, which are found in any case. */
  readonly pinned?: number
}

/**
 * Searches for all words first. If they match nothing, one more request looks for fewer or
 * misspelled ones. If no match is what the words name, it looks for that type with fewer words.
 */
async function bestReading(
  target: SearchTarget,
  criteria: Criteria,
  { ask, pinned = 0 }: ReadingSearch,
): Promise<ReadAnswer> {
  const asked = readingOf(criteria, target)
  const strict = { answer: await ask(asked), reading: asked }
  if (criteria.keywords === null || criteria.begunTypes) return strict
  const isMatched = countIn(strict.answer, 'any') > 0
  if (isMatched && countIn(strict.answer, 'named') === 0) {
    const reading: Reading = { ...asked, mode: 'ofType' }
    const answer = await ask(reading)
    return countIn(answer, 'any') > 0 ? { answer, reading } : strict
  }
  if (isMatched || totalOf(strict.answer) + pinned > 0) return strict
  const reading = await relaxedBy(target, strict.answer, asked)
  const answer = await ask(reading)
  // All words match something that the selections exclude, so the empty result is right.
  return countIn(answer, 'strict') > 0 ? strict : { answer, reading }
}

/** The relaxed reading, with corrections from the suggestions of the answer. */
async function relaxedBy(
  target: SearchTarget,
  answer: SearchAnswer<unknown>,
  reading: Reading,
): Promise<Reading> {
  const { narrowed } = searchContextOf(target)
  const suggest = narrowed ? await visibleWordsLike(target, reading) : answer.suggest
  const corrections = reading.asked ? correctionsIn(suggest, reading.asked) : new Map()
  return { ...reading, mode: 'relaxed', corrections }
}

/** Spelling suggestions that only use words of products visible to the caller. */
async function visibleWordsLike(
  { products, signal }: SearchTarget,
  { asked }: Reading,
): Promise<SearchAnswer<unknown>['suggest']> {
  const likely = asked && wordsLikeBody(asked, products.place.scope!)
  if (!likely) return undefined
  const { suggest } = await products.search(likely, { signal })
  const body = visibleWordsBody(suggest)
  return body && visibleSuggestions(suggest, await products.search(body, { signal }))
}

/** The reading of a search whose mode is known from its first page. */
export async function readingIn(
  target: SearchTarget,
  criteria: Criteria,
  mode: Mode,
): Promise<Reading> {
  const asked = readingOf(criteria, target)
  return mode === 'relaxed' ? relaxedReading(target, asked) : { ...asked, mode }
}

/** The relaxed reading when there is no answer with suggestions yet. */
async function relaxedReading(target: SearchTarget, reading: Reading): Promise<Reading> {
  const body = suggestionsBody(searchContextOf(target), reading)
  const answer = await target.products.search(body, { signal: target.signal })
  return relaxedBy(target, answer, reading)
}

/** The facets of a whole catalog, without products. */
export async function runMetadata(target: SearchTarget, criteria: Criteria): Promise<Metadata> {
  const { products, signal } = target
  const answer = await products.search(metadataBody(criteria, searchContextOf(target)), { signal })
  return metadataOf(target, criteria, { answer, reading: NO_WORDS })
}

interface CountedHits {
  /** Number of products, or of groups in a grouped search. */
  readonly total: number
  readonly mode: Mode
}

/** Counts what the same search finds. */
export async function runCount(target: SearchTarget, request: Criteria): Promise<CountedHits> {
  const criteria = ruledCriteria(target, request)
  const { products, signal } = target
  const context = searchContextOf(target)
  if (criteria.keywords === null && !criteria.group) {
    const query = countQuery(criteria, context, readingOf(criteria, target))
    return { total: await products.count(query, { signal }), mode: 'strict' }
  }
  const ask = (reading: Reading) =>
    products.search(countBody(criteria, context, reading), { signal })
  const { answer, reading } = await bestReading(target, criteria, { ask })
  const total = criteria.group
    ? await groupTotal(target, criteria, { answer, reading })
    : totalOf(answer)
  return { total, mode: reading.mode }
}
