import { expect, test } from 'vitest'
import type { Context } from '../../../src/operation.ts'
import { inExplanationTurn } from '../../../src/search/explanation-turn.ts'

/** What begins of two requests before the first one has ended. */
async function begunOf(isShared: boolean, isExplained: boolean): Promise<number> {
  const ctx = {
    elastic: {},
    organization: { id: 'acme', parent: null },
    requests: { isShared: () => isShared },
    signal: new AbortController().signal,
  } as unknown as Context
  const first = Promise.withResolvers<void>()
  let begun = 0
  const request = () =>
    inExplanationTurn(ctx, isExplained, () => {
      begun += 1
      return first.promise
    })
  const both = [request(), request()]
  await new Promise(setImmediate)
  const before = begun
  first.resolve()
  await Promise.all(both)
  expect(begun).toBe(2)
  return before
}

test('explained searches take turns while several organizations are active, others do not', async () => {
  expect(await begunOf(true, true)).toBe(1)
  expect(await begunOf(true, false)).toBe(2)
  expect(await begunOf(false, true)).toBe(2)
})
