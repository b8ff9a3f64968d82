import { describe, expect, test } from 'vitest'
import { keptSince, monthNumber, monthOfIndex } from '../../../src/elastic/monthly-names.ts'

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

describe('keptSince', () => {
  test.each([
    [1, '2031-02-01'],
    [3, '2030-12-01'],
    [13, '2030-02-01'],
    [1200, '1931-03-01'],
  ])('%d months ago is %s', (months, day) => {
    const now = new Date('2031-03-31T23:59:59Z')
    expect(keptSince(now, months)).toEqual(new Date(`${day}T00:00:00Z`))
  })
})
