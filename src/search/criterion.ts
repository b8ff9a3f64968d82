import { Invalid } from '../errors.ts'
import { limits } from '../limits.ts'
import { normalisePartNumber } from '../text.ts'
import {
  CRITERION_TYPES,
  type CriterionType,
  type FilterCriteria,
  type SearchRequest,
} from './request-schemas.ts'
import { distinct, wordsOf } from './understanding/words.ts'

/** Values of one type and name; a product needs one of them. */
export interface Condition {
  readonly type: CriterionType
  /** Null for types that need no name. */
  readonly name: string | null
  /** Sorted, without repetitions. */
  readonly values: readonly string[]
}

/** The fields that name one thing each; the same type in `must` is a condition beside it. */
export function fieldConditions(request: SearchRequest): Condition[] {
  const { manufacturer, vendors, segment, category, subCategory } = request
  const one = (text: string | null) => (text === null ? [] : [text])
  return [
    condition('manufacturer', manufacturer),
    condition('vendor', vendors),
    condition('segment', one(segment)),
    condition('category', one(category)),
    condition('subCategory', one(subCategory)),
  ].filter(({ values }) => values.length > 0)
}

const condition = (
  type: CriterionType,
  values: readonly string[],
  name: string | null = null,
): Condition => ({ type, name, values: [...new Set(values)].sort() })

const NAMED: ReadonlySet<CriterionType> = new Set(['attribute', 'facet', 'extensionField'])

/** Words cost far more than other criteria: together they have the bounds of one search. */
export function checkKeywords(criteria: readonly FilterCriteria[]): void {
  const texts = criteria.filter(({ type }) => type === 'keyword').map(({ value }) => value ?? '')
  const { keywordWords, keywordsLength } = limits
  const words = texts.reduce((sum, text) => sum + distinct(wordsOf(text)).length, 0)
  if (words > keywordWords || texts.join('').length > keywordsLength) {
    throw new Invalid(
      `Criteria of type keyword: at most ${keywordWords} words and ${keywordsLength} characters together`,
    )
  }
}

/** Criteria of one type and name are alternatives. */
export function conditionsOf(list: readonly FilterCriteria[], field: string): Condition[] {
  const groups = new Map<string, { type: CriterionType; name: string | null; values: string[] }>()
  for (const [index, criterion] of list.entries()) {
    const { type, name, value } = checked(criterion, `${field}[${index}]`)
    const key = JSON.stringify([type, name])
    const group = groups.get(key) ?? { type, name, values: [] }
    group.values.push(value)
    groups.set(key, group)
  }
  return [...groups.values()].map(({ type, name, values }) => condition(type, values, name))
}

/** Whether a text has a letter or digit to look for. */
export const isWord = (text: string): boolean => normalisePartNumber(text) !== ''

function checked({ type, name, value }: FilterCriteria, path: string) {
  const known = CRITERION_TYPES.find((candidate) => candidate === type)
  if (known === undefined) {
    throw new Invalid(`${path}.type: expected one of ${CRITERION_TYPES.join(', ')}`)
  }
  if (value === null) throw new Invalid(`${path}.value: required`)
  if (!NAMED.has(known)) return { type: known, name: null, value: plain(known, value, path) }
  if (name === null) throw new Invalid(`${path}.name: required for type ${known}`)
  if (known === 'extensionField' && !name.includes('/')) {
    throw new Invalid(`${path}.name: expected extension/field`)
  }
  return { type: known, name, value }
}

function plain(type: CriterionType, value: string, path: string): string {
  if (type === 'favorite' && value !== 'user' && value !== 'company') {
    throw new Invalid(`${path}.value: expected user or company`)
  }
  if ((type === 'keyword' || type === 'partNumber') && !isWord(value)) {
    throw new Invalid(`${path}.value: expected a letter or a digit`)
  }
  return value
}

/** One order for things that have none, so that equal requests are equal bytes. */
export const byText = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, item]) => item)
