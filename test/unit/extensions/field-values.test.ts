import { expect, test } from 'vitest'
import { checkGiven, typeProblem } from '../../../src/extensions/field-values.ts'
import { field } from '../../../src/extensions/fields.ts'
import { limits } from '../../../src/limits.ts'

const problem = (dataType: string | null, text: string, fieldType = 'text') =>
  typeProblem({ dataType, fieldType }, text)

test.each(['https://shop.example/?a=b', 'HTTP://shop.example'])('%s is a valid address', (text) => {
  expect(problem('url', text)).toBeUndefined()
})

test.each(['javascript:1', 'data:text/html,x', 'ftp://a.example', '//a.example', 'shop', ''])(
  '%j is not a valid address',
  (text) => {
    expect(problem('url', text)).toBe('must be an http or https URL')
  },
)

test('a date must exist in the calendar', () => {
  expect(problem('date', '2028-02-29')).toBeUndefined()
  for (const text of ['2027-02-29', '2027-2-1', '2027-02-01T00:00:00Z', 'soon']) {
    expect(problem('date', text)).toBe('must be a date such as 2027-02-01')
  }
})

test('accepts numbers, and yes and no, which are the only values of a checkbox', () => {
  expect(problem('number', '1e3')).toBeUndefined()
  expect(problem('number', 'three')).toBe('must be a number')
  expect(problem('boolean', 'true')).toBeUndefined()
  expect(problem(null, 'yes', 'checkbox')).toBe('must be true or false')
  expect(problem(null, 'anything', 'select')).toBeUndefined()
})

test('values of a run are validated by the definitions of their fields', () => {
  const fields = [field('days', 'Days', { dataType: 'number' })]
  expect(() => checkGiven({ fields }, 'additionalFields', { days: 'x' })).toThrow(
    'additionalFields.days: must be a number',
  )
  expect(() => checkGiven({ fields }, 'additionalFields', { days: null, text: 'x' })).not.toThrow()
})

test('values of protected fields are not longer together than can be looked for in answers', () => {
  const fields = [
    field('key', 'Key', { protected: true }),
    field('pin', 'Pin', { protected: true }),
  ]
  const check = (key: string) => () => checkGiven({ fields }, 'additionalFields', { key, pin: '1' })
  expect(check('k'.repeat(limits.protectedLength - 1))).not.toThrow()
  expect(check('k'.repeat(limits.protectedLength))).toThrow(
    'additionalFields: the values of protected fields have at most 131072 characters in total; shorten them',
  )
})
