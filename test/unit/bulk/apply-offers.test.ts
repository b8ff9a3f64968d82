import { expect, test } from 'vitest'
import { applyOffers } from '../../../src/bulk/apply-offers.ts'
import { limits } from '../../../src/limits.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import type { ProductDocument } from '../../../src/products/product.ts'
import { document } from '../products/make.ts'

const row = { id: 'p', patch: {}, offers: [] }
const group = (...costs: readonly number[]) => ({
  id: 'p',
  size: costs.length,
  lines: costs.map((cost, index) => ({ index, keys: [], row, offer: { vendorName: 'v', cost } })),
})
const steps = (existing: ProductDocument, costs: readonly number[], request?: string) =>
  applyOffers(group(...costs), existing, {
    catalog: 'c',
    organization: 'o',
    stamp: { entryId: 'e', actor: 'ada', source: 'api' },
    request,
    now: new Date('2026-03-01T00:00:00Z'),
  })
const applied = (...given: Parameters<typeof steps>) => atOnce(steps(...given))

test('other requests are answered between the lines of one product', () => {
  expect([...steps(document(), [1, 2, 3])]).toHaveLength(3)
})

test('a repeated request has the same result and changes nothing', () => {
  const first = applied(document(), [1, 2, 2], 'r1')
  expect(first.outcomes).toEqual(['updated', 'updated', 'unchanged'])
  expect(first.document?.offerWrites).toEqual([{ request: 'r1', updated: 2 }])
  const { document: other } = applied(first.document!, [7], 'r2')
  expect(applied(other!, [1, 2, 2], 'r1')).toEqual({
    document: undefined,
    outcomes: ['updated', 'updated', 'unchanged'],
  })
  expect(applied(other!, [1]).document?.product.vendors).toMatchObject([{ cost: 1 }])
})

test('a product remembers some requests, and none without a key or an effect', () => {
  let existing = document()
  for (let n = 0; n <= 20; n++) existing = applied(existing, [n], `r${n}`).document!
  expect(existing.offerWrites?.map(({ request }) => request)).toEqual(
    Array.from({ length: 8 }, (_, n) => `r${n + 13}`),
  )
  expect(applied(existing, [20], 'r21').document).toBeUndefined()
  expect(applied(document(), [1]).document).not.toHaveProperty('offerWrites')
})

test('a refused line is refused again', () => {
  const vendors = Array.from({ length: limits.productOffers }, (_, n) => ({
    vendorName: `v${n}`,
    cost: 1,
    onHand: null,
    inStock: false,
    vendorPartNumber: null,
    status: null,
    name: null,
  }))
  expect(applied(document({ vendors }), [1], 'r').outcomes).toEqual([
    new Error('more than 500 vendors'),
  ])
})
