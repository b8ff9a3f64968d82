import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { applyPatch, changedFields, checkSize } from '../../../src/products/patch.ts'
import { ProductBody, ProductBody10 } from '../../../src/products/schemas.ts'
import { viewProduct } from '../../../src/products/view.ts'
import { oddBody } from '../../support/odd-products.ts'
import { document, offer, product } from './make.ts'

describe('applyPatch', () => {
  test('keeps undefined, clears null, replaces lists and objects, and keeps the order of fields', () => {
    const before = product({ name: 'A', msrp: 1, attributes: { a: '1', b: '2' }, upcs: ['1'] })
    const after = applyPatch(before, { name: null, msrp: undefined, attributes: { b: '3' } })
    expect(after).toEqual({ ...before, name: null, attributes: { b: '3' } })
    expect(Object.keys(after)).toEqual(Object.keys(before))
  })
})

describe('changedFields', () => {
  test('is empty for equal products, whatever the order of keys and vendors', () => {
    const vendors = [offer('a', { cost: 1 }), offer('b')]
    const before = product({ attributes: { a: '1', b: '2' }, vendors })
    const after = product({ attributes: { b: '2', a: '1' }, vendors: vendors.toReversed() })
    expect(changedFields(before, after)).toEqual([])
  })

  test('lists only the entries that differ', () => {
    const before = product({
      name: 'A',
      vendors: [offer('a', { cost: 1 }), offer('b'), offer('c')],
      filters: { x: 1, y: 2, z: 3 },
      upcs: ['1'],
    })
    const after = product({
      name: 'B',
      vendors: [offer('d'), offer('c'), offer('a', { cost: 2 })],
      filters: { x: 1, y: 3, w: 0 },
      upcs: ['1', '2'],
    })
    expect(changedFields(before, after)).toEqual([
      { field: 'name', before: 'A', after: 'B' },
      { field: 'upcs', before: ['1'], after: ['1', '2'] },
      {
        field: 'vendors',
        before: [offer('a', { cost: 1 }), offer('b')],
        after: [offer('d'), offer('a', { cost: 2 })],
      },
      { field: 'filters', before: { y: 2, z: 3 }, after: { y: 3, w: 0 } },
    ])
  })

  test('detects names of properties that every object has', () => {
    const before = product({ attributes: { constructor: 'x' } })
    expect(changedFields(before, product())).toEqual([
      { field: 'attributes', before: { constructor: 'x' }, after: {} },
    ])
  })
})

describe('everything that the schema accepts', () => {
  const viewer = { organization: 'o', username: 'u', keyType: 'full' as const }
  const accepted = oddBody.filter((body) => ProductBody.safeParse(body).success)

  test('can be returned and sent back without a change', () => {
    fc.assert(
      fc.property(accepted, (body) => {
        const { id: _, ...patch } = ProductBody.parse(body)
        const stored = JSON.parse(JSON.stringify(applyPatch(product(), patch)))
        for (const schema of [ProductBody, ProductBody10]) {
          const got = JSON.parse(
            JSON.stringify(viewProduct({ ...document(), product: stored }, viewer)),
          )
          const again = applyPatch(stored, schema.parse(got))
          expect(changedFields(stored, again)).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('differs in exactly the fields of a patch', () => {
    fc.assert(
      fc.property(accepted, (body) => {
        const { id: _, ...patch } = ProductBody.parse(body)
        const named = Object.keys(patch).filter((key) => patch[key as 'name'] !== undefined)
        for (const { field } of changedFields(product(), applyPatch(product(), patch))) {
          expect(named).toContain(field)
        }
      }),
    )
  })
})

test('checkSize refuses a product above its limit', () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, 'x'.repeat(2_000)]))
  expect(() => checkSize(product({ attributes: many(500) }))).not.toThrow()
  expect(() => checkSize(product({ attributes: many(550) }))).toThrow(/the limit is 1048576/)
})

test('checkSize counts the bytes of the JSON', () => {
  const exact = (left: number) => {
    const value = product({
      name: 'Schraube "ß" 🔩',
      vendors: [offer('a', { cost: 1 }), offer('b')],
    })
    const bytes = Buffer.byteLength(JSON.stringify({ ...value, description: '' }))
    return { ...value, description: 'x'.repeat(limits.productBytes - bytes - left) }
  }
  expect(() => checkSize(exact(0))).not.toThrow()
  expect(() => checkSize(exact(-1))).toThrow(`has ${limits.productBytes + 1} bytes`)
})
