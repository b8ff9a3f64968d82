import { expect, test } from 'vitest'
import {
  choicesOf,
  describeQuery,
  queryOf,
  routeOf,
  searchOf,
} from '../../../storefront/src/console/products/product-query.ts'
import { formatRoute, parseRoute } from '../../../storefront/src/console/route.ts'

const all = { words: '', category: '', manufacturer: '', vendor: '' }

test('a search is in the address, and selects the products of a bulk change', () => {
  const query = { ...all, words: 'anvil', category: 'Smithy > Anvils', vendor: 'Oakvale & Son' }
  const address = formatRoute({ page: 'products', catalog: 'tools', ...routeOf(query) })
  expect(queryOf(parseRoute(address))).toEqual(query)
  expect(searchOf(query)).toEqual({
    keywords: 'anvil',
    must: [{ type: 'categoryPath', value: 'Smithy > Anvils' }],
    vendors: ['Oakvale & Son'],
  })
  expect(searchOf({ ...all, manufacturer: 'Northforge' })).toEqual({
    ...{ keywords: '', manufacturer: ['Northforge'] },
  })
})

test('a bulk change describes its selection', () => {
  expect(describeQuery(all, 'tools')).toBe('All products in tools')
  expect(describeQuery({ ...all, manufacturer: 'Northforge' }, 'tools')).toBe(
    'All products by Northforge',
  )
  const query = { words: 'anvil', category: 'Smithy > Anvils', manufacturer: 'N', vendor: 'O' }
  expect(describeQuery(query, 'tools')).toBe(
    'All results for “anvil” in Smithy > Anvils by N offered by O',
  )
})

test('categories are listed below their parents', () => {
  const leaf = { name: 'Anvils', path: 'Smithy > Anvils', count: 3, children: [] }
  const tree = [{ name: 'Smithy', path: 'Smithy', count: 4, children: [leaf] }]
  const lists = { manufacturers: [{ value: 'N', count: 4 }], vendors: [], facets: [] }
  const metadata = { categoryTree: tree, lists } as unknown as Parameters<typeof choicesOf>[0]
  expect(choicesOf(metadata)).toEqual({
    category: [
      { value: 'Smithy', label: 'Smithy', count: 4 },
      { value: 'Smithy > Anvils', label: '\u2003Anvils', count: 3 },
    ],
    manufacturer: [{ value: 'N', label: 'N', count: 4 }],
    vendor: [],
  })
})
