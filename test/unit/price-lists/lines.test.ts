import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { type LineChange, withLine } from '../../../src/price-lists/lines.ts'
import type { PriceLine } from '../../../src/products/list-prices.ts'

const JUNE = '2026-06-01T00:00:00.000Z'
const JULY = '2026-07-01T00:00:00.000Z'
const MAY = '2026-05-01T00:00:00.000Z'

const line = (price: number, fields: Partial<PriceLine> = {}): PriceLine => ({
  price,
  quantityFrom: 1,
  validFrom: null,
  validTo: null,
  ...fields,
})
const gone = (fields: Partial<PriceLine>): LineChange => ({ ...line(0, fields), price: null })

describe('A written price', () => {
  test('replaces the one for the same quantity and start', () => {
    const before = [line(5), line(4, { quantityFrom: 10 })]
    expect(withLine(before, line(6))).toEqual([line(6), line(4, { quantityFrom: 10 })])
    expect(withLine(before, line(6, { validTo: JUNE }))[0]).toEqual(line(6, { validTo: JUNE }))
    expect(withLine(before, line(5))).toBe(before)
  })

  test('can start where another one ends, and is kept in order', () => {
    const summer = line(4, { validFrom: JUNE, validTo: JULY })
    const before = line(5, { validTo: JUNE })
    const after = line(6, { validFrom: JULY })
    const lines = [after, line(3, { quantityFrom: 10 }), summer, before].reduce(withLine, [])
    expect(lines).toEqual([before, summer, after, line(3, { quantityFrom: 10 })])
  })

  test.each([
    [line(4, { validFrom: JUNE }), line(5), 'the price 5 for 1 and more, always'],
    [
      line(4, { validFrom: MAY, validTo: JULY }),
      line(5, { validFrom: JUNE }),
      `the price 5 for 1 and more, from ${JUNE}`,
    ],
    [line(4), line(5, { validFrom: MAY, validTo: JUNE }), `from ${MAY} until ${JUNE}`],
  ])('is refused if it overlaps another one for the same quantity', (wanted, known, text) => {
    expect(() => withLine([known], wanted)).toThrow(text)
    const other = { ...wanted, quantityFrom: 2 }
    expect(withLine([known], other)).toHaveLength(2)
  })

  test('is refused if it ends before it starts, or exceeds the limit', () => {
    expect(() => withLine([], line(1, { validFrom: JULY, validTo: JUNE }))).toThrow('validTo')
    const most = Array.from({ length: limits.productListPrices }, (_, at) =>
      line(1, { quantityFrom: at + 1 }),
    )
    expect(() => withLine(most, line(1, { quantityFrom: 1_000 }))).toThrow('at most')
    expect(withLine(most, line(2))[0]).toEqual(line(2))
  })

  test('is removed by one without a price', () => {
    const before = [line(5, { validTo: JUNE }), line(6, { validFrom: JUNE })]
    expect(withLine(before, gone({ validFrom: JUNE }))).toEqual([before[0]])
    expect(withLine(before, gone({ quantityFrom: 2 }))).toBe(before)
  })
})
