import { Invalid } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { conditionsOf } from '../../products/criteria.ts'
import { keyOf } from '../understanding/synonyms.ts'
import type { SearchRule, SearchSettings } from './schemas.ts'

/** Checks what the schema cannot. Throws Invalid, which names the place and what to do. */
export function checkSettings(settings: SearchSettings): void {
  checkSynonyms(settings.synonyms)
  checkRules(settings.rules)
  checkRanking(settings.ranking)
  const bytes = Buffer.byteLength(JSON.stringify(settings))
  if (bytes > limits.searchSettingsBytes) {
    throw new Invalid(
      `body: the search settings of a catalog have at most ${limits.searchSettingsBytes} bytes as JSON; with these they have ${bytes}`,
    )
  }
}

function checkSynonyms({ groups }: SearchSettings['synonyms']): void {
  const others = new Map<string, number>()
  for (const [index, { words, from, to }] of groups.entries()) {
    const place = `synonyms.groups[${index}]`
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
  }
}

function checkRules(rules: readonly SearchRule[]): void {
  const names = new Map<string, number>()
  for (const [index, rule] of rules.entries()) {
    const place = `rules[${index}]`
    const first = names.get(rule.name)
    if (first !== undefined) {
      throw new Invalid(`${place}.name: rules[${first}] is called "${rule.name}", too`)
    }
    names.set(rule.name, index)
    checkRule(rule, place)
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

/** What a page may follow: never a script. */
function isAddress(text: string): boolean {
  if (/^\/(?![/\\])/.test(text)) return true
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function checkRanking({ fields }: SearchSettings['ranking']): void {
  if (fields.name === 0 && fields.text === 0) {
    throw new Invalid('ranking.fields: name and text are both 0, so that no word would be found')
  }
}
