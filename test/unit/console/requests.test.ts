import { expect, test } from 'vitest'
import { AS_IT_IS, importBody, trialBody } from '../../../storefront/src/console/import/request.ts'
import { type KeyForm, keyBody } from '../../../storefront/src/console/keys/request.ts'
import { isAt, placed, textAt } from '../../../storefront/src/console/problem.ts'
import { formatRoute, parseRoute } from '../../../storefront/src/console/route.ts'

test('an address names a screen, and is parsed as it was formatted', () => {
  expect(parseRoute('')).toEqual({ page: 'catalogs' })
  const route = { page: 'products', catalog: 'a&b', id: 'x=1' }
  expect(parseRoute(formatRoute(route))).toEqual(route)
  expect(parseRoute('?page=constructor&key=secret&__proto__=1')).toEqual({ page: 'constructor' })
})

test('a refusal is shown at its field', () => {
  const problem = placed('filters[2].min: expected number')
  expect(problem).toEqual({ place: 'filters[2].min', text: 'expected number' })
  expect(isAt(problem, 'filters')).toBe(true)
  expect(isAt(problem, 'filter')).toBe(false)
  expect(textAt(problem, 'filters')).toBe('entry 3, min: expected number')
  expect(placed('The catalog: gone').place).toBe('')
})

test('a dry run requests the same as the import', () => {
  const plan = {
    fileUrl: 'http://h/api/files/1',
    catalog: 'own',
    options: { ...AS_IT_IS, vendor: 'Oakvale', header: false },
    mappings: [{ column: 0, field: 'id', attribute: null }],
  }
  const flags = { createProducts: true, updateMetadata: true, fullFile: false }
  expect(importBody(plan)).toEqual({
    ...{ fileUrl: plan.fileUrl, header: false, targetCatalog: 'own', vendor: 'Oakvale' },
    ...flags,
    mappings: plan.mappings,
  })
  expect(trialBody(plan)).toEqual({
    ...{ catalog: 'own', vendor: 'Oakvale', vendors: 'all', mappings: plan.mappings },
    additionalData: {
      fileUrl: plan.fileUrl,
      header: 'false',
      createProducts: 'true',
      updateMetadata: 'true',
      fullFile: 'false',
    },
  })
})

const form: KeyForm = {
  ...{ name: 'shop', keyType: 'search', username: '', expires: '', catalogs: [], isPublic: false },
  ...{ inStock: false, manufacturers: '', vendors: '', category: '', priceList: '', perSecond: '' },
  ...{ perAddress: '', origins: '', maxAge: '' },
}

test('a key has the entered restrictions, and no others', () => {
  const plain = { name: 'shop', keyType: 'search', expires: null }
  expect(keyBody(form)).toEqual({ ...plain, hide: [] })
  const bound = {
    ...{
      catalogs: ['own'],
      priceList: 'dealers',
      isPublic: true,
      inStock: true,
      manufacturers: 'A, Inc.\n\n B ',
    },
    ...{ perAddress: '5', origins: 'https://shop.example', maxAge: '0' },
  }
  expect(keyBody({ ...form, ...bound })).toEqual({
    ...plain,
    catalogs: ['own'],
    filter: { manufacturer: ['A, Inc.', 'B'], vendors: [], category: null, inStock: true },
    priceList: 'dealers',
    hide: ['public'],
    rate: { perSecond: null, perAddress: 5 },
    origins: ['https://shop.example'],
    cache: { maxAge: 0 },
  })
  expect(keyBody({ ...form, ...bound, keyType: 'full', username: 'ada' })).toEqual({
    ...{ name: 'shop', keyType: 'full', username: 'ada', expires: null },
  })
})
