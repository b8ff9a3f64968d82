import { expect, test } from 'vitest'
import { labelOf } from '../../../storefront/src/console/extensions/field-label.ts'

test.each([
  ['File type. Default: detected.', true, 'File type', 'Default: detected.'],
  ['Endpoint URL', false, 'Endpoint URL', ''],
  ['Delimiter', true, 'Delimiter', 'Optional.'],
  [null, true, 'sheet', 'Optional.'],
])(
  'the label of a field described as %j is its first sentence',
  (description, optional, ...expected) => {
    expect(labelOf({ field: 'sheet', description, optional })).toEqual(expected)
  },
)
