import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { boundedReader } from '../../../src/elastic/bounded-reads.ts'
import type { Elastic } from '../../../src/elastic/client.ts'
import {
  type CoalescingOptions,
  createCoalescingWriter,
  type DocumentChange,
  documentInTurn,
  type WritableDocument,
} from '../../../src/elastic/coalescing-writer.ts'
import type { Stored } from '../../../src/elastic/collection.ts'
import { Conflict, NotFound, Stale, TooManyRequests, Unavailable } from '../../../src/errors.ts'

interface Counter {
  readonly count: number
}

/** A document in memory; the next writes throw `failures`, but store the document if `lost`. */
function counter({
  lost = false,
  turn,
  ...options
}: CoalescingOptions & { lost?: boolean; turn?: WritableDocument<Counter>['turn'] } = {}) {
  const state: { stored: Stored<Counter> | undefined; writes: number; failures: Error[] } = {
    stored: undefined,
    writes: 0,
    failures: [],
  }
  const document: WritableDocument<Counter> = {
    key: 'c',
    read: async () => state.stored,
    async write(next) {
      state.writes++
      const failure = state.failures.shift()
      if (!failure || lost) {
        state.stored = next && { source: next, seqNo: state.writes, primaryTerm: 1 }
      }
      if (failure) throw failure
    },
    hasRoom: ({ count }) => count % 10 !== 0,
    ...(turn ? { turn } : {}),
  }
  const writer = createCoalescingWriter<Counter>(options)
  const change = (by: DocumentChange<Counter>, signal?: AbortSignal) =>
    writer.change(document, by, signal)
  return { state, change }
}

const add = (current: Counter | undefined) => ({ count: (current?.count ?? 0) + 1 })

test('concurrent changes are one write, applied in order and answered one by one', async () => {
  const { state, change } = counter()
  const made = [change(add), change(add), change(add), change(add)]
  expect(await Promise.all(made)).toEqual([1, 2, 3, 4].map((count) => ({ count })))
  expect(state.writes).toBe(2)
})

test('a failing change does not affect others, one without effect is not written', async () => {
  const { state, change } = counter()
  await change(add)
  const fail = () => Promise.reject(new NotFound('It'))
  const results = await Promise.allSettled([change((one) => one), change(fail), change(add)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(state.stored?.source).toEqual({ count: 2 })
  expect(state.writes).toBe(2)
})

test('many expensive changes of a document let others run in between', async () => {
  const { change } = counter()
  const expensive = (current: Counter | undefined) => {
    for (const end = performance.now() + 6; performance.now() < end; );
    return { count: (current?.count ?? 0) + 1 }
  }
  let turns = 0
  const made = Promise.all(Array.from({ length: 9 }, () => change(expensive)))
  const over = made.then(() => true)
  while (!(await Promise.race([over, setImmediate(false)]))) turns++
  expect((await made).at(-1)).toEqual({ count: 9 })
  expect(turns).toBeGreaterThan(6)
})

test('a write is repeated after a conflict', async () => {
  const { state, change } = counter()
  state.failures.push(new Stale(), new Conflict('there'))
  expect(await change(add)).toEqual({ count: 1 })
  expect(await change(() => undefined)).toBeUndefined()
  expect(state.stored).toBeUndefined()
})

test('changes without room wait for the next write', async () => {
  const { state, change } = counter()
  const made = Array.from({ length: 25 }, () => change(add))
  expect((await Promise.all(made)).at(-1)).toEqual({ count: 25 })
  // The first alone, then until 10 and 20 are full, then the rest.
  expect(state.writes).toBe(4)
})

test('a write whose answer was lost fails, or is repeated if the change can detect that it was applied', async () => {
  const lost = new Unavailable('no answer')
  const plain = counter({ lost: true })
  plain.state.failures.push(lost)
  await expect(plain.change(add)).rejects.toBe(lost)

  const repeating = counter({ lost: true, repeatsLost: true })
  repeating.state.failures.push(lost)
  const once: DocumentChange<Counter> = (current, isRepeated) =>
    isRepeated ? current : add(current)
  expect(await repeating.change(once)).toEqual({ count: 1 })
  repeating.state.failures.push(lost)
  const remove: DocumentChange<Counter> = (current, isRepeated) => {
    if (!current && !isRepeated) throw new NotFound('It')
    return undefined
  }
  // The others wait together while the first runs; one removal must succeed, though it is repeated.
  const meeting = [(current?: Counter) => current, remove, remove]
  const results = await Promise.allSettled(meeting.map((by) => repeating.change(by)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  repeating.state.failures.push(lost, lost, lost, lost)
  await expect(repeating.change(add)).rejects.toBe(lost)
})

test('a caller waits no longer than its own signal', async () => {
  const { state, change } = counter()
  const stop = new AbortController()
  state.failures.push(...Array.from({ length: 100 }, () => new Stale()))
  const waiting = change(add, stop.signal)
  stop.abort(new Error('over'))
  await expect(waiting).rejects.toThrow('over')
  expect(() => change(add, stop.signal)).toThrow('over')
})

test('changes that wait for a turn are written in it, without those that were cancelled', async () => {
  const { promise: turn, resolve: begin } = Promise.withResolvers<void>()
  let ended = 0
  const { state, change } = counter({
    async turn() {
      await turn
      return () => ended++
    },
  })
  await change(add)
  const stop = new AbortController()
  const made = [change(add, stop.signal), change(add)]
  stop.abort(new Error('over'))
  begin()
  const [first, second] = await Promise.allSettled(made)
  expect([first!.status, second!.status]).toEqual(['rejected', 'fulfilled'])
  expect(state.stored?.source).toEqual({ count: 2 })
  // The first write found no document, so it takes no turn.
  expect(ended).toBeGreaterThan(0)
})

test('cancelling a change that waits for its turn does not affect the others', async () => {
  const { state, change } = counter({
    turn: (_, signal) =>
      new Promise((resolve, reject) => {
        if (!signal) resolve(undefined)
        else signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  await change(add)
  const given = new AbortController()
  const changes = [change(add), change(add, given.signal)]
  const ended = Promise.allSettled(changes)
  setTimeout(() => given.abort(new Error('given up')), 20)
  expect(await ended).toEqual([
    { status: 'fulfilled', value: { count: 2 } },
    { status: 'rejected', reason: new Error('given up') },
  ])
  expect(state.writes).toBe(2)
})

test('if no turn is available, its changes fail and nothing is written', async () => {
  const { state, change } = counter({ turn: () => Promise.reject(new TooManyRequests('Later.')) })
  await change(add)
  await expect(change(add)).rejects.toThrow('Later.')
  expect(state.writes).toBe(1)
})

test('large documents of an owner are written one after the other, small ones at once', async () => {
  const mostAtOnce = async (length: number) => {
    const elastic = {} as Elastic
    let underWay = 0
    let most = 0
    const replace = async () => {
      most = Math.max(most, ++underWay)
      await setImmediate()
      underWay--
    }
    const place = { kind: 'things', scope: 'o' }
    boundedReader({ elastic, place, source: undefined }).note(length, 1)
    const things = { place, documentId: (id: string) => id, replace } as never
    const at = { source: {}, seqNo: 1, primaryTerm: 1 }
    await Promise.all(
      ['a', 'b', 'c'].map((id) => documentInTurn(elastic, things, id, 1_000).write({}, at)),
    )
    return most
  }
  expect(await mostAtOnce(1_001)).toBe(1)
  expect(await mostAtOnce(1_000)).toBe(3)
})
