import { expect, test } from 'vitest'
import { levelAfter } from '../../../src/installations/update.ts'

test.each([
  ['organization', undefined, 'organization', 'ada'],
  ['organization', 'organization', 'organization', 'ada'],
  ['organization', 'user', 'user', 'bob'],
  ['user', undefined, 'user', 'ada'],
  ['user', 'user', 'user', 'ada'],
  ['user', 'organization', 'organization', 'ada'],
] as const)(
  'an installation by ada with level %s, updated by bob with %s, gets level %s and owner %s',
  (before, said, level, username) => {
    expect(levelAfter({ level: before, username: 'ada' }, { extensionLevel: said }, 'bob')).toEqual(
      { level, username },
    )
  },
)
