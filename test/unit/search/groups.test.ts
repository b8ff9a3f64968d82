import { describe, expect, test } from 'vitest'
import { criteriaOf } from '../../../src/search/criteria.ts'
import { bySize, countOf, groupsIn, largeGroups, readVariants } from '../../../src/search/groups.ts'
import { SearchRequest } from '../../../src/search/request-schemas.ts'
import { token } from '../../../src/text.ts'

describe('groups', () => {
  test('are counted in each of many buckets without memory for those of other organizations', () => {
    const { aggs } = groupsIn(criteriaOf(SearchRequest.parse({ group: true, counts: true })))
    expect(aggs?.variants?.aggs).toEqual({
      groups: {
        cardinality: {
          field: 'search.groupId',
          precision_threshold: 1_500,
          execution_hint: 'direct',
        },
      },
    })
  })

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

  test('on a page are asked for again if only some of their variants were looked at', () => {
    const bucket = (key: string, doc_count: number, value: number) => ({
      ...{ key, doc_count, values: { value } },
      some: { options: { buckets: [{ key: token('Size', 'S') }] } },
    })
    const buckets = [
      bucket('huge', 90_000, 1_800_000),
      bucket('large', 201, 402),
      bucket('larger', 40_000, 99_598),
      bucket('one more', 300, 300),
      bucket('usual', 200, 400),
    ]
    const answer = { aggregations: { groups: { buckets } } } as never
    expect(largeGroups(answer, 25)).toEqual(['large', 'larger'])
    const usual = { id: 'usual', variants: 200, options: { Size: ['S'] } }
    expect(readVariants(answer).get('usual')).toEqual(usual)
  })

  test('are counted in buckets of products, of offers, and of facets', () => {
    const variants = { doc_count: 5, groups: { value: 2 } }
    expect(countOf({ doc_count: 8, variants })).toBe(5)
    expect(countOf({ doc_count: 9, products: { doc_count: 8, variants } })).toBe(5)
    expect(countOf({ doc_count: 8 })).toBe(8)
  })
})
