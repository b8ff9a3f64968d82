import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeProducts } from '../../../src/bulk/write-products.ts'
import { Unavailable } from '../../../src/errors.ts'
import type { CallerOrganization } from '../../../src/operation.ts'
import type { Admission } from '../../../src/platform/admission.ts'

let now = 0
/** Parts that were written concurrently. */
let atOnce = 0
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now))
afterEach(() => void vi.restoreAllMocks())

const groups = Array.from({ length: 1_000 }, () => ({ size: 1 }))

/** Counts outcomes if each part takes a second and the time is over from the `cutFrom`th on. */
async function written(
  end: number,
  { cutFrom = Infinity, isBegun = false, isShared = false } = {},
) {
  now = 0
  atOnce = 0
  const controller = new AbortController()
  let parts = 0
  let underWay = 0
  const writer = {
    begin: () => ({
      async write(part: typeof groups) {
        now += 1_000
        atOnce = Math.max(atOnce, ++underWay)
        if (++parts >= cutFrom) controller.abort(new Error('late'))
        controller.signal.throwIfAborted()
        if (cutFrom === Infinity) await setImmediate()
        underWay--
        return new Map(part.map((group) => [group, ['updated']]))
      },
    }),
  }
  const done = await writeProducts(writer, groups, {
    ctx: {
      signal: controller.signal,
      requests: { isShared: () => isShared } as Admission,
      organization: { id: 'o', parent: null } as CallerOrganization,
    },
    ...{ end, isBegun },
  })
  const shown = [...done.values()].map(([outcome]) =>
    outcome instanceof Unavailable ? outcome.message.slice(0, 12) : outcome,
  )
  return [...Map.groupBy(shown, (outcome) => outcome)].map(([outcome, all]) => [
    outcome,
    all.length,
  ])
}

test('writes everything if there is enough time', async () => {
  expect(await written(6_751)).toEqual([['updated', 1_000]])
})

test('writes one part at a time while other organizations are active', async () => {
  await written(60_000)
  expect(atOnce).toBe(3)
  expect(await written(60_000, { isShared: true })).toEqual([['updated', 1_000]])
  expect(atOnce).toBe(1)
})

test('starts no part that is unlikely to complete in time, and reports it', async () => {
  expect(await written(6_750)).toEqual([
    ['updated', 750],
    ['Not written,', 250],
  ])
})

test('separates interrupted parts from written ones, and throws if nothing was ever written', async () => {
  expect(await written(6_000, { cutFrom: 2 })).toEqual([
    ['updated', 250],
    ['The request ', 500],
    ['Not written,', 250],
  ])
  await expect(written(6_000, { cutFrom: 1 })).rejects.toThrow('late')
  const rest = await written(6_000, { cutFrom: 1, isBegun: true })
  expect(rest.map(([outcome]) => outcome)).toEqual(['The request ', 'Not written,'])
})
