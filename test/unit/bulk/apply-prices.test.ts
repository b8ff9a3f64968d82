import { expect, test } from 'vitest'
import { applyPrices } from '../../../src/bulk/apply-prices.ts'
import { keysOfRow } from '../../../src/imports/writing/row-keys.ts'
import { atOnce } from '../../../src/platform/steps.ts'
import type { LineChange } from '../../../src/price-lists/lines.ts'
import type { ProductDocument } from '../../../src/products/product.ts'
import { document, offer } from '../products/make.ts'

const row = { id: 'p', patch: {}, offers: [] }
const until = (price: number, validTo: string | null, quantityFrom = 1): LineChange => ({
  ...{ price, quantityFrom, validFrom: null, validTo },
})
const steps = (existing: ProductDocument, changes: readonly LineChange[], request?: string) =>
  applyPrices(
    { lines: changes.map((change, index) => ({ index, keys: [], row, change })) },
    existing,
    { list: 'l', slot: 's0', at: '2026-03-01T00:00:00.000Z', request },
  )
const applied = (...given: Parameters<typeof steps>) => atOnce(steps(...given))

const texts = (outcomes: readonly unknown[]) =>
  outcomes.map((one) => (one instanceof Error ? one.message.slice(0, 14) : one))

test('other requests are answered between the lines of one product', () => {
  expect([...steps(document(), [until(1, null), until(2, null, 10)])]).toHaveLength(2)
})

test('a repeated request has the same result and changes nothing', () => {
  const later = { ...until(3, null), validFrom: '2025-01-01T00:00:00.000Z' }
  const lines = [until(1, null), later, until(1, null), until(2, null, 10)]
  const first = applied(document(), lines, 'r1')
  expect(texts(first.outcomes)).toEqual(
    ['updated', 'The price overlaps the', 'unchanged', 'updated'].map((text) => text.slice(0, 14)),
  )
  expect(first.document?.offerWrites).toEqual([{ request: 'r1', updated: 2, refused: [1] }])
  // The repetition must not judge lines anew: what refused one has changed, and others overlap now.
  const moved = applied(first.document!, [until(9, '2025-01-01T00:00:00.000Z')], 'r2').document!
  const other = applied(moved, [later]).document!
  const again = applied(other, lines, 'r1')
  expect(again.document).toBeUndefined()
  expect(texts(again.outcomes)).toEqual(['updated', 'It was rejecte', 'updated', 'unchanged'])
})

test('a request without a key leaves nothing but its prices', () => {
  const { document: next } = applied(document(), [until(1, null)])
  expect(next).not.toHaveProperty('offerWrites')
  expect(next?.listPrices?.slots.s0?.lines).toEqual([until(1, null)])
})

test('lines that identify the product by a number look up its numbers once', () => {
  let looks = 0
  const watched = {
    ...offer('a'),
    get vendorPartNumber() {
      looks++
      return 'A-1'
    },
  }
  const [key] = keysOfRow({ id: null, patch: {}, offers: [watched] })
  looks = 0
  const lines = Array.from({ length: 100 }, (_, index) => ({
    ...{ index, keys: [key!], row, change: until(index, null) },
  }))
  const wanted = { list: 'l', slot: 's0', at: '2026-03-01T00:00:00.000Z', request: undefined }
  const { outcomes } = atOnce(applyPrices({ lines }, document({ vendors: [watched] }), wanted))
  expect(outcomes).toEqual(lines.map(() => 'updated'))
  expect(looks).toBe(1)
})
