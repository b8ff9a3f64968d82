import { afterEach, expect, test, vi } from 'vitest'
import { writeProducts } from '../../../src/bulk/write-products.ts'

afterEach(() => void vi.restoreAllMocks())

test.each([
  ['all, where there is time', 9_001, 1_000],
  ['no part that would hardly be done', 9_000, 750],
])('writes %s', async (_, end, written) => {
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const writer = {
    begin: () => ({
      async write(groups: readonly number[]) {
        now += 1_000
        return new Map(groups.map((group) => [group, ['updated']]))
      },
    }),
  }
  const groups = Array.from({ length: 1_000 }, (_, n) => n)
  const done = await writeProducts(writer, groups, end)
  expect([...done.keys()]).toEqual(groups.slice(0, written))
})
