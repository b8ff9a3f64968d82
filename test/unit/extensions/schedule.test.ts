import { describe, expect, test } from 'vitest'
import { checkSchedule, nextRun } from '../../../src/extensions/schedule.ts'

const BERLIN = 'Europe/Berlin'
const next = (schedule: string, timezone: string | null, after: string) =>
  nextRun({ schedule, timezone }, new Date(after))?.toISOString() ?? null

const checked = (schedule: string, timezone: string | null = null) => {
  try {
    checkSchedule({ schedule, timezone }, new Date('2027-03-01T00:00:00Z'))
    return 'fine'
  } catch (error) {
    return (error as Error).message
  }
}

describe('the next run', () => {
  test('is after the given time, in UTC by default', () => {
    expect(next('30 2 * * *', null, '2027-01-10T02:29:59Z')).toBe('2027-01-10T02:30:00.000Z')
    expect(next('30 2 * * *', null, '2027-01-10T02:30:00Z')).toBe('2027-01-11T02:30:00.000Z')
    expect(next('0 6 * * 1-5', null, '2027-01-08T07:00:00Z')).toBe('2027-01-11T06:00:00.000Z')
    expect(next('0 0 29 2 *', null, '2027-01-01T00:00:00Z')).toBe('2028-02-29T00:00:00.000Z')
  })

  test('keeps its local time in summer and winter', () => {
    expect(next('0 6 * * *', BERLIN, '2027-01-10T12:00:00Z')).toBe('2027-01-11T05:00:00.000Z')
    expect(next('0 6 * * *', BERLIN, '2027-07-10T12:00:00Z')).toBe('2027-07-11T04:00:00.000Z')
    expect(next('0 6 * * *', 'Asia/Kolkata', '2027-07-10T12:00:00Z')).toBe(
      '2027-07-11T00:30:00.000Z',
    )
  })

  test('is on the last day of a year that has ended elsewhere', () => {
    expect(next('0 20 * * *', 'Pacific/Honolulu', '2027-01-01T05:00:00Z')).toBe(
      '2027-01-01T06:00:00.000Z',
    )
  })

  test('comes right after the gap when clocks go forward over it', () => {
    expect(next('30 2 * * *', BERLIN, '2027-03-27T12:00:00Z')).toBe('2027-03-28T01:00:00.000Z')
    expect(next('30 2 * * *', BERLIN, '2027-03-28T01:00:00Z')).toBe('2027-03-29T00:30:00.000Z')
  })

  test('comes once when clocks go back over it', () => {
    expect(next('30 2 * * *', BERLIN, '2027-10-30T12:00:00Z')).toBe('2027-10-31T00:30:00.000Z')
    expect(next('30 2 * * *', BERLIN, '2027-10-31T00:30:00Z')).toBe('2027-11-01T01:30:00.000Z')
  })

  test('with an interval continues through both', () => {
    expect(next('*/30 * * * *', BERLIN, '2027-03-28T00:45:00Z')).toBe('2027-03-28T01:00:00.000Z')
    expect(next('*/30 * * * *', BERLIN, '2027-10-31T00:45:00Z')).toBe('2027-10-31T01:00:00.000Z')
  })
})

describe('a schedule', () => {
  test.each(['*/5 * * * *', '0,30 8-17 * * 1-5', '15 3 * * SUN', '0 0 L * *', '0 0 29 2 *'])(
    '%s is accepted',
    (schedule) => expect(checked(schedule, BERLIN)).toBe('fine'),
  )

  test('can bring fixed times together where clocks go forward', () => {
    expect(checked('58 1,2 * * *', BERLIN)).toBe('fine')
  })

  test.each([
    '* * * * *',
    '*/4 * * * *',
    '*/7 * * * *',
    '0,1 4 * * *',
    '0,58 * * * *',
    '59,0 0,23 * * *',
  ])('%s is refused as too frequent', (schedule) =>
    expect(checked(schedule)).toBe('schedule: must not run more often than every 5 minutes'),
  )

  test.each(['* * * * * *', '@daily', '', '5 4 * *', '0 30 2 * * 2027'])(
    '"%s" is refused because it does not have five fields',
    (schedule) => expect(checked(schedule)).toContain('schedule: must have five fields'),
  )

  test.each(['61 * * * *', 'a b c d e', '/5 * * * *', '0 24 * * *', '0 0 0 * *', '-1 * * * *'])(
    '"%s" is refused as unreadable',
    (schedule) => expect(checked(schedule)).toContain('schedule: not a valid cron expression'),
  )

  test.each([
    ['0 0 30 2 *', 'a day that no month has'],
    ['0 0 29 2 +1', 'a 29 February that is a Monday, in 2044'],
    ['0 0 1-21,1W,2W,3W,4W,5W,6W,7W,8W,9W * +0L,1L,2L,3L,4L,5L,6L', 'days that exclude each other'],
  ])('%s is refused, since it has no run in the next years: %s', (schedule) =>
    expect(checked(schedule)).toBe('schedule: would not run within 10 years'),
  )

  test.each(['Mars/Base', 'Europe/Berlin; rm', ' ', 'é'])(
    'in the time zone "%s" is refused',
    (zone) => expect(checked('0 6 * * *', zone)).toContain('timezone: unknown'),
  )
})
