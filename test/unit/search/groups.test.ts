import { describe, expect, test } from 'vitest'
import { bySize, countOf, groupTotalOf } from '../../../src/search/groups.ts'

const total = (other: number) =>
  ({
    aggregations: {
      groupTotal: {
        doc_count: 100,
        variants: {
          doc_count: 40,
          groups: { sum_other_doc_count: other },
          counted: { count: 7 },
          estimated: { value: 31 },
        },
      },
    },
  }) as never

describe('groups', () => {
  test.each([
    [
      ['XL', 'S', '2XL', 'M', 'XS', 'L', 'XXS'],
      ['XXS', 'XS', 'S', 'M', 'L', 'XL', '2XL'],
    ],
    [
      ['42', '9', '38.5'],
      ['9', '38.5', '42'],
    ],
    [
      ['Red', 'blue', 'Äpfel'],
      ['Äpfel', 'blue', 'Red'],
    ],
  ])('options are ordered by size: %j', (values, expected) => {
    expect(values.toSorted(bySize)).toEqual(expected)
  })

  test('long options are ordered in little time', () => {
    const values = Array.from({ length: 120 }, (_, n) => `${'9'.repeat(490)}${(n * 7) % 120}`)
    const { user } = process.threadCpuUsage()
    for (let group = 0; group < 250; group++) values.toSorted(bySize)
    // It took 4 seconds and more.
    expect((process.threadCpuUsage().user - user) / 1_000).toBeLessThan(1_000)
  })

  test('are counted exactly up to a limit, and estimated above it', () => {
    expect(groupTotalOf(total(0))).toBe(67)
    expect(groupTotalOf(total(1))).toBe(91)
  })

  test('are counted in buckets of products, of offers, and of facets', () => {
    const variants = { doc_count: 5, groups: { value: 2 } }
    expect(countOf({ doc_count: 8, variants })).toBe(5)
    expect(countOf({ doc_count: 9, products: { doc_count: 8, variants } })).toBe(5)
    expect(countOf({ doc_count: 8 })).toBe(8)
  })
})
