import { expect, test } from 'vitest'
import type { Caller } from '../../../src/operation.ts'
import { usedKey } from '../../../src/usage/entries.ts'
import { aggregateSearches } from '../../../src/usage/record-usage.ts'

const caller: Caller = {
  username: 'ada',
  role: 'viewer',
  parentRole: null,
  keyId: 'k-1',
  keyType: 'search',
  origins: null,
  boundTo: 'acme',
}

test('usage is counted by key, and punchout sessions together', () => {
  expect(usedKey(caller)).toBe('k-1')
  const session = { id: 's', workspace: 'w' }
  expect(usedKey({ ...caller, session })).toBe('punchout sessions')
})

test('searches at one moment create an entry for each organization, key, user and month', () => {
  const search = { organization: 'o', username: 'ada', key: 'k', time: '2026-01-31T23:59:59.000Z' }
  const next = { ...search, time: '2026-02-01T00:00:00.000Z' }
  const entries = aggregateSearches([search, search, { ...search, username: 'bob' }, next])
  expect(entries.map(({ key, entry }) => [key.month, entry.username, entry.searches])).toEqual([
    ['2026-01', 'ada', 2],
    ['2026-01', 'bob', 1],
    ['2026-02', 'ada', 1],
  ])
  expect(entries[0]).toMatchObject({
    key: { organization: 'o', id: expect.any(String) },
    entry: { key: 'k', time: search.time, state: 'answered' },
  })
})
