import { expect, test } from 'vitest'
import { checkTaskInput } from '../../../src/tasks/check-input.ts'

test('the input of a task has at most 512 KiB as JSON, in bytes', () => {
  // The quotes take two.
  expect(() => checkTaskInput('a'.repeat(524_286))).not.toThrow()
  expect(() => checkTaskInput('a'.repeat(524_287))).toThrow('is larger than 524288 bytes as JSON')
  expect(() => checkTaskInput('漢'.repeat(174_763))).toThrow('is larger than 524288 bytes as JSON')
})
