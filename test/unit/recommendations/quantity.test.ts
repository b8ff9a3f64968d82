import { describe, expect, test } from 'vitest'
import { quantityIn, takeQuantity } from '../../../src/recommendations/bom/quantity.ts'

describe('quantityIn', () => {
  test.each([
    ['3', 3],
    ['2x', 2],
    ['x2', 2],
    ['5 Stk.', 5],
    ['3 Stück', 3],
    ['Qty: 12', 12],
    ['12 pcs', 12],
    ['1.000', 1000],
    ['1,000', 1000],
    ['2,5', 2.5],
    ['37.0', 37],
    ['0', 0],
  ])('%s is %d', (cell, quantity) => {
    expect(quantityIn(cell)).toBe(quantity)
  })

  test.each(['CB436A', '4 GB', '-1', 'qty', '', '12345678', '1.2.3'])(
    '%j is not a quantity',
    (cell) => {
      expect(quantityIn(cell)).toBeUndefined()
    },
  )
})

describe('takeQuantity', () => {
  test.each([
    ['2x CB436A', 'CB436A', 2],
    ['2 x HP CB436A Toner', 'HP CB436A Toner', 2],
    ['CB436A x2', 'CB436A', 2],
    ['1021092 x37', '1021092', 37],
    ['CB436A, 5 pcs', 'CB436A', 5],
    ['CB436A (qty 3)', 'CB436A', 3],
    ['qty 3 CB436A', 'CB436A', 3],
    ['Anzahl 4: CB436A', 'CB436A', 4],
    ['3 Stück 006R90321', '006R90321', 3],
    ['51X HP 40 Stk', '51X HP', 40],
    ['5x labels A4, 1500 pcs.', 'labels A4, 1500 pcs.', 5],
    ['26x 1m fiber cable', '1m fiber cable', 26],
    ['2X CB436A', 'CB436A', 2],
  ])('%s', (line, rest, quantity) => {
    expect(takeQuantity(line)).toEqual({ rest, quantity })
  })

  test.each([
    'monitor 1920 x 1080',
    '2 x 4 GB kit',
    '3 x 5 x 7 cm box',
    '25 ft Cat 6 cable',
    'toner original black 6 pc(s)',
    'CB436A',
    '0x CB436A',
  ])('%s has no quantity', (line) => {
    expect(takeQuantity(line)).toEqual({ rest: line, quantity: undefined })
  })
})
