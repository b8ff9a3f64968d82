import { describe, expect, test } from 'vitest'
import { likenessOf } from '../../../src/recommendations/similar/likeness.ts'
import { togetherness } from '../../../src/recommendations/together/likelihood.ts'

describe('togetherness', () => {
  test('what is everywhere goes with nothing in particular', () => {
    expect(togetherness({ both: 10, one: 10, other: 100, all: 100 })).toBe(0)
  })

  test('a rare companion says more than a frequent one', () => {
    const rare = togetherness({ both: 8, one: 10, other: 9, all: 100 })
    const frequent = togetherness({ both: 9, one: 10, other: 70, all: 100 })
    expect(rare).toBeGreaterThan(frequent)
    expect(frequent).toBeGreaterThan(0)
  })

  test('more evidence of the same lift counts more, and one workspace is none', () => {
    const little = togetherness({ both: 2, one: 4, other: 4, all: 40 })
    const much = togetherness({ both: 20, one: 40, other: 40, all: 400 })
    expect(much).toBeGreaterThan(little)
    expect(much).toBeLessThan(1)
    expect(togetherness({ both: 1, one: 1, other: 1, all: 1000 })).toBe(0)
  })

  test('together less often than by chance is nothing', () => {
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

  test('is 1 for the same, and less with each difference', () => {
    expect(likenessOf(drill, drill)).toBe(1)
    expect(likenessOf(drill, { ...drill, msrp: 50 })).toBe(0.875)
    expect(likenessOf(drill, { ...drill, filters: { Weight: 1 } })).toBe(0.875)
    expect(likenessOf(drill, { ...drill, facets: { Voltage: '18 V' } })).toBe(0.75)
  })

  test('the price is the cheapest offer; what the first does not have is not compared', () => {
    const offered = { ...drill, vendors: [{ cost: 120 }, { cost: 100 }, { cost: null }] }
    expect(likenessOf(drill, offered)).toBe(1)
    expect(likenessOf({ ...bare, msrp: 10 }, drill)).toBeCloseTo(0.1)
    expect(likenessOf(bare, drill)).toBe(0)
  })

  test('without facets the words of the name come before the price', () => {
    const printer = { ...bare, name: 'HP Officejet 7310xi printer', msrp: 155 }
    const other = { ...bare, name: 'HP Officejet 7410xi printer', msrp: 180 }
    const tray = { ...bare, name: 'HP Officejet tray', msrp: 155 }
    expect(likenessOf(printer, other)).toBeGreaterThan(likenessOf(printer, tray))
  })
})
