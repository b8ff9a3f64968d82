import { expect, test } from 'vitest'
import { limits } from '../../../src/limits.ts'
import { createOpenWalks } from '../../../src/search/open-walks.ts'

const { openWalks, organizationWalks, walkMs } = limits

function counted() {
  let now = 1_000
  const walks = createOpenWalks(() => now)
  const begin = (organization: string, count: number) =>
    Array.from({ length: count }, (_, at) => walks.keep(`${organization} ${at}`, organization))
  return {
    ...walks,
    begin,
    pass(ms: number) {
      now += ms
    },
  }
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

test('an organization has a limited number of walks, without affecting others', () => {
  const { begin, end, keep } = counted()
  expect(begin('a', organizationWalks + 1)).toEqual([...times(organizationWalks, true), false])
  expect(begin('b', 1)).toEqual([true])
  end('a 3')
  expect([keep('a new', 'a'), keep('a newer', 'a')]).toEqual([true, false])
})

test('an instance has a limited number of walks', () => {
  const { begin, end, keep } = counted()
  for (let at = 0; at < openWalks / organizationWalks; at++) {
    expect(begin(`o${at}`, organizationWalks)).toEqual(times(organizationWalks, true))
  }
  expect(keep('another', 'other')).toBe(false)
  end('o0 0')
  expect(keep('another', 'other')).toBe(true)
})

test('a walk that continues keeps its place, however many there are', () => {
  const { begin, keep, pass } = counted()
  begin('a', organizationWalks)
  pass(walkMs - 1)
  expect(keep('a 0', 'a')).toBe(true)
  pass(walkMs - 1)
  expect(keep('a 0', 'a')).toBe(true)
})

test('a walk that does not continue loses its place', () => {
  const { begin, keep, pass } = counted()
  begin('a', organizationWalks)
  pass(walkMs / 2)
  expect(keep('a 0', 'a')).toBe(true)
  pass(walkMs / 2)
  expect(begin('b', 1)).toEqual([true])
  // All places are free again but that of the walk that continued.
  const again = Array.from({ length: organizationWalks }, (_, at) => keep(`new ${at}`, 'a'))
  expect(again).toEqual([...times(organizationWalks - 1, true), false])
})
