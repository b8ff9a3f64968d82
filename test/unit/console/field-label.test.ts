import { expect, test } from 'vitest'
import { labelOf } from '../../../storefront/src/console/extensions/field-label.ts'

test.each([
  ['File type. Default: detected.', true, 'File type', 'Default: detected.'],
  ['Endpoint URL', false, 'Endpoint URL', ''],
  ['Delimiter', true, 'Delimiter', 'Optional.'],
  [null, true, 'sheet', 'Optional.'],
])(
  'a field described as %j has its first sentence as its label',
  (description, optional, ...expected) => {
    expect(labelOf({ field: 'sheet', description, optional })).toEqual(expected)
  },
)
