import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '../../../src/http/turns.ts'

/** Lets requests begin at once, and returns those that began in each turn of the event loop. */
async function begunByTurn(owners: readonly string[]): Promise<string[]> {
  const takeTurn = createTurns()
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

test('the first request of an owner begins at once', async () => {
  const takeTurn = createTurns()
  const began: string[] = []
  for (const owner of ['a', 'b', 'a']) void takeTurn(owner).then(() => began.push(owner))
  await Promise.resolve()
  expect(began).toEqual(['a', 'b'])
})

test('an owner begins one request in a turn, in order, whatever others do', async () => {
  const turns = await begunByTurn(['a', 'a', 'a', 'b', 'a', 'b'])
  expect(turns).toEqual(['a0 b3', 'a1 b5', 'a2', 'a4'])
})

test('an owner who was idle begins at once again', async () => {
  const takeTurn = createTurns()
  await Promise.all([takeTurn('a'), takeTurn('a')])
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  let isBegun = false
  void takeTurn('a').then(() => {
    isBegun = true
  })
  await Promise.resolve()
  expect(isBegun).toBe(true)
})
