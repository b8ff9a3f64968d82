import { isDeepStrictEqual } from 'node:util'
import { Conflict, Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Steps } from '../../platform/steps.ts'
import { conditionsOf } from '../../products/criteria.ts'
import { keyOf } from '../understanding/synonyms.ts'
import type { SearchRule } from './schemas.ts'
import { type ExperimentSettings, given, type SearchSettings } from './settings.ts'

/** Validates what the schema cannot. Throws Invalid, which names the field and what to do. */
export function* checkSettings(settings: SearchSettings): Steps<void> {
  yield* checkParts(settings, '')
  if (settings.experiment) yield* checkVariant(settings.experiment)
  const bytes = Buffer.byteLength(JSON.stringify(settings))
  if (bytes > limits.searchSettingsBytes) {
    throw new Invalid(
      `body: the search settings of a catalog have at most ${limits.searchSettingsBytes} bytes as JSON; with these they have ${bytes}`,
    )
  }
}

/** `at` is the prefix of field names in failures. */
function* checkParts(
  { synonyms, rules, ranking }: Partial<SearchSettings>,
  at: string,
): Steps<void> {
  if (synonyms) yield* checkSynonyms(synonyms, `${at}synonyms`)
  if (rules) yield* checkRules(rules, `${at}rules`)
  if (ranking) checkRanking(ranking, `${at}ranking`)
}

function* checkVariant({ variant }: ExperimentSettings): Steps<void> {
  if (Object.values(variant).every((part) => part === undefined)) {
    throw new Invalid(
      'experiment.variant: the same as without it; give synonyms, rules, ranking or facets',
    )
  }
  yield* checkParts(given(variant), 'experiment.variant.')
}

/** Throws Conflict if a running experiment keeps its name but changes its variant. */
export function checkSameVariant(
  running: ExperimentSettings | null,
  next: ExperimentSettings | null,
): void {
  if (!running || running.name !== next?.name) return
  if (isDeepStrictEqual(running.variant, next.variant)) return
  throw new Conflict(
    `experiment.variant: "${running.name}" runs with another one; give this one a name of its own`,
  )
}

function* checkSynonyms({ groups }: SearchSettings['synonyms'], at: string): Steps<void> {
  const others = new Map<string, number>()
  for (const [index, { words, from, to }] of groups.entries()) {
    const place = `${at}.groups[${index}]`
    const isOneWay = from.length > 0 && to.length > 0
    if (words.length > 0 ? from.length + to.length > 0 : !isOneWay) {
      throw new Invalid(`${place}: expected either words, or from and to`)
    }
    if (words.length === 1) throw new Invalid(`${place}.words: expected two words or more`)
    const known = new Set<string>()
    for (const text of isOneWay ? from : words) {
      const key = keyOf(text)
      if (known.has(key)) throw new Invalid(`${place}: "${text}" is listed twice`)
      known.add(key)
      const sum = (others.get(key) ?? 0) + (isOneWay ? to.length : words.length - 1)
      if (sum > limits.wordSynonyms) {
        throw new Invalid(
          `${place}: "${text}" stands for more than ${limits.wordSynonyms} words in all groups; take it out of some`,
        )
      }
      others.set(key, sum)
    }
    const circular = isOneWay ? to.find((text) => known.has(keyOf(text))) : undefined
    if (circular !== undefined) {
      throw new Invalid(`${place}: "${circular}" is in from and in to; leave it out of one`)
    }
    yield
  }
}

function* checkRules(rules: readonly SearchRule[], at: string): Steps<void> {
  const names = new Map<string, number>()
  for (const [index, rule] of rules.entries()) {
    const place = `${at}[${index}]`
    const first = names.get(rule.name)
    if (first !== undefined) {
      throw new Invalid(`${place}.name: ${at}[${first}] is called "${rule.name}", too`)
    }
    names.set(rule.name, index)
    checkRule(rule, place)
    yield
  }
}

function checkRule(
  { when, from, until, pins, boosts, hides, filters, redirect }: SearchRule,
  place: string,
) {
  if (when.query !== '' && !/[\p{L}\p{N}]/u.test(when.query)) {
    throw new Invalid(
      `${place}.when.query: expected a letter or a digit, or nothing for all searches`,
    )
  }
  conditionsOf(when.filters, `${place}.when.filters`)
  if (from !== null && until !== null && Date.parse(until) <= Date.parse(from)) {
    throw new Invalid(`${place}.until: not after from`)
  }
  checkPins(pins, place)
  const hidden = pins.findIndex(({ product }) => hides.products.includes(product))
  if (hidden >= 0) throw new Invalid(`${place}.pins[${hidden}].product: is hidden by the same rule`)
  conditionsOf(boosts, `${place}.boosts`)
  conditionsOf(hides.criteria, `${place}.hides.criteria`)
  conditionsOf(filters, `${place}.filters`)
  if (redirect !== null && !isAddress(redirect)) {
    throw new Invalid(
      `${place}.redirect: expected an address that begins with http:// or https://, or a path that begins with /`,
    )
  }
}

function checkPins(pins: SearchRule['pins'], place: string): void {
  for (const [index, { product, position }] of pins.entries()) {
    const before = pins.slice(0, index)
    const taken = before.findIndex((pin) => pin.position === position)
    if (taken >= 0) {
      throw new Invalid(
        `${place}.pins[${index}].position: ${position} is that of pins[${taken}]; give each its own`,
      )
    }
    const twice = before.findIndex((pin) => pin.product === product)
    if (twice >= 0) {
      throw new Invalid(`${place}.pins[${index}].product: pins[${twice}] is the same product`)
    }
  }
}

/** Whether a page may navigate to an address. `javascript:` and the like are not allowed. */
function isAddress(text: string): boolean {
  if (/^\/(?![/\\])/.test(text)) return true
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function checkRanking({ fields }: SearchSettings['ranking'], at: string): void {
  if (fields.name === 0 && fields.text === 0) {
    throw new Invalid(`${at}.fields: name and text are both 0, so that no word would be found`)
  }
}
