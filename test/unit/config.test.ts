import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'

describe('RETENTION_MONTHS', () => {
  const read = (text: string) => readConfig({ RETENTION_MONTHS: text }).RETENTION_MONTHS

  test.each([
    ['', { months: 13, kinds: {} }],
    ['24', { months: 24, kinds: {} }],
    ['history=3,changes=24', { months: 13, kinds: { history: 3, changes: 24 } }],
    [' 6 , history = 3 ', { months: 6, kinds: { history: 3 } }],
  ])('%o', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  test.each(['0', '-1', '1.5', 'x', '13,', 'history=', '=3', 'history=0', '1201', '3 4'])(
    '%o is refused',
    (text) => {
      expect(() => read(text)).toThrow(
        'RETENTION_MONTHS: must be months for all logs, of some of them, or both, as in 13,history=3.',
      )
    },
  )
})
