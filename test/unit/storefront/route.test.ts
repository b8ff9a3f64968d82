import { describe, expect, test } from 'vitest'
import { facetAttribute, numberAttribute } from '../../../client/src/instantsearch/attributes.ts'
import { formatRoute, parseRoute } from '../../../storefront/src/shop/route.ts'
import { edgesOf, placeOf } from '../../../storefront/src/ui/range-scale.ts'

describe('an address', () => {
  test('contains the search and all selections, and is parsed as it was formatted', () => {
    const search = {
      query: 'cordless drill',
      sortBy: 'demo/-price',
      page: 3,
      hierarchicalMenu: { 'categories.lvl0': ['Tools & Hardware', 'Power Tools'] },
      refinementList: {
        manufacturer: ['Brennick', 'A+B'],
        vendor: ['Oakvale Supply'],
        [facetAttribute('Battery voltage: a')]: ['18 V'],
      },
      range: { price: '10:', [numberAttribute('Weight (kg)')]: '0.5:2' },
      toggle: { inStock: true },
    }
    const address = formatRoute({ search })
    expect(address).toBe(
      '?q=cordless+drill&category=Tools+%26+Hardware+%3E+Power+Tools&brand=Brennick&brand=A%2BB&vendor=Oakvale+Supply&f.Battery+voltage%3A+a=18+V&price=10%3A&n.Weight+%28kg%29=0.5%3A2&stock=1&sort=-price&p=3',
    )
    expect(parseRoute(address, 'demo')).toEqual({ search })
  })

  test('is empty without a search', () => {
    expect(formatRoute({ search: { query: '', sortBy: 'demo', page: 1 } })).toBe('')
  })

  test('can contain only a product', () => {
    expect(formatRoute({ product: 'a/b c', search: { query: 'x' } })).toBe('?product=a%2Fb+c')
    expect(parseRoute('?product=a%2Fb+c&q=x', 'demo')).toEqual({ product: 'a/b c', search: {} })
  })

  test('ignores what it does not know', () => {
    const odd = '?price=cheap&n.Ports=1:2:3&p=-1&stock=yes&sort=luck&utm_source=x&f=1'
    expect(parseRoute(odd, 'demo')).toEqual({ search: { query: '' } })
  })
})

test('a number has its position between the edges of ranges', () => {
  const edges = edgesOf([
    { min: 0, max: 10, count: 1 },
    { min: 10, max: 100, count: 2 },
  ])
  expect(edges).toEqual([0, 10, 100])
  expect([-5, 0, 5, 10, 55, 100, 500].map((number) => placeOf(edges, number))).toEqual([
    0, 0, 0.5, 1, 1.5, 2, 2,
  ])
  expect(edgesOf([])).toEqual([])
})
