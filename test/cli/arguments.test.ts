import { describe, expect, test } from 'vitest'
import { readArguments, UsageError } from '../../src/cli/arguments.ts'
import { duration, progressLine } from '../../src/cli/progress.ts'

const KEY = { AISLE_API_KEY: 'k' }

describe('the command line of an import', () => {
  test('leaves the type to the service and takes the key from the environment', () => {
    expect(readArguments(['prices.CSV.gz', '--catalog', 'c'], KEY)).toEqual({
      file: 'prices.CSV.gz',
      catalog: 'c',
      organization: undefined,
      type: undefined,
      vendor: undefined,
      mapping: undefined,
      createCatalog: false,
      url: 'http://127.0.0.1:3000',
      key: 'k',
    })
  })

  test.each([
    [[], 'Name one file to import.'],
    [['a.csv', 'b.csv', '--catalog', 'c'], 'Name one file to import.'],
    [['a.csv'], 'Name the catalog: --catalog NAME.'],
    [['a.csv', '--catalog', 'c', '--url', 'nowhere'], '--url nowhere is no address.'],
    [['a.csv', '--catalogue', 'c'], "Unknown option '--catalogue'"],
  ])('refuses %j in one line', (line, message) => {
    expect(() => readArguments(line, KEY)).toThrow(new UsageError(message))
  })

  test.each(['--help', '-h'])('asks for the usage by %s, whatever else it lacks', (option) => {
    expect(readArguments([option], {})).toBeUndefined()
  })

  test('asks for a key', () => {
    expect(() => readArguments(['a.csv', '--catalog', 'c'], {})).toThrow('Set AISLE_API_KEY')
  })
})

describe('progress', () => {
  test('shows the part that is done, the rate and the time left', () => {
    expect(progressLine({ part: 0.5, count: 10_400, unit: 'rows', elapsedMs: 5_000 })).toBe(
      '[############------------]   50 %  10,400 rows  2,080 rows/s  5 s left',
    )
    expect(progressLine({ part: 0, count: 0, unit: 'rows', elapsedMs: 10 })).toBe(
      '[------------------------]    0 %  0 rows',
    )
    expect(progressLine({ part: 1, count: 7, unit: 'MiB', elapsedMs: 2_000 })).toBe(
      '[########################]  100 %  7 MiB  4 MiB/s',
    )
  })

  test('says times as people do', () => {
    expect([400, 59_000, 125_000, 3_780_000].map(duration)).toEqual([
      '1 s',
      '59 s',
      '2 min 05 s',
      '1 h 03 min',
    ])
  })
})
