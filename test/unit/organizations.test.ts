import { describe, expect, test } from 'vitest'
import { idFromName, newOrganization, updated } from '../../src/organizations/edit.ts'
import {
  isOrganizationId,
  type Organization,
  roleIn,
} from '../../src/organizations/organization.ts'
import { toOrganizationAnswer } from '../../src/organizations/reading.ts'
import { NewOrganization, OrganizationUpdate, Username } from '../../src/organizations/schemas.ts'

const noon = new Date('2026-01-01T12:00:00Z')
const made = (body: object): Organization =>
  newOrganization(NewOrganization.parse({ name: 'Acme', ...body }), 'acme', noon)
const change = (body: object, withLimits = false): Organization =>
  updated(
    made({ logo: 'logo.png', defaultCatalog: 'main', userLimit: 5 }),
    OrganizationUpdate.parse(body),
    { withLimits },
  )

describe('an id from a name', () => {
  test.each([
    ['Müller & Söhne GmbH', 'muller-sohne-gmbh'],
    ['  ACME, Inc. ', 'acme-inc'],
    ['3M', '3m'],
    ['東京', ''],
    ['--', ''],
    [`${'long '.repeat(30)}`, 'long-long-long-long-long-long-long-long-long-lon'],
  ])('%s', (name, id) => {
    expect(idFromName(name)).toBe(id)
    if (id) expect(isOrganizationId(id)).toBe(true)
  })
})

test.each(['', '-a', 'A', 'a.b', 'a*', 'a/b', 'a_b', 'ä', 'a'.repeat(65), 'a\n'])(
  '%j is not a valid organization id',
  (text) => expect(isOrganizationId(text)).toBe(false),
)

test.each(['anna', 'anna.b@shop.example', "o'neill", '4711', 'Łukasz', 'a+b', '山田'])(
  '%j is a valid username',
  (name) => expect(Username.safeParse(name).success).toBe(true),
)

test.each([
  '',
  '.',
  '..',
  ' anna',
  'a/b',
  'a b',
  '*',
  'a\u202eb',
  'operator',
  'Operator',
  'x'.repeat(201),
])('%j is not a valid username', (name) => expect(Username.safeParse(name).success).toBe(false))

describe('an update', () => {
  test('keeps absent fields', () => {
    expect(change({ name: 'New' })).toEqual({ ...change({}), name: 'New' })
  })

  test('clears null and empty fields', () => {
    expect(change({ logo: null, defaultCatalog: '' })).toMatchObject({
      logo: null,
      defaultCatalog: null,
    })
  })

  test('changes limits for operators only', () => {
    const body = {
      userLimit: 9,
      catalogLimit: 8,
      licensedUserCount: 7,
      searchCredits: 6,
      additionalCreditBundle: 5,
      additionalCreditCost: 4.5,
    }
    expect(change(body)).toEqual(change({}))
    expect(change(body, true)).toMatchObject(body)
    expect(change({ userLimit: null, licensedUserCount: null }, true)).toMatchObject({
      userLimit: null,
      licensedUserCount: 0,
    })
  })

  test('replaces configurations as a whole', () => {
    const two = change({ configurations: [{ name: 'a', defaultValue: '1' }, { name: 'b' }] })
    expect(two.configurations.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(change({ configurations: null }).configurations).toEqual([])
  })

  test.each([
    ['a protected value', [{ name: 'token', protected: true, defaultValue: 'secret' }]],
    ['one name twice', [{ name: 'a' }, { name: 'a' }]],
    ['no name', [{ name: ' ' }]],
    ['101 of them', Array.from({ length: 101 }, (_, n) => ({ name: `c${n}` }))],
  ])('refuses configurations with %s', (_what, configurations) => {
    expect(OrganizationUpdate.safeParse({ configurations }).success).toBe(false)
  })
})

test('the value of a protected configuration is never returned, however it was entered', () => {
  const organization: Organization = {
    ...made({}),
    configurations: [
      { name: 'a', description: null, defaultValue: 'x', protected: true, dataType: null },
      { name: 'b', description: null, defaultValue: 'y', protected: false, dataType: null },
    ],
  }
  const { configurations } = toOrganizationAnswer(organization, [])
  expect(configurations.map(({ defaultValue }) => defaultValue)).toEqual([null, 'y'])
})

describe('a role', () => {
  const child = made({ users: [{ username: 'anna', role: 'editor' }] })
  const parent = made({
    users: [
      { username: 'anna', role: 'viewer' },
      { username: 'otto', role: 'administrator' },
    ],
  })

  test.each([
    ['anna', 'editor'],
    ['otto', 'administrator'],
    ['nobody', null],
  ])('of %s in a child is %s: the stronger of both', (username, role) => {
    expect(roleIn({ organization: child, parent }, username)).toBe(role)
  })

  test('in a child does not apply to the parent', () => {
    expect(roleIn({ organization: parent, parent: null }, 'anna')).toBe('viewer')
  })
})
