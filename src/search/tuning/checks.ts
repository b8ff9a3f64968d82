import { isDeepStrictEqual } from 'node:util'
import { Conflict, Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { defined } from '../../platform/defined.ts'
import { parseUrl } from '../../platform/parse-url.ts'
import type { Steps } from '../../platform/steps.ts'
import { conditionsOf } from '../../products/criteria.ts'
import { keyOf } from '../understanding/synonyms.ts'
import type { SearchRule } from './schemas.ts'
import type { ExperimentSettings, SearchSettings } from './settings.ts'

/** Validates what the schema cannot. Throws Invalid, which names the field and what to do. */
export function* checkSettings(settings: SearchSettings): Steps<void> {
  yield* checkParts(settings, '')
  if (settings.experiment) yield* checkVariant(settings.experiment)
  const bytes = Buffer.byteLength(JSON.stringify(settings))
  if (bytes > limits.searchSettingsBytes) {
    throw new Invalid(
      `body: the search settings of the catalog would have ${bytes} bytes as JSON; the limit is ${limits.searchSettingsBytes}`,
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
      'experiment.variant: does not differ from the current settings; send synonyms, rules, ranking or facets',
    )
  }
  yield* checkParts(defined(variant), 'experiment.variant.')
}

/** Throws Conflict if a running experiment keeps its name but changes its variant. */
export function checkSameVariant(
  running: ExperimentSettings | null,
  next: ExperimentSettings | null,
): void {
  if (!running || running.name !== next?.name) return
  if (isDeepStrictEqual(running.variant, next.variant)) return
  throw new Conflict(
    `experiment.variant: "${running.name}" is running with another variant; choose another name`,
  )
}

function* checkSynonyms({ groups }: SearchSettings['synonyms'], at: string): Steps<void> {
  const others = new Map<string, number>()
  for (const [index, { words, from, to }] of groups.entries()) {
    const place = `${at}.groups[${index}]`
    const isOneWay = from.length > 0 && to.length > 0
    if (words.length > 0 ? from.length + to.length > 0 : !isOneWay) {
      throw new Invalid(`${place}: expected either words or both from and to`)
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
          `${place}: "${text}" has more than ${limits.wordSynonyms} synonyms in all groups; remove it from some`,
        )
      }
      others.set(key, sum)
    }
    const circular = isOneWay ? to.find((text) => known.has(keyOf(text))) : undefined
    if (circular !== undefined) {
      throw new Invalid(`${place}: "${circular}" is in both from and to; remove it from one`)
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
      throw new Invalid(`${place}.name: ${at}[${first}] has the same name "${rule.name}"`)
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
      `${place}.when.query: expected a letter or a digit; omit it to match all searches`,
    )
  }
  conditionsOf(when.filters, `${place}.when.filters`)
  if (from !== null && until !== null && Date.parse(until) <= Date.parse(from)) {
    throw new Invalid(`${place}.until: must be after from`)
  }
  checkPins(pins, place)
  const hidden = pins.findIndex(({ product }) => hides.products.includes(product))
  if (hidden >= 0) throw new Invalid(`${place}.pins[${hidden}].product: hidden by the same rule`)
  conditionsOf(boosts, `${place}.boosts`)
  conditionsOf(hides.criteria, `${place}.hides.criteria`)
  conditionsOf(filters, `${place}.filters`)
  if (redirect !== null && !isAddress(redirect)) {
    throw new Invalid(
      `${place}.redirect: must begin with http:// or https://, or be a path that begins with /`,
    )
  }
}

function checkPins(pins: SearchRule['pins'], place: string): void {
  for (const [index, { product, position }] of pins.entries()) {
    const before = pins.slice(0, index)
    const taken = before.findIndex((pin) => pin.position === position)
    if (taken >= 0) {
      throw new Invalid(
        `${place}.pins[${index}].position: pins[${taken}] has the same position ${position}`,
      )
    }
    const twice = before.findIndex((pin) => pin.product === product)
    if (twice >= 0) {
      throw new Invalid(`${place}.pins[${index}].product: pins[${twice}] has the same product`)
    }
  }
}

/** Whether a page may navigate to an address. `javascript:` and the like are not allowed. */
function isAddress(text: string): boolean {
  if (/^\/(?![/\\])/.test(text)) return true
  return ['http:', 'https:'].includes(parseUrl(text)?.protocol ?? '')
}

function checkRanking({ fields }: SearchSettings['ranking'], at: string): void {
  if (fields.name === 0 && fields.text === 0) {
    throw new Invalid(`${at}.fields: name and text must not both be 0, or no words are found`)
  }
}
