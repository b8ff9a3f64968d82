import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/audit/entry.ts'
import { auditBody } from '../../../src/audit/query.ts'
import { auditTable, shownEntry } from '../../../src/audit/responses.ts'
import type { KeyFacts } from '../../../src/keys/key.ts'
import type { Role } from '../../../src/operation.ts'

const entry: AuditEntry = {
  id: '018f4e5a-7c00-7000-8000-000000000000',
  time: '2024-05-06T12:00:00.000Z',
  operation: 'Save User to Organization',
  outcome: 'done',
  reads: false,
  username: 'ada',
  keyId: 'k-1',
  target: 'user',
  targetId: '=cmd()',
  requestId: 'r-1',
  details: {
    role: 'administrator',
    userToken: null,
    address: '192.0.2.7',
    userAgent: 'curl/8',
    name: null,
    catalog: null,
    secret: false,
    changes: [
      { field: 'role', from: 'viewer', to: 'administrator' },
      { field: 'firstName' },
      { field: 'note', from: null, to: 'x' },
    ],
    more: 2,
  },
}

const organization = { id: 'acme-east', parent: 'acme' }
const seenBy = (
  key: KeyFacts | undefined,
  role: Role,
  parentRole: Role | null = null,
  details: Partial<AuditEntry['details']> = {},
) => {
  const told = { ...entry, details: { ...entry.details, ...details } }
  const { actor, address } = shownEntry(told, key, { caller: { role, parentRole }, organization })
  return [actor.identity?.subject ?? actor.keyName, address]
}

describe('an entry of the audit log', () => {
  const key = (own: string | null, reach: KeyFacts['reach'] = 'organization'): KeyFacts => ({
    name: 'deploy',
    reach,
    organization: own,
  })
  const all = ['deploy', '192.0.2.7']
  const nothing = [null, null]

  test('shows its own administrators the key and the address', () => {
    expect(seenBy(key('acme-east'), 'administrator')).toEqual(all)
  })

  test('shows the key of a parent or an operator only to them', () => {
    expect(seenBy(key('acme'), 'administrator')).toEqual(nothing)
    expect(seenBy(key('acme'), 'administrator', 'viewer')).toEqual(nothing)
    expect(seenBy(key('acme'), 'administrator', 'administrator')).toEqual(all)
    const operators = { role: 'operator' }
    const above = key(null, 'operator')
    expect(seenBy(above, 'administrator', 'administrator', operators)).toEqual(nothing)
    expect(seenBy(above, 'operator', null, operators)).toEqual(all)
    expect(seenBy(undefined, 'administrator')).toEqual(nothing)
  })

  test('does not name a user’s key from elsewhere', () => {
    expect(seenBy(key('other', 'user'), 'administrator')).toEqual([null, '192.0.2.7'])
  })

  test('shows in the same way who signed in with a token', () => {
    const identity = { issuer: 'https://login.example', subject: 's-1', isOwn: true }
    const person = ['s-1', '192.0.2.7']
    expect(seenBy(undefined, 'administrator', null, { identity })).toEqual(person)
    const above = { identity: { ...identity, isOwn: false } }
    expect(seenBy(undefined, 'administrator', null, above)).toEqual(nothing)
    expect(seenBy(undefined, 'administrator', 'administrator', above)).toEqual(person)
  })

  test('can be a row of a table that no spreadsheet executes', () => {
    const reader = { caller: { role: 'operator', parentRole: null }, organization } as const
    const table = auditTable({ items: [shownEntry(entry, undefined, reader)] })
    const [head, row] = table.split('\r\n')
    expect(head).toMatch(/^id,time,operation,/)
    expect(row).toContain(",'=cmd(),")
    expect(row).toContain(
      '"role: viewer → administrator; firstName; note: (none) → x; and 2 more",false',
    )
  })
})

test('a page is queried newest first, after the last entry of the previous one', () => {
  const any = {
    from: null,
    to: null,
    username: null,
    keyId: null,
    operation: null,
    outcome: null,
    target: null,
    targetId: null,
    requestId: null,
    reads: true,
    after: null,
    size: 26,
  }
  const sort = [{ time: 'desc' }, { id: 'desc' }]
  expect(auditBody(any)).toEqual({ size: 26, sort })
  expect(auditBody({ ...any, reads: false, username: 'ada', from: 7, after: entry.id })).toEqual({
    query: {
      bool: {
        filter: [
          { term: { username: 'ada' } },
          { range: { time: { gte: 7 } } },
          { term: { reads: false } },
        ],
      },
    },
    size: 26,
    sort,
    search_after: [0x018f4e5a7c00, entry.id],
  })
})
