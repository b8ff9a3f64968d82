import { expect, test } from 'vitest'
import { createTurns } from '../../../src/http/request-turns.ts'
import { limits } from '../../../src/limits.ts'

/** Lets requests of these owners begin at once, and returns those that began in each turn of the loop. */
async function begunByTurn(owners: readonly string[], takeTurn = createTurns()): Promise<string[]> {
  const begun: string[][] = [[]]
  let ticking = setImmediate(function tick() {
    begun.push([])
    ticking = setImmediate(tick)
  })
  await Promise.all(
    owners.map(async (owner, at) => {
      await takeTurn(owner)
      begun.at(-1)!.push(`${owner}${at}`)
    }),
  )
  clearImmediate(ticking)
  return begun.map((turn) => turn.join(' '))
}

test('an owner begins one request in a turn, in order, whatever others do', async () => {
  const turns = await begunByTurn(['b', 'a', 'a', 'a', 'a', 'b'])
  expect(turns).toEqual(['b0 a1 b5', 'a2', 'a3', 'a4'])
})

test('requests of one owner alone begin at once', async () => {
  expect(await begunByTurn(['a', 'a', 'a'])).toEqual(['a0 a1 a2'])
})

test('an owner is alone again when no other one has come for a while', async () => {
  let now = 0
  const takeTurn = createTurns(() => now)
  expect(await begunByTurn(['b', 'a', 'a'], takeTurn)).toEqual(['b0 a1', 'a2'])
  await new Promise((resolve) => setImmediate(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  now = limits.sharingMs
  expect(await begunByTurn(['a', 'a', 'a'], takeTurn)).toEqual(['a0 a1 a2'])
})
