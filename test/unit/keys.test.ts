import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isActive, isMembershipCurrent, type Key } from '../../src/keys/key.ts'
import { couldBeKey, hashOf, newSecret, prefixOf } from '../../src/keys/key-text.ts'
import { KEY_TYPES } from '../../src/operation.ts'
import type { Family } from '../../src/organizations/organization.ts'

const BRAND = 'aisle_'.length
const generated = fc.constantFrom(...KEY_TYPES).map(newSecret)

describe('a generated key', () => {
  test('contains its type and a valid checksum', () => {
    for (const type of KEY_TYPES) {
      const secret = newSecret(type)
      expect(secret).toMatch(new RegExp(`^aisle_${type}_[0-9a-f]{48}_[0-9a-f]{8}$`))
      expect(couldBeKey(secret)).toBe(true)
    }
  })

  test('is never made twice', () => {
    const many = Array.from({ length: 1_000 }, () => newSecret('full'))
    expect(new Set(many).size).toBe(many.length)
  })

  test('is refused with any one character changed', () => {
    fc.assert(
      fc.property(
        generated,
        fc.nat(),
        fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
        (secret, at, letter) => {
          const place = BRAND + (at % (secret.length - BRAND))
          fc.pre(secret[place] !== letter)
          expect(couldBeKey(secret.slice(0, place) + letter + secret.slice(place + 1))).toBe(false)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('is refused with a character lost, doubled or swapped with its neighbor', () => {
    fc.assert(
      fc.property(generated, fc.nat(), (secret, at) => {
        const place = BRAND + (at % (secret.length - BRAND - 1))
        const [before, one, two, after] = [
          secret.slice(0, place),
          secret[place]!,
          secret[place + 1]!,
          secret.slice(place + 2),
        ]
        expect(couldBeKey(before + two + after)).toBe(false)
        expect(couldBeKey(before + one + one + two + after)).toBe(false)
        if (one !== two) expect(couldBeKey(before + two + one + after)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  test('has a display form with eight of its random characters', () => {
    const secret = newSecret('search')
    expect(prefixOf(secret)).toBe(secret.slice(0, 'aisle_search_'.length + 8))
  })
})

describe('a configured operator key', () => {
  test('is any text of 32 to 256 characters', () => {
    expect(couldBeKey('x'.repeat(32))).toBe(true)
    expect(couldBeKey('x'.repeat(256))).toBe(true)
    expect(couldBeKey('x'.repeat(31))).toBe(false)
    expect(couldBeKey('x'.repeat(257))).toBe(false)
  })

  test('has a display form without any of its characters', () => {
    expect(prefixOf('correct-horse-battery-staple-and-more')).toBe('')
  })
})

test('a key is stored as its SHA-256', () => {
  expect(hashOf('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})

test('a key is valid until it is disabled or expires', () => {
  const key = { enabled: true, expires: null } as Key
  const noon = new Date('2026-01-01T12:00:00Z')
  expect(isActive(key, noon)).toBe(true)
  expect(isActive({ ...key, enabled: false }, noon)).toBe(false)
  expect(isActive({ ...key, expires: '2026-01-01T12:00:00.001Z' }, noon)).toBe(true)
  expect(isActive({ ...key, expires: '2026-01-01T12:00:00.000Z' }, noon)).toBe(false)
})

test('the memberships of thousands of keys take one look at each user', () => {
  let looks = 0
  const users = Array.from({ length: 100 }, (_, at) => ({
    get username() {
      looks++
      return `u${at}`
    },
    membership: `m${at}`,
  }))
  const home = { organization: { users }, parent: { users: [] } } as unknown as Family
  const isCurrent = (username: string, membership: string) =>
    isMembershipCurrent({ reach: 'user', username, membership } as Key, home)
  const answers = users.map((_, at) => isCurrent(`u${at}`, `m${at - (at % 2)}`))
  expect(answers).toEqual(users.map((_, at) => at % 2 === 0))
  expect(isCurrent('stranger', 'm0')).toBe(false)
  expect(looks).toBe(100)
})
