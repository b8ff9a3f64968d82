import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  detectDecimal,
  parseBoolean,
  parseNumber,
  splitList,
} from '../../../src/formats/rows/cell-values.ts'

describe('a number in a cell', () => {
  test.each([
    ['12', 12],
    ['12.5', 12.5],
    ['12,50', 12.5],
    ['.5', 0.5],
    [',5', 0.5],
    ['5.', 5],
    ['-3.25', -3.25],
    ['\u22123', -3],
    ['1.234,56', 1234.56],
    ['1,234.56', 1234.56],
    ['1.234.567', 1234567],
    ['1,234,567', 1234567],
    ['1 234,56', 1234.56],
    ['1\u00a0234,56', 1234.56],
    ["1'234.50", 1234.5],
    ['1 234 567', 1234567],
    ['- 5', -5],
    ['0,125', 0.125],
    ['0.125', 0.125],
    ['1.2E+03', 1200],
    ['1,2e3', 1200],
    ['$1,234.50', 1234.5],
    ['€ 12,50', 12.5],
    ['12,50 €', 12.5],
    ['EUR 12,50', 12.5],
    ['12.50 USD', 12.5],
    ['US$5', 5],
    ['-€5', -5],
    ['€-5', -5],
    ['12,-', 12],
    ['1.299,-', 1299],
    ['1,299.-', 1299],
    ['2.450,— €', 2450],
    ['-1.299,--', -1299],
  ])('%s is %d', (text, value) => {
    expect(parseNumber(text, '.')).toBe(value)
  })

  test.each([
    '',
    '-',
    'abc',
    '1.2.3',
    '1,2,3',
    '12,34,5',
    '19 99',
    '19 99 €',
    "5'11",
    '1 2345',
    'NaN',
    'Infinity',
    '1e999',
    '1-2',
    '$',
    ',-',
  ])('%j is not a number', (text) => {
    expect(parseNumber(text, '.')).toBeUndefined()
  })

  test('that is ambiguous follows the rest of the file', () => {
    expect(parseNumber('1,234', '.')).toBe(1234)
    expect(parseNumber('1,234', ',')).toBe(1.234)
    expect(parseNumber('1.234', '.')).toBe(1.234)
    expect(parseNumber('1.234', ',')).toBe(1234)
  })

  test('is read back unchanged with either decimal separator', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), (number) => {
        const value = Number(number.toFixed(2)) + 0
        const point = value.toFixed(2)
        const comma = point.replace('.', ',')
        expect(parseNumber(point, ',')).toBe(value)
        expect(parseNumber(comma, '.')).toBe(parseNumber(point, '.'))
      }),
    )
  })
})

describe('the decimal separator of a file', () => {
  test('is that of unambiguous numbers', () => {
    expect(detectDecimal(['1,234', '12,50', '3'])).toBe(',')
    expect(detectDecimal(['1.234,56'])).toBe(',')
    expect(detectDecimal(['1,234', '12.50'])).toBe('.')
    expect(detectDecimal(['1,234,567'])).toBe('.')
    expect(detectDecimal(['1.234', 'abc', ''])).toBe('.')
    expect(detectDecimal([])).toBe('.')
  })

  test('is proven by whole amounts with a dash', () => {
    expect(detectDecimal(['1.299', '899,-'])).toBe(',')
    expect(detectDecimal(['1,299', '899.-'])).toBe('.')
  })

  test('is not that of words, dates and units', () => {
    expect(detectDecimal(['1,299', 'P.O.A.', 'n.a.', 'k.A.', '31.12.2026'])).toBe('.')
    expect(detectDecimal(['1,299.00', 'n.a.', 'a.a.'])).toBe('.')
    expect(detectDecimal(['899,50', '1.299', '50 Stk.', 'ca. 20', 'v1.5'])).toBe(',')
  })
})

test('yes and no', () => {
  for (const text of ['true', 'Yes', ' Y ', '1', 'ja', 'Sì', 'WAHR', 'vero', 'In Stock', '12']) {
    expect(parseBoolean(text)).toBe(true)
  }
  for (const text of ['false', 'NO', '0', 'nein', 'FALSCH', 'faux', 'out of stock', '0.0', '-4']) {
    expect(parseBoolean(text)).toBe(false)
  }
  expect(parseBoolean('maybe')).toBeUndefined()
})

test('a list in a cell', () => {
  expect(splitList('a | b;c\n\n d')).toEqual(['a', 'b', 'c', 'd'])
  expect(splitList(' ')).toEqual([])
})
