import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../../src/extensions/contract.ts'
import { field } from '../../../src/extensions/fields.ts'
import { manifestProblems } from '../../../src/installations/manifest-problems.ts'

const manifest: Manifest = {
  id: 'stock',
  kind: 'realtime',
  name: 'Stock',
  description: null,
  image: null,
  configUrl: null,
  fields: [
    field('account', 'Customer number'),
    field('password', 'Password', { protected: true }),
    field('region', 'Region', { defaultValue: 'EU' }),
    field('days', 'Days', { optional: true, dataType: 'number' }),
    field('list', 'Lines of this run', { adHocOnlyField: true }),
  ],
  calls: ['run'],
  noStore: false,
  mapToVendor: false,
  allowAdHocItems: false,
}

describe('the problems of an extension’s values', () => {
  test('are none if all required fields are present', () => {
    const additionalData = { account: '7', password: 'secret', days: '3' }
    expect(manifestProblems(manifest, { additionalData })).toEqual([])
  })

  test('include required fields without a value', () => {
    const additionalData = { account: '7' }
    expect(manifestProblems(manifest, { additionalData })).toEqual([
      { field: 'additionalData.password', message: 'required' },
    ])
    expect(
      manifestProblems(manifest, { additionalData }, ({ field }) => field === 'password'),
    ).toEqual([])
  })

  test('include a required field that is cleared', () => {
    const additionalData = { account: null, password: 'secret' }
    expect(manifestProblems(manifest, { additionalData }, () => true)).toEqual([
      { field: 'additionalData.account', message: 'required' },
    ])
  })

  test('include unknown fields, ad hoc fields and wrong types', () => {
    const additionalData = { account: '7', password: 's', days: 'three', list: 'x', accont: '7' }
    expect(manifestProblems(manifest, { additionalData })).toEqual([
      { field: 'additionalData.days', message: 'must be a number' },
      { field: 'additionalData.list', message: 'cannot be stored; send it with each run' },
      {
        field: 'additionalData.accont',
        message: 'unknown field; known: account, password, region, days',
      },
    ])
  })

  test('include names of Object.prototype', () => {
    const additionalData = { account: '7', password: 's', constructor: 'x' }
    expect(manifestProblems(manifest, { additionalData }).map(({ field }) => field)).toEqual([
      'additionalData.constructor',
    ])
  })
})
