import { describe, expect, test } from 'vitest'
import { likenessOf } from '../../../src/recommendations/similar/likeness.ts'
import { togetherness } from '../../../src/recommendations/together/likelihood.ts'

describe('togetherness', () => {
  test('is 0 for a product that is everywhere', () => {
    expect(togetherness({ both: 10, one: 10, other: 100, all: 100 })).toBe(0)
  })

  test('is greater for a rare companion than for a frequent one', () => {
    const rare = togetherness({ both: 8, one: 10, other: 9, all: 100 })
    const frequent = togetherness({ both: 9, one: 10, other: 70, all: 100 })
    expect(rare).toBeGreaterThan(frequent)
    expect(frequent).toBeGreaterThan(0)
  })

  test('grows with the evidence for the same lift, and is 0 for one workspace', () => {
    const little = togetherness({ both: 2, one: 4, other: 4, all: 40 })
    const much = togetherness({ both: 20, one: 40, other: 40, all: 400 })
    expect(much).toBeGreaterThan(little)
    expect(much).toBeLessThan(1)
    expect(togetherness({ both: 1, one: 1, other: 1, all: 1000 })).toBe(0)
  })

  test('is 0 if products are together less often than by chance', () => {
    expect(togetherness({ both: 2, one: 50, other: 50, all: 100 })).toBe(0)
  })
})

describe('likenessOf', () => {
  const drill = {
    name: null,
    facets: { Voltage: '18 V', Chuck: '13 mm' },
    filters: { Weight: 2 },
    msrp: 100,
    vendors: [],
  }

  const bare = { name: null, facets: {}, filters: {}, msrp: null, vendors: [] }

  test('is 1 for equal products, and less with each difference', () => {
    expect(likenessOf(drill, drill)).toBe(1)
    expect(likenessOf(drill, { ...drill, msrp: 50 })).toBe(0.875)
    expect(likenessOf(drill, { ...drill, filters: { Weight: 1 } })).toBe(0.875)
    expect(likenessOf(drill, { ...drill, facets: { Voltage: '18 V' } })).toBe(0.75)
  })

  test('uses the cheapest offer as the price, and ignores what the first product lacks', () => {
    const offered = { ...drill, vendors: [{ cost: 120 }, { cost: 100 }, { cost: null }] }
    expect(likenessOf(drill, offered)).toBe(1)
    expect(likenessOf({ ...bare, msrp: 10 }, drill)).toBeCloseTo(0.1)
    expect(likenessOf(bare, drill)).toBe(0)
  })

  test('without facets, weighs words of the name above the price', () => {
    const printer = { ...bare, name: 'HP Officejet 7310xi printer', msrp: 155 }
    const other = { ...bare, name: 'HP Officejet 7410xi printer', msrp: 180 }
    const tray = { ...bare, name: 'HP Officejet tray', msrp: 155 }
    expect(likenessOf(printer, other)).toBeGreaterThan(likenessOf(printer, tray))
  })
})
