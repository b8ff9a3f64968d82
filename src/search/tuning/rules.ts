import { limits } from '../../limits.ts'
import type { Condition } from '../../operation.ts'
import type { Steps } from '../../platform/steps.ts'
import { ARROW } from '../../products/category-path.ts'
import { conditionsOf } from '../../products/criteria.ts'
import type { Criteria } from '../criteria.ts'
import { type StopPhrases, withoutPhrases } from '../understanding/stop-phrases.ts'
import { keyOf } from '../understanding/synonyms.ts'
import { wordsOf } from '../understanding/words.ts'
import type { AppliedRules, Pin, RuleBoost } from './applied-rules.ts'
import type { SearchRule } from './schemas.ts'

interface PreparedRule {
  readonly rule: SearchRule
  /** Index among the rules. */
  readonly order: number
  /** The words of the rule in the form in which they are compared. */
  readonly key: string
  /** Conditions to which the search must be narrowed. */
  readonly chosen: readonly Condition[]
  /** Total characters of its actions. */
  readonly length: number
}

/** The rules of a catalog, prepared for lookup. */
export interface RuleBook {
  readonly exact: ReadonlyMap<string, readonly PreparedRule[]>
  readonly contained: readonly PreparedRule[]
  readonly stopPhrases: StopPhrases
}

const wordsKey = (text: string, stopPhrases: StopPhrases): string =>
  wordsOf(withoutPhrases(text, stopPhrases))
    .map((word) => keyOf(word.text))
    .join(' ')

export function* ruleBookOf(
  rules: readonly SearchRule[],
  stopPhrases: StopPhrases,
): Steps<RuleBook> {
  const exact = new Map<string, PreparedRule[]>()
  const contained: PreparedRule[] = []
  for (const [order, rule] of rules.entries()) {
    yield
    if (!rule.enabled) continue
    const key = wordsKey(rule.when.query, stopPhrases)
    const chosen = conditionsOf(rule.when.filters, 'when.filters')
    const prepared = { rule, order, key, chosen, length: lengthOf(rule) }
    if (rule.when.match === 'contains') contained.push(prepared)
    else exact.set(prepared.key, [...(exact.get(prepared.key) ?? []), prepared])
  }
  return { exact, contained, stopPhrases }
}

const sum = (lengths: readonly number[]): number => lengths.reduce((all, one) => all + one, 0)

const lengthOf = ({ pins, boosts, hides, filters }: SearchRule): number =>
  sum([
    ...[...boosts, ...hides.criteria, ...filters].map(
      ({ name, value }) => (name?.length ?? 0) + value.length,
    ),
    ...[...pins.map(({ product }) => product), ...hides.products].map(({ length }) => length),
  ])

/** The first rules that stay within the total length. */
function shortEnough(rules: readonly PreparedRule[]): PreparedRule[] {
  let left: number = limits.appliedRulesLength
  return rules.filter(({ length }) => {
    left -= length
    return left >= 0
  })
}

const isWithin = ({ from, until }: SearchRule, now: number): boolean =>
  (from === null || Date.parse(from) <= now) && (until === null || now < Date.parse(until))

const CATEGORIES = ['segment', 'category', 'subCategory'] as const

/** First levels of a path whose runs choose rules: more than the category tree of a search has. */
const RUN_LEVELS = 16

/** The levels of a path, and each run of them, since the name of a category may have several. */
function* categoriesIn(path: string): Generator<string> {
  const levels = path.split(ARROW)
  yield* levels
  const first = levels.slice(0, RUN_LEVELS)
  for (let from = 0; from < first.length; from++) {
    for (let to = from + 2; to <= first.length; to++) yield first.slice(from, to).join(ARROW)
  }
}

const termOf = (type: string, name: string | null): string => `${type} ${name ?? ''}`

/** The values that a search asks for, by term. A path also asks for the categories in it. */
function askedValues({ wanted }: Criteria): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>()
  const add = (term: string, values: readonly string[]) => {
    const known = asked.get(term) ?? new Set()
    asked.set(term, known)
    for (const value of values) known.add(value)
  }
  for (const { type, name, values } of wanted) {
    add(termOf(type, name), values)
    if (type !== 'categoryPath') continue
    const categories = values.flatMap((path) => [...categoriesIn(path)])
    for (const one of CATEGORIES) add(termOf(one, null), categories)
  }
  return asked
}

/** The criteria with the rules that apply; the same object if none does. */
export function withRules(criteria: Criteria, book: RuleBook, now: Date): Criteria {
  if (book.exact.size === 0 && book.contained.length === 0) return criteria
  const words = wordsKey(criteria.keywords ?? '', book.stopPhrases)
  const fitting = [
    ...(book.exact.get(words) ?? []),
    ...book.contained.filter(({ key }) => key === '' || ` ${words} `.includes(` ${key} `)),
  ]
  const asked = askedValues(criteria)
  const isChosen = ({ type, name, values }: Condition) => {
    const known = asked.get(termOf(type, name))
    return known !== undefined && values.some((value) => known.has(value))
  }
  const first = fitting
    .filter(({ rule }) => isWithin(rule, now.getTime()))
    .filter(({ chosen }) => chosen.every(isChosen))
    .sort((a, b) => a.order - b.order)
    .slice(0, limits.appliedRules)
  const rules = shortEnough(first).map(({ rule }) => rule)
  return rules.length === 0 ? criteria : { ...criteria, rules: combinedRules(rules) }
}

function combinedRules(rules: readonly SearchRule[]): AppliedRules {
  const hiddenProducts = [...new Set(rules.flatMap(({ hides }) => hides.products))]
  return {
    names: rules.map(({ name }) => name),
    narrowed: rules.flatMap(({ filters }) => conditionsOf(filters, 'filters')),
    hidden: rules.flatMap(({ hides }) => conditionsOf(hides.criteria, 'hides')),
    hiddenProducts,
    boosts: boostsOf(rules),
    pins: pinsOf(rules, new Set(hiddenProducts)),
    redirect: rules.find(({ redirect }) => redirect !== null)?.redirect ?? null,
  }
}

/** Upper bound for all boosts together, below an exact part number. */
const MOST_BOOSTED = 500

function boostsOf(rules: readonly SearchRule[]): RuleBoost[] {
  const applied = rules.flatMap(({ name: rule, boosts }) =>
    boosts
      .filter(({ weight }) => weight !== 0)
      .map(({ weight, ...criterion }) => ({
        rule,
        condition: conditionsOf([criterion], 'boosts')[0]!,
        weight,
      })),
  )
  const all = sum(applied.map(({ weight }) => Math.abs(weight)))
  const share = Math.min(1, MOST_BOOSTED / all)
  return applied.map((boost) => ({ ...boost, weight: boost.weight * share }))
}

/** The first rule to pin a product or take a position wins; later pins get the next free one. */
function pinsOf(rules: readonly SearchRule[], hidden: ReadonlySet<string>): Pin[] {
  const products = new Set<string>()
  const taken = new Set<number>()
  const pins: Pin[] = []
  for (const { product, position: wanted } of rules.flatMap((rule) => rule.pins)) {
    if (products.has(product) || hidden.has(product) || pins.length === limits.appliedPins) continue
    let position = wanted
    while (taken.has(position)) position++
    products.add(product)
    taken.add(position)
    pins.push({ product, position })
  }
  return pins.sort((a, b) => a.position - b.position)
}
