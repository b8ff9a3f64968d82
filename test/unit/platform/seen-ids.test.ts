import { expect, test } from 'vitest'
import { createSeenIds } from '../../../src/platform/seen-ids.ts'

test('ids that were added are known, and hardly any other', () => {
  const passed = createSeenIds()
  expect(passed.has('A-0')).toBe(false)
  const ids = (name: string) => Array.from({ length: 10_000 }, (_, at) => `${name}-${at}`)
  for (const id of ids('A')) passed.add(id)
  expect(ids('A').every((id) => passed.has(id))).toBe(true)
  expect(ids('B').filter((id) => passed.has(id)).length).toBeLessThan(100)
})
