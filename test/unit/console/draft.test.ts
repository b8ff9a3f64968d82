import { expect, test } from 'vitest'
import {
  draftOf,
  type EditedProduct,
  patchOf,
} from '../../../storefront/src/console/products/draft.ts'

const offer = {
  vendorName: 'Oakvale',
  vendorPartNumber: 'OV-1',
  cost: 9.5,
  onHand: 0,
  inStock: true,
  status: 'on its way',
  name: null,
}

const product = {
  id: 'P-1',
  name: 'Anvil',
  description: null,
  msrp: 12,
  upcs: ['1'],
  facets: { Face: 'flat' },
  filters: { Weight: 3 },
  attributes: {},
  vendors: [offer],
  version: '4',
} as unknown as EditedProduct

const draft = draftOf(product)

test('unchanged fields are not sent', () => {
  expect(patchOf(draft, product)).toEqual({})
})

test('emptied fields are cleared, and numbers and lists are parsed', () => {
  const changed = {
    ...draft,
    texts: { ...draft.texts, name: ' ', category: 'Anvils' },
    msrp: '',
    upcs: '1\n\n 2 ',
    named: {
      ...draft.named,
      filters: [['Weight', '3.5'] as const],
      facets: [['', ''] as const],
    },
  }
  expect(patchOf(changed, product)).toEqual({
    name: null,
    category: 'Anvils',
    msrp: null,
    upcs: ['1', '2'],
    filters: { Weight: 3.5 },
    facets: {},
  })
})

test('an offer keeps hidden properties, and its stock follows a changed quantity', () => {
  const [first] = draft.offers
  const cheaper = { ...draft, offers: [{ ...first!, cost: '9' }] }
  expect(patchOf(cheaper, product)).toEqual({ vendors: [{ ...offer, cost: 9 }] })
  const { inStock: _, ...rest } = offer
  const fuller = { ...draft, offers: [{ ...first!, onHand: '7' }] }
  expect(patchOf(fuller, product)).toEqual({ vendors: [{ ...rest, onHand: 7 }] })
})

test('invalid input is refused with its path', () => {
  const named = (pairs: [string, string][], field: 'facets' | 'filters' = 'facets') => ({
    ...draft,
    named: { ...draft.named, [field]: pairs },
  })
  expect(() => patchOf(named([['Weight', 'heavy']], 'filters'), product)).toThrow(
    'filters.Weight: must be a number',
  )
  expect(() => patchOf(named([['', 'flat']]), product)).toThrow('facets: “flat” needs a name')
  const twice: [string, string][] = [
    ['Face', 'flat'],
    ['Face ', 'round'],
  ]
  expect(() => patchOf(named(twice), product)).toThrow('facets: Face appears twice')
})
