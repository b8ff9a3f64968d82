import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { RowChange } from '../../../src/formats/rows/row-change.ts'
import { groupRows, groupRowsDirectly } from '../../../src/imports/group-rows.ts'

const change = (id: string): RowChange => ({ id, patch: {}, offers: [] }) as unknown as RowChange

/** Reads 100 rows of 10,000 characters; returns the most that were read without a pause. */
async function longestRun(way: 'directly' | 'by search'): Promise<number> {
  let run = 0
  let longest = 0
  const batch = Array.from({ length: 100 }, (_, at) => ({ line: at, text: 'x'.repeat(10_000) }))
  const rows = {
    read(row: { line: number }) {
      longest = Math.max(longest, ++run)
      return change(String(row.line))
    },
  }
  const ids = (changes: readonly RowChange[]) => changes.map(({ id }) => id!)
  const resolver = {
    naming: null,
    direct: ids,
    resolve: async (all: readonly RowChange[]) => ids(all),
  }
  let isOver = false
  const others = async () => {
    for (; !isOver; run = 0) await setImmediate()
  }
  const parts = { rows, resolver, batch, before: 0 }
  const done = way === 'directly' ? groupRowsDirectly(parts, () => undefined) : groupRows(parts)
  void others()
  const grouped = await done
  isOver = true
  expect(grouped?.groups.map(({ id }) => id)).toEqual(batch.map(({ line }) => String(line)))
  return longest
}

test.each(['directly', 'by search'] as const)(
  'long rows that are matched %s are read a few at a time',
  async (way) => {
    expect(await longestRun(way)).toBeLessThan(10)
  },
)
