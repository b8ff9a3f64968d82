import { describe, expect, test } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import { atOnce } from '../../../../src/platform/steps.ts'
import { conditionsOf, FilterCriteria } from '../../../../src/products/criteria.ts'
import { shortValue } from '../../../../src/products/short-value.ts'
import { defaultCriteria } from '../../../../src/search/criteria.ts'
import { withRules } from '../../../../src/search/tuning/rules.ts'
import { SearchSettings } from '../../../../src/search/tuning/settings.ts'
import { tuningOf } from '../../../../src/search/tuning/tuning.ts'

const NOW = new Date('2026-07-01T12:00:00Z')
const applied = (keywords: string | null, ...rules: object[]) => {
  const settings = SearchSettings.parse({
    rules: rules.map((rule, at) => ({ name: `${at + 1}`, ...rule })),
  })
  return withRules({ ...defaultCriteria, keywords }, atOnce(tuningOf(settings)).rules, NOW).rules
}
const pin = (product: string, position: number) => ({ product, position })

describe('rules match', () => {
  test.each([
    ['exact', 'red drill', 'Red Drills!', true],
    ['exact', 'red drill', 'red drill bit', false],
    ['exact', '', null, true],
    ['exact', '', 'drill', false],
    ['contains', 'drill bit', 'long drill bits 5', true],
    ['contains', 'drill bit', 'drill with bit', false],
    ['contains', 'bit', 'orbit', false],
    ['contains', 'grün', 'Grun lamp', true],
    ['contains', '', 'anything', true],
    ['contains', '', null, true],
  ])('%s "%s" to %s: %s', (match, query, keywords, fits) => {
    expect(applied(keywords, { when: { query, match } }) !== null).toBe(fits)
  })

  test.each([
    ['2026-07-01T12:00:00Z', null, true],
    ['2026-07-01T14:00:00+02:00', null, true],
    ['2026-07-01T12:00:01Z', null, false],
    [null, '2026-07-01T12:00:00Z', false],
    [null, '2026-07-01T12:00:01Z', true],
  ])('from %s until %s: %s', (from, until, fits) => {
    expect(applied('a', { when: { query: 'a' }, from, until }) !== null).toBe(fits)
  })
})

describe('rules of a category match', () => {
  const category = (value: string) => ({ type: 'category', value })
  const chosen = (...wanted: object[]) => conditionsOf(FilterCriteria.array().parse(wanted), 'must')
  const names = (when: object, keywords: string | null, ...wanted: object[]) => {
    const settings = SearchSettings.parse({ rules: [{ name: 'r', when }] })
    const criteria = { ...defaultCriteria, keywords, wanted: chosen(...wanted) }
    return withRules(criteria, atOnce(tuningOf(settings)).rules, NOW).rules?.names
  }
  const drills = {
    query: '',
    match: 'contains',
    filters: ['Drills', 'Saws', 'Lamps > Red'].map(category),
  }

  test.each([
    [[category('Drills')], true],
    [[category('Lamps'), category('Saws')], true],
    [[{ type: 'categoryPath', value: 'Tools > Drills > Cordless' }], true],
    [[{ type: 'categoryPath', value: 'Tools > Drills and more' }], false],
    [[{ type: 'categoryPath', value: 'Tools > Hand > Saws > Fine > Short' }], true],
    [[{ type: 'categoryPath', value: 'Tools > Lamps > Red' }], true],
    [[{ type: 'categoryPath', value: `${'A > '.repeat(30)}Saws` }], true],
    [[{ type: 'categoryPath', value: `${'A > '.repeat(10)}Lamps > Red` }], true],
    [[{ type: 'categoryPath', value: 'Tools > Lamps > Blue' }], false],
    [[{ type: 'segment', value: 'Drills' }], false],
    [[category('Lamps')], false],
    [[], false],
  ])('if %j is selected: %s', (wanted, applies) => {
    expect(names(drills, 'bit', ...wanted)).toEqual(applies ? ['r'] : undefined)
  })

  test('only together with their words, and if all is selected', () => {
    const colour = { type: 'facet', name: 'Colour', value: 'Red' }
    const when = { query: 'bit', filters: [category('Drills'), colour] }
    expect(names(when, 'bit', category('Drills'), colour)).toEqual(['r'])
    expect(names(when, 'bit', category('Drills'))).toBeUndefined()
    expect(names(when, 'bit', category('Drills'), { ...colour, name: 'Case' })).toBeUndefined()
    expect(names(when, 'saw', category('Drills'), colour)).toBeUndefined()
  })

  test('also for a long value of a facet as it is listed', () => {
    const prose = { type: 'facet', name: 'Use', value: 'for walls '.repeat(99) }
    const listed = { ...prose, value: shortValue(prose.value) }
    for (const [rule, search] of [
      [prose, listed],
      [listed, prose],
    ] as const) {
      expect(names({ query: 'bit', filters: [rule] }, 'bit', search)).toEqual(['r'])
    }
  })
})

describe('several rules', () => {
  const when = { query: '', match: 'contains' }

  test('assign a position to the first, and the next free one to others', () => {
    const first = { when, pins: [pin('a', 2), pin('b', 1)] }
    const second = { when, pins: [pin('c', 1), pin('a', 7), pin('d', 5)] }
    expect(applied('x', first, second)?.pins).toEqual([
      pin('b', 1),
      pin('a', 2),
      pin('c', 3),
      pin('d', 5),
    ])
    const hides = { products: ['a', 'd'] }
    expect(applied('x', first, second, { when, hides })?.pins).toEqual([pin('b', 1), pin('c', 2)])
  })

  test('boost less than an exact part number, and redirect to the first target', () => {
    const boosts = Array.from({ length: 20 }, (_, at) => ({
      type: 'manufacturer',
      value: `m${at}`,
      weight: at % 2 ? 100 : -100,
    }))
    const both = applied('x', { when, boosts }, { when, redirect: '/a' }, { when, redirect: '/b' })
    expect(both?.redirect).toBe('/a')
    expect(both?.boosts.map(({ weight }) => weight).slice(0, 2)).toEqual([-25, 25])
  })

  test('are limited to twenty', () => {
    const many = Array.from({ length: 30 }, () => ({ when }))
    expect(applied('x', ...many)?.names).toEqual(many.slice(0, 20).map((_, at) => `${at + 1}`))
  })

  test('have a limited total length, and the largest one applies', () => {
    const criteria = (length: number) =>
      Array.from({ length }, (_, at) => ({
        type: 'facet',
        name: `${at}`.padEnd(limits.nameLength),
        value: `${at}`.padEnd(limits.valueLength),
      }))
    const half = { when, hides: { criteria: criteria(20) }, filters: criteria(20) }
    const boosts = criteria(20).map((one) => ({ ...one, weight: 1 }))
    expect(applied('x', { ...half, boosts }, { when })?.names).toEqual(['1', '2'])
    expect(applied('x', half, half, { when })?.names).toEqual(['1'])
  })
})
