import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RowChange } from '../../../src/formats/rows/row-change.ts'
import { groupRowsDirectly } from '../../../src/imports/group-rows.ts'

const change = (id: string): RowChange => ({ id, patch: {}, offers: [] }) as unknown as RowChange

const ids = (changes: readonly RowChange[]) => changes.map(({ id }) => id!)
const resolver = {
  naming: null,
  direct: ids,
  resolve: async (all: readonly RowChange[]) => ids(all),
}

/** Groups 100 rows of 10,000 characters; returns the most that were drafted without a pause. */
async function longestRun(): Promise<number> {
  let run = 0
  let longest = 0
  const rows = Array.from({ length: 100 }, (_, at) => ({
    ...{ line: at, length: 10_000, read: change(String(at)) },
  }))
  let isOver = false
  const others = async () => {
    for (; !isOver; run = 0) await setImmediate()
  }
  const done = groupRowsDirectly({ rows, resolver, before: 0 }, async (groups) => {
    run += groups.length
    longest = Math.max(longest, run)
  })
  void others()
  const grouped = await done
  isOver = true
  expect(grouped?.groups.map(({ id }) => id)).toEqual(rows.map(({ line }) => String(line)))
  return longest
}

test('long rows are drafted a few at a time', async () => {
  expect(await longestRun()).toBeLessThan(10)
})

test('a row is read once while it is drafted, and again if it is needed later', async () => {
  let reads = 0
  const row = {
    ...{ line: 1, length: 10 },
    get read() {
      reads++
      return change('A')
    },
  }
  const drafted: (string | null)[] = []
  const grouped = await groupRowsDirectly({ rows: [row], resolver, before: 0 }, async (groups) => {
    drafted.push(...groups.flatMap((group) => group.changes().map(({ id }) => id)))
  })
  expect([drafted, reads]).toEqual([['A'], 1])
  expect(grouped?.groups[0]?.changes()).toEqual([change('A')])
  expect(reads).toBe(2)
})
