import { expect, test } from 'vitest'
import { checkTaskInput } from '../../../src/tasks/check-input.ts'

test('the input of a task has at most 256 KiB as JSON, in bytes', () => {
  // The quotes take two.
  expect(() => checkTaskInput('a'.repeat(262_142))).not.toThrow()
  expect(() => checkTaskInput('a'.repeat(262_143))).toThrow('at most 262144 bytes as JSON')
  expect(() => checkTaskInput('漢'.repeat(87_381))).toThrow('at most 262144 bytes as JSON')
})
