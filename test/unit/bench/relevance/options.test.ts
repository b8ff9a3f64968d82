import { expect, test } from 'vitest'
import { readOptions } from '../../../../bench/relevance/options.ts'

test('without options everything is measured', () => {
  expect(readOptions([])).toEqual({
    parts: ['rated', 'known', 'typing', 'shoppers'],
    keep: false,
    reuse: false,
    show: [],
    without: [],
    sample: 500,
  })
})

test('data to reuse is kept', () => {
  expect(readOptions(['--reuse', '--only', 'typing,known'])).toMatchObject({
    parts: ['known', 'typing'],
    keep: true,
    reuse: true,
  })
})

test.each([
  [['--only', 'rate'], '--only rate: there is no such part'],
  [['--only', 'rated'], '--only rated: needs --catalog'],
  [['--without', 'sleep'], '--without sleep: there is no such step'],
  [['--sample', '0'], '--sample 0'],
  [['--fast'], '--fast'],
])('%j is refused', (args, message) => {
  expect(() => readOptions(args)).toThrow(message)
})
