import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TooManyRequests } from '../../../src/errors.ts'
import { limits } from '../../../src/limits.ts'
import { createAdmission } from '../../../src/platform/admission.ts'
import type { AdmissionBounds } from '../../../src/platform/admission-bounds.ts'
import { loadOwner, partOf } from '../../../src/platform/load-owner.ts'

const bounds = {
  capacity: 4,
  share: 3,
  waiting: 100,
  ownerWaiting: 50,
  waitMs: 1_000,
  what: 'requests',
} satisfies AdmissionBounds

/** Work of several owners; `began` is the order in which it began. */
function bench(own: Partial<AdmissionBounds> = {}, clock?: () => number) {
  const admission = createAdmission({ ...bounds, ...own }, clock)
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, cost = 1, signal?: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.set(name, resolve)
    const work = () => {
      began.push(name)
      return promise
    }
    const run = admission.run(name[0]!, work, { cost, ...(signal ? { signal } : {}) })
    // Some of it still waits when its test ends.
    run.catch(() => undefined)
    return run
  }
  const end = async (...names: string[]) => {
    for (const name of names) {
      ends.get(name)!()
      await settled()
    }
  }
  return { admission, began, start, end }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('places', () => {
  test('an owner can use its share, and work that comes then begins at once', async () => {
    const { began, start } = bench()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void start(name)
    await settled()
    expect(began).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  test('work that does not want to wait gets a free place, but does not overtake', async () => {
    const { admission, began, start } = bench()
    const leave = admission.tryEnter('a', { cost: 3 })
    expect(leave).toBeDefined()
    expect(admission.tryEnter('a')).toBeUndefined()
    expect(admission.tryEnter('b', { cost: 2 })).toBeUndefined()
    void start('b1', 2)
    // The free places are reserved for the one that waits.
    expect(admission.tryEnter('c', { cost: 2 })).toBeUndefined()
    leave!()
    leave!()
    await settled()
    expect(began).toEqual(['b1'])
    expect(admission.load()).toEqual({ underWay: 2, waiting: 0 })
  })

  test('are assigned to owners in turn, not in the order of arrival', async () => {
    const { began, start, end } = bench({ capacity: 1, share: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void start(name)
    await settled()
    await end('a1', 'b1', 'c1', 'a2', 'b2', 'a3')
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  test('heavy work counts for as many turns as it costs', async () => {
    const { began, start, end } = bench({ capacity: 3, share: 3 })
    for (const name of ['a1', 'a2', 'a3']) void start(name, 3)
    for (const name of ['b1', 'b2', 'b3', 'b4', 'b5']) void start(name)
    await settled()
    await end('a1', 'b1', 'b2', 'b3')
    expect(began).toEqual(['a1', 'b1', 'b2', 'b3', 'a2'])
    await end('a2')
    expect(began.slice(5)).toEqual(['b4', 'b5'])
  })

  test('heavy work is not overtaken forever by light work of others', async () => {
    const { began, start, end } = bench({ capacity: 2, share: 2 })
    for (const name of ['a1', 'b1']) void start(name)
    void start('c1', 2)
    for (const name of ['a2', 'b2', 'a3', 'b3']) void start(name)
    await settled()
    await end('a1')
    expect(began).toEqual(['a1', 'b1'])
    await end('b1')
    expect(began).toEqual(['a1', 'b1', 'c1'])
  })

  test('work that costs more than a share takes all of it', async () => {
    const { began, start, end } = bench()
    void start('a1', 100)
    void start('a2')
    void start('b1')
    await settled()
    expect(began).toEqual(['a1', 'b1'])
    await end('a1')
    expect(began).toEqual(['a1', 'b1', 'a2'])
  })

  test('an owner gains nothing from having been idle', async () => {
    const { began, start, end } = bench({ capacity: 1, share: 1 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name)
    await settled()
    await end('a1', 'a2')
    for (const name of ['b1', 'b2', 'b3']) void start(name)
    await end('a3', 'b1', 'a4', 'b2')
    expect(began).toEqual(['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'b3'])
  })
})

describe('an owner with low priority', () => {
  const shared = { capacity: 8, share: 2, aloneShare: 6 }
  /** Counts how many pieces of its work begin at once. */
  const begin = async ({ admission }: ReturnType<typeof bench>, count: number) => {
    let begun = 0
    for (let i = 0; i < count; i++) {
      void admission.enter('tasks', { cost: 2, givesWay: true }).then(() => begun++)
    }
    await settled()
    return () => begun
  }

  test('has the larger share, even while others do small work', async () => {
    const one = bench(shared)
    void one.start('a1', 1)
    void one.start('b1', 1)
    expect((await begin(one, 4))()).toBe(3)
  })

  test('has the larger share, even while others poll', async () => {
    const one = bench(shared)
    one.admission.tryEnter('a', { cost: 2, polled: true })!()
    expect((await begin(one, 4))()).toBe(3)
  })

  test('has the smaller share for a time after larger work of others', async () => {
    let now = 0
    const one = bench(shared, () => now)
    void one.start('a1', 2)
    await one.end('a1')
    const begun = await begin(one, 4)
    expect(begun()).toBe(1)
    now = limits.sharingMs
    void one.start('a2', 1)
    await settled()
    await one.end('a2')
    expect(begun()).toBe(3)
  })

  test('does not reduce the share of others', async () => {
    const one = bench(shared)
    await begin(one, 1)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) void one.start(name)
    await settled()
    expect(one.began).toHaveLength(6)
  })

  test('waits regardless of limits on queue and time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      const one = bench({ capacity: 2, waiting: 0 })
      void one.start('a1')
      const begun = await begin(one, 1)
      await vi.advanceTimersByTimeAsync(bounds.waitMs * 100)
      await one.end('a1')
      expect(begun()).toBe(1)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the share of an owner', () => {
  const shared = { capacity: 8, share: 2, aloneShare: 6 }

  test('is larger while there are no other owners', async () => {
    const { began, start } = bench(shared)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7']) void start(name)
    await settled()
    expect(began).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6'])
  })

  test('is smaller for a time after another owner came, and larger again later', async () => {
    let now = 0
    const { began, start, end } = bench(shared, () => now)
    void start('b1')
    await end('b1')
    for (const name of ['a1', 'a2', 'a3', 'a4']) void start(name)
    await settled()
    expect(began).toEqual(['b1', 'a1', 'a2'])
    now += limits.sharingMs
    await end('a1')
    expect(began).toEqual(['b1', 'a1', 'a2', 'a3', 'a4'])
  })

  test('admits a single piece of work that exceeds it', async () => {
    const { began, start, end } = bench(shared)
    void start('b1')
    for (const name of ['a1', 'a2']) void start(name, 5)
    await settled()
    expect(began).toEqual(['b1', 'a1'])
    await end('a1')
    expect(began).toEqual(['b1', 'a1', 'a2'])
  })
})

describe('sub-organizations', () => {
  const own = (id: string) => loadOwner({ id, parent: 'a' })

  test('share places of their own, and leave the rest to others', async () => {
    const { admission } = bench()
    for (const id of ['c', 'd', 'e']) expect(admission.tryEnter(own(id))).toBeDefined()
    expect(admission.tryEnter(own('f'))).toBeUndefined()
    expect(admission.tryEnter('a')).toBeUndefined()
    expect(admission.tryEnter('b')).toBeDefined()
  })

  test('take turns for their places, however much one of them does', async () => {
    const { admission } = bench({ capacity: 2, share: 1 })
    const began: string[] = []
    const leaves: (() => void)[] = []
    const enter = async (id: string) => {
      const leave = await admission.enter(own(id))
      began.push(id)
      leaves.push(leave)
    }
    for (const id of ['c', 'c', 'c', 'd', 'e', 'd']) void enter(id)
    for (let at = 0; at < 6; at++) {
      await settled()
      leaves[at]!()
    }
    expect(began).toEqual(['c', 'd', 'e', 'c', 'd', 'c'])
  })

  test('fill half of a queue, each at most its own part of that', async () => {
    const { admission } = bench({ capacity: 1, share: 1, waiting: 8, ownerWaiting: 2 })
    const enter = (owner: string) => void admission.enter(owner).catch(() => undefined)
    for (const id of ['c', 'c', 'c']) enter(own(id))
    await expect(admission.enter(own('c'))).rejects.toThrow(TooManyRequests)
    admission.check(own('d'))
    for (const id of ['d', 'd']) enter(own(id))
    await expect(admission.enter(own('e'))).rejects.toThrow(TooManyRequests)
    admission.check('b')
  })

  test('that cancel lose their turn', async () => {
    const { admission } = bench({ capacity: 1, share: 1 })
    const gone = new AbortController()
    const began: string[] = []
    const enter = async (id: string, signal?: AbortSignal) => {
      const leave = await admission.enter(own(id), signal ? { signal } : {})
      began.push(id)
      leave()
    }
    const first = admission.tryEnter(own('c'))!
    const left = enter('d', gone.signal)
    const stays = [enter('d'), enter('e')]
    gone.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    first()
    await Promise.all(stays)
    expect(began).toEqual(['d', 'e'])
    expect(admission.load()).toEqual({ underWay: 0, waiting: 0 })
  })
})

describe('a pause', () => {
  test.each([
    [40, 40],
    [10_000, limits.restMs],
  ])('after work of %d ms occupies its place for %d ms more', async (took, pause) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      let now = 0
      const one = bench({ capacity: 1, pauses: true }, () => now)
      void one.start('a1')
      void one.start('b1')
      await settled()
      now += took
      await one.end('a1')
      await vi.advanceTimersByTimeAsync(pause - 1)
      expect(one.began).toEqual(['a1'])
      await vi.advanceTimersByTimeAsync(1)
      expect(one.began).toEqual(['a1', 'b1'])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a rest period', () => {
  test('blocks the places of an owner for that owner, but not for others while places are free', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      let now = 0
      const admission = createAdmission({ ...bounds, capacity: 2, share: 1 }, () => now)
      const begun: string[] = []
      const enter = async (name: string) => {
        const leave = await admission.enter(name)
        begun.push(name)
        return leave
      }
      const first = await enter('a')
      const other = await enter('b')
      first(50)
      void enter('a')
      await vi.advanceTimersByTimeAsync(49)
      expect(begun).toEqual(['a', 'b'])
      await (await enter('c'))()
      expect(begun).toEqual(['a', 'b', 'c'])
      await vi.advanceTimersByTimeAsync(1)
      expect(begun).toEqual(['a', 'b', 'c', 'a'])
      now += limits.sharingMs
      other(50)
      await enter('b')
      expect(begun).toHaveLength(5)
    } finally {
      vi.useRealTimers()
    }
  })

  describe('after heavy work', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    /** An admission with two owners; the test sets the processor time that work has used. */
    function metered() {
      let worked = 0
      let now = 0
      const own = { ...bounds, share: 2, rests: true }
      const admission = createAdmission(
        own,
        () => now,
        () => worked,
      )
      admission.tryEnter('b')!()
      return {
        admission,
        work(ms: number) {
          worked += ms
        },
        pass(ms: number) {
          now += ms
        },
        /** Milliseconds until `a` may use its whole share. */
        async rest() {
          let ms = 0
          for (; !admission.tryEnter('a', { cost: 2 }); ms++) await vi.advanceTimersByTimeAsync(1)
          return ms
        },
      }
    }

    test('a longer rest keeps the place alone, and light work begins after the heavy rest', async () => {
      const { admission, work } = metered()
      const leave = admission.tryEnter('a')!
      work(limits.heavyMs)
      leave(1_000)
      let ms = 0
      for (; !admission.tryEnter('a'); ms++) await vi.advanceTimersByTimeAsync(1)
      expect(ms).toBe(limits.heavyMs)
    })

    test.each([
      [limits.heavyMs - 1, 0],
      [limits.heavyMs, limits.heavyMs],
      [5_000, limits.restMs],
    ])('of %d ms lasts %d ms', async (worked, rested) => {
      const { admission, work, rest } = metered()
      const leave = admission.tryEnter('a')!
      work(worked)
      leave()
      expect(await rest()).toBe(rested)
    })

    test('blocks everything of the owner, not only the places of the work', async () => {
      const { admission, work } = metered()
      const [first, second] = [admission.tryEnter('a')!, admission.tryEnter('a')!]
      first()
      work(30)
      second()
      expect(admission.tryEnter('a')).toBeUndefined()
      admission.tryEnter('c')!()
      await vi.advanceTimersByTimeAsync(30)
      admission.tryEnter('a')!()
    })

    test('excludes processor time used for others', async () => {
      const { admission, work, rest } = metered()
      const leave = admission.tryEnter('a')!
      admission.tryEnter('c')
      work(100)
      leave()
      work(100)
      expect(await rest()).toBe(50)
    })

    test('includes all processor time used for the owner meanwhile', async () => {
      const { admission, work, rest } = metered()
      const leaves = [admission.tryEnter('a')!, admission.tryEnter('a')!]
      work(30)
      for (const leave of leaves) leave()
      expect(await rest()).toBe(30)
    })

    test('follows light work that adds up, apart from a quarter of the time', async () => {
      const { admission, work, pass, rest } = metered()
      for (let i = 0; i < 10; i++) {
        const leave = admission.tryEnter('a')!
        work(5)
        pass(20)
        leave()
      }
      const leaves = [admission.tryEnter('a')!, admission.tryEnter('a')!]
      for (const leave of leaves) {
        work(limits.heavyMs - 5)
        leave()
      }
      expect(await rest()).toBe(2 * (limits.heavyMs - 5))
    })

    test('excludes what another owner is charged for', async () => {
      const { admission, work, rest } = metered()
      const leave = admission.tryEnter('a')!
      work(100)
      admission.charge('c', 90)
      leave()
      expect(await rest()).toBe(0)
    })

    test('includes what the owner is charged for in a place', async () => {
      const { admission, work, rest } = metered()
      const leave = admission.tryEnter('a')!
      admission.tryEnter('c')
      work(100)
      admission.charge('a', 100)
      leave()
      expect(await rest()).toBe(100)
    })

    test.each([
      ['includes', 'before', limits.sharingMs - 1, 200],
      ['excludes', 'long before', limits.sharingMs, 0],
    ])('%s what the owner was charged for outside a place %s', async (_, __, ms, rested) => {
      const { admission, work, rest } = metered()
      for (let times = 0; times < 2; times++) {
        work(100)
        admission.charge('a', 100)
      }
      await vi.advanceTimersByTimeAsync(ms)
      admission.tryEnter('a')!()
      expect(await rest()).toBe(rested)
    })

    test('includes charges between which light work of the owner ends', async () => {
      const { admission, work, rest } = metered()
      for (let times = 0; times < 2; times++) {
        work(limits.heavyMs - 5)
        admission.charge('a', limits.heavyMs - 5)
        if (times === 0) admission.tryEnter('a')!()
      }
      admission.tryEnter('a')!()
      expect(await rest()).toBe(2 * (limits.heavyMs - 5))
    })

    test('does not apply to owners with low priority', async () => {
      const { admission, work, rest } = metered()
      const leave = await admission.enter('a', { givesWay: true })
      work(100)
      leave()
      expect(await rest()).toBe(0)
    })
  })
})

describe('waiting', () => {
  test('a full queue refuses immediately, the whole queue and that of one owner', async () => {
    const { admission, start } = bench({ capacity: 1, share: 1, waiting: 3, ownerWaiting: 2 })
    for (const name of ['a1', 'a2', 'a3']) void start(name)
    expect(() => admission.check('a')).toThrow(TooManyRequests)
    await expect(start('a4')).rejects.toThrow('At most 1 requests at once. Try again in a second.')
    admission.check('b')
    void start('b1')
    expect(() => admission.check('c')).toThrow(TooManyRequests)
    await expect(start('c1')).rejects.toThrow(TooManyRequests)
  })

  test('a piece of work can ask for a shorter queue', async () => {
    const { admission, start } = bench({ capacity: 1, share: 1 })
    for (const name of ['a1', 'a2']) void start(name)
    await expect(admission.run('a', async () => 1, { line: 1 })).rejects.toThrow(TooManyRequests)
    void start('a3')
    admission.run('b', async () => 1, { line: 1 }).catch(() => undefined)
  })

  test('without a queue the first excess work is refused, and the next gets the place', async () => {
    const { start, end } = bench({ capacity: Infinity, share: 2, waiting: 0, ownerWaiting: 0 })
    for (const name of ['a1', 'a2', 'b1']) void start(name)
    await expect(start('a3')).rejects.toThrow(TooManyRequests)
    await end('a1')
    void start('a4')
    await expect(start('a5')).rejects.toThrow(TooManyRequests)
  })

  test('ends when the signal aborts, and others continue', async () => {
    const { began, start, end } = bench({ capacity: 1, share: 1 })
    const gone = new AbortController()
    void start('a1')
    const left = start('a2', 1, gone.signal)
    void start('a3')
    gone.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    await end('a1')
    expect(began).toEqual(['a1', 'a3'])
    await expect(start('a4', 1, gone.signal)).rejects.toThrow('gone')
  })

  test('ends at its time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { start } = bench({ capacity: 1, share: 1 })
    void start('a1')
    const late = expect(start('a2')).rejects.toThrow(TooManyRequests)
    vi.advanceTimersByTime(bounds.waitMs)
    await late
    vi.useRealTimers()
  })

  test('a cancelled wait lets later work begin if it now fits', async () => {
    const { began, start } = bench({ capacity: 3, share: 3 })
    const gone = new AbortController()
    void start('a1', 2)
    const large = start('b1', 2, gone.signal)
    void start('c1')
    await settled()
    expect(began).toEqual(['a1'])
    gone.abort(new Error('gone'))
    await expect(large).rejects.toThrow('gone')
    await settled()
    expect(began).toEqual(['a1', 'c1'])
  })

  test('failing work releases its place, once', async () => {
    const { admission } = bench({ capacity: 1, share: 1 })
    await expect(admission.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const leave = await admission.enter('a')
    leave()
    leave()
    await admission.enter('a')
    let isIn = false
    const entered = () => {
      isIn = true
    }
    admission.enter('b').then(entered, () => undefined)
    await settled()
    expect(isIn).toBe(false)
  })
})

test('work of one owner takes all in the order of arrival, and waits as long as its signal', async () => {
  const line = createAdmission({ capacity: 1, waiting: 1, what: 'jobs' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = line.run('a', () => promise)
  const patience = new AbortController()
  const second = line.run('a', async () => 2, { signal: patience.signal })
  await expect(line.run('a', async () => 3)).rejects.toThrow('Too many jobs at once.')
  patience.abort(new Error('enough'))
  await expect(second).rejects.toThrow('enough')
  const failing = line.run('a', () => Promise.reject(new Error('no')))
  resolve()
  await first
  await expect(failing).rejects.toThrow('no')
  await expect(line.run('a', async () => 7)).resolves.toBe(7)
})

test('others are active for a while after their latest request', () => {
  let time = 0
  const { admission } = bench({}, () => time)
  const came = (name: string) => admission.tryEnter(name)?.()
  expect(admission.hasOthers('a')).toBe(false)
  admission.tryEnter('b', { polled: true })?.()
  expect(admission.hasOthers('a')).toBe(false)
  came('a')
  expect(['a', 'b'].map(admission.hasOthers)).toEqual([false, true])
  came('b')
  time = limits.sharingMs - 1
  came('a')
  expect(['a', 'b'].map(admission.hasOthers)).toEqual([true, true])
  time = limits.sharingMs
  expect(['a', 'b'].map(admission.hasOthers)).toEqual([false, true])
})

test('others work while a place is theirs, not while they rest', () => {
  const { admission } = bench({ capacity: 8, share: 4, rests: true })
  expect(admission.othersWork('a')).toBe(false)
  const own = admission.tryEnter('a', { cost: 2 })!
  expect(['a', 'b'].map(admission.othersWork)).toEqual([false, true])
  const other = admission.tryEnter(partOf('b', 'branch'))!
  expect(['a', 'b'].map(admission.othersWork)).toEqual([true, true])
  own(200)
  expect(['a', 'b'].map(admission.othersWork)).toEqual([true, false])
  other()
})
