import { expect, test } from 'vitest'
import type { Caller } from '../../../src/operation.ts'
import { usedKey } from '../../../src/usage/entries.ts'

const caller: Caller = {
  username: 'ada',
  role: 'viewer',
  parentRole: null,
  keyId: 'k-1',
  keyType: 'search',
  origins: null,
  boundTo: 'acme',
}

test('usage is counted by key, that of punchout sessions together', () => {
  expect(usedKey(caller)).toBe('k-1')
  const session = { id: 's', workspace: 'w' }
  expect(usedKey({ ...caller, session })).toBe('punchout sessions')
})
