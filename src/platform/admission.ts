import { TooManyRequests } from '../errors.ts'
import { limits } from '../limits.ts'
import type { AdmissionBounds, AdmissionRequest } from './admission-bounds.ts'
import { createFairLine, type FairLine } from './fair-line.ts'
import { partsOf } from './load-owner.ts'

/**
 * Ends a piece of work; repeated calls have no effect. For `restMs` more its owner has no place for it
 * while others come, who may have that.
 */
export type Leave = (restMs?: number) => void

/**
 * Bounds work under way, fairly: whoever waits gets a place in turn by owner, so that many pieces
 * of work of one owner keep another's waiting no longer than its own. Parts of one owner (loadOwner)
 * have a share together, and places in turn.
 */
export interface Admission {
  /** Throws TooManyRequests when one more of `owner` could not even wait. */
  check(owner: string): void
  /** Begins work of such a cost at once; undefined where it would have to wait. */
  tryEnter(owner: string, cost?: number): Leave | undefined
  /** Resolves when the work may begin. Throws TooManyRequests or the signal's reason. */
  enter(owner: string, entrance?: AdmissionRequest): Promise<Leave>
  run<T>(owner: string, work: () => Promise<T>, entrance?: AdmissionRequest): Promise<T>
  /** The cost that is in progress, and pieces of work that wait. */
  load(): { readonly underWay: number; readonly waiting: number }
}

interface Waiter {
  readonly cost: number
  readonly begin: () => void
}

interface OwnerQueue {
  readonly line: FairLine<Waiter>
  readonly givesWay: boolean
  underWay: number
  /** Virtual start time of its next piece of work. */
  turn: number
}

/** Start-time fair queueing: each piece of work moves its owner's next turn back by its cost. */
export function createAdmission(
  bounds: AdmissionBounds,
  clock = () => performance.now(),
): Admission {
  const { capacity, what, waitMs, ownerWaiting = bounds.waiting } = bounds
  const sharedShare = bounds.share ?? capacity
  const aloneShare = bounds.aloneShare ?? sharedShare
  const owners = new Map<string, OwnerQueue>()
  /** The owner who came last, and until when the one before counts as active. */
  let latest: string | undefined
  let sharedUntil = -Infinity
  /** Until when those who give way do. */
  let busyUntil = -Infinity
  let underWay = 0
  let waiting = 0
  /** Virtual time: the start of the work admitted last. */
  let now = 0

  function arrives(name: string, cost: number): void {
    const until = clock() + limits.sharingMs
    if (latest !== undefined && latest !== name) sharedUntil = until
    if (cost > 1) busyUntil = until
    latest = name
  }

  const share = (givesWay = false) =>
    clock() < (givesWay ? busyUntil : sharedUntil) ? sharedShare : aloneShare

  const mayHave = (owner: OwnerQueue | undefined, cost: number) =>
    !owner || owner.underWay === 0 || owner.underWay + cost <= share(owner.givesWay)

  /** The owner whose turn it is; undefined when no waiting one may have more. */
  function next(): OwnerQueue | undefined {
    let first: OwnerQueue | undefined
    for (const owner of owners.values()) {
      const head = owner.line.first()
      if (!head || !mayHave(owner, head.cost)) continue
      if (!first || owner.turn < first.turn) first = owner
    }
    return first
  }

  /** Their turn comes no earlier than now, unless they wait already. */
  function ownerOf(name: string, givesWay: boolean): OwnerQueue {
    const owner = owners.get(name) ?? { line: createFairLine(), givesWay, underWay: 0, turn: now }
    owners.set(name, owner)
    if (owner.line.length === 0) owner.turn = Math.max(owner.turn, now)
    return owner
  }

  function takePlaces(owner: OwnerQueue, cost: number): void {
    now = Math.max(now, owner.turn)
    owner.turn += cost
    owner.underWay += cost
    underWay += cost
  }

  /**
   * Nobody is passed while it is their turn, however little others need, so that large work is
   * admitted, too.
   */
  function admit(): void {
    for (let owner = waiting > 0 ? next() : undefined; owner; owner = next()) {
      const { cost, begin } = owner.line.first()!
      if (underWay + cost > capacity) return
      owner.line.shift()
      waiting--
      takePlaces(owner, cost)
      begin()
    }
  }

  const forget = (name: string, { underWay: own, line }: OwnerQueue) => {
    if (own === 0 && line.length === 0) owners.delete(name)
  }

  function leaving(name: string, owner: OwnerQueue, cost: number): Leave {
    let isOver = false
    const began = clock()
    const rested = () => {
      owner.underWay -= cost
      forget(name, owner)
      admit()
    }
    const free = (restMs: number) => {
      underWay -= cost
      if (restMs > 0 && clock() < sharedUntil) {
        setTimeout(rested, restMs).unref()
        admit()
      } else rested()
    }
    return (restMs = 0) => {
      if (isOver) return
      isOver = true
      if (!bounds.pauses) return free(restMs)
      setTimeout(free, Math.min(limits.restMs, clock() - began), restMs).unref()
    }
  }

  const most = () => (bounds.share === undefined ? 'Too many' : `At most ${share()}`)
  const refusal = () => new TooManyRequests(`${most()} ${what} at once. Try again in a second.`)

  /** Whether one that cannot begin now may wait. */
  const hasRoomToWait = (owner: OwnerQueue | undefined, part: string, line = ownerWaiting) =>
    waiting < bounds.waiting &&
    (owner?.line.lengthOf(part) ?? 0) < Math.min(line, ownerWaiting) &&
    (owner?.line.length ?? 0) < Math.max(ownerWaiting, bounds.waiting / 2)

  const canBegin = (owner: OwnerQueue | undefined, cost: number) =>
    underWay + cost <= capacity &&
    mayHave(owner, cost) &&
    (waiting === 0 || next() === undefined) &&
    !owner?.line.length

  function tryEnter(who: string, asked = 1): Leave | undefined {
    const [name, part] = partsOf(who)
    arrives(name, asked)
    const cost = Math.min(asked, aloneShare)
    if (!canBegin(owners.get(name), cost)) return undefined
    const owner = ownerOf(name, false)
    owner.line.pass(part, cost)
    takePlaces(owner, cost)
    return leaving(name, owner, cost)
  }

  async function enter(
    who: string,
    { cost: asked = 1, signal, line, givesWay = false }: AdmissionRequest = {},
  ): Promise<Leave> {
    signal?.throwIfAborted()
    const [name, part] = partsOf(who)
    if (!givesWay) arrives(name, asked)
    const cost = Math.min(asked, aloneShare)
    const known = owners.get(name)
    if (!givesWay && !canBegin(known, cost) && !hasRoomToWait(known, part, line)) throw refusal()
    const owner = ownerOf(name, givesWay)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let hasBegun = false
    const begin = () => {
      hasBegun = true
      resolve()
    }
    const waiter: Waiter = { cost, begin }
    owner.line.add(part, waiter)
    waiting++
    admit()
    if (!hasBegun) {
      const giveUp = (why: unknown) => {
        if (hasBegun) return
        owner.line.remove(part, waiter)
        waiting--
        forget(name, owner)
        reject(why)
        admit()
      }
      const aborted = () => giveUp(signal!.reason)
      const isPatient = givesWay || waitMs === undefined
      const late = isPatient ? undefined : setTimeout(() => giveUp(refusal()), waitMs)
      signal?.addEventListener('abort', aborted, { once: true })
      await promise.finally(() => {
        clearTimeout(late)
        signal?.removeEventListener('abort', aborted)
      })
    }
    return leaving(name, owner, cost)
  }

  return {
    check(who) {
      const [name, part] = partsOf(who)
      const owner = owners.get(name)
      if (!canBegin(owner, 1) && !hasRoomToWait(owner, part)) throw refusal()
    },
    tryEnter,
    enter,
    async run(name, work, entrance) {
      const leave = await enter(name, entrance)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    load: () => ({ underWay, waiting }),
  }
}
