import { describe, expect, test } from 'vitest'
import { monthNumber, monthOfIndex } from '../../../src/elastic/monthly.ts'

describe('monthOfIndex', () => {
  test('is the month in the name', () => {
    const january = monthNumber(new Date('2031-01-31T23:59:59Z'))
    expect(monthOfIndex('aisle-changes-2031.01', 'aisle-changes')).toBe(january)
    expect(monthOfIndex('aisle-changes-2030.12', 'aisle-changes')).toBe(january - 1)
    expect(monthOfIndex('aisle-changes-2032.01', 'aisle-changes')).toBe(january + 12)
  })

  test.each([
    'aisle-changes',
    'aisle-changes-v1',
    'aisle-changes-2031.00',
    'aisle-changes-2031.13',
    'aisle-changes-2031.1',
    'aisle-changes-2031.01-old',
    'aisle-changes-x-2031.01',
    'other-changes-2031.01',
    'aisle-changesy2031.01',
  ])('%s has none', (index) => {
    expect(monthOfIndex(index, 'aisle-changes')).toBeUndefined()
  })
})
