import { TooManyRequests } from '../errors.ts'
import { limits } from '../limits.ts'
import {
  type AdmissionBounds,
  type AdmissionOwner,
  type AdmissionRequest,
  IDLE,
} from './admission-bounds.ts'
import { FairQueue } from './fair-queue.ts'
import { type LoadPath, ownerPath } from './load-owner.ts'
import { createUseMeter, newProcessorUse, processorMs, workRest } from './processor-use.ts'
import { createSharing } from './sharing.ts'

/**
 * Ends a piece of work; repeated calls have no effect. Others may take its place at once. While
 * they are active, it still counts for its owner for `restMs` more.
 */
export type Leave = (restMs?: number) => void

interface Waiter {
  readonly path: LoadPath
  readonly cost: number
  readonly begin: () => void
}

/**
 * Bounds work under way and shares it fairly: owners get places in turn, so that much work of one
 * owner does not delay others. The parts of an owner (see loadOwner) have one share and take turns
 * in it.
 */
export type Admission = ReturnType<typeof createAdmission>

export function createAdmission(
  bounds: AdmissionBounds,
  clock = () => performance.now(),
  worked = processorMs,
) {
  const { capacity, what, waitMs, ownerWaiting = bounds.waiting } = bounds
  const sharedShare = bounds.share ?? capacity
  const aloneShare = bounds.aloneShare ?? sharedShare
  const owners = new Map<string, AdmissionOwner>()
  const queue = new FairQueue<Waiter>()
  const meter = bounds.rests ? createUseMeter(worked) : undefined
  const sharing = createSharing(clock)
  const unpolled = createSharing(clock)
  /** The time until which owners who give way have the smaller share. */
  let busyUntil = -Infinity
  let underWay = 0

  function noteArrival(name: string, { cost = 1, polled = false }: AdmissionRequest): void {
    sharing.note(name)
    if (!polled) unpolled.note(name)
    if (cost > 1 && !polled) busyUntil = clock() + limits.sharingMs
  }

  const share = (givesWay = false) =>
    (givesWay ? clock() < busyUntil : sharing.isShared()) ? sharedShare : aloneShare

  const mayHave = (owner: AdmissionOwner | undefined, cost: number) =>
    !owner ||
    owner.underWay === 0 ||
    (owner.resting === 0 && owner.underWay + cost <= share(owner.givesWay))

  /** The next work to begin; undefined when no waiting owner may have more. */
  const next = () => queue.first((name, { cost }) => mayHave(owners.get(name), cost))

  const addOwner = (name: string, givesWay = false) => {
    if (owners.has(name)) return
    owners.set(name, { givesWay, use: newProcessorUse(clock()), ...IDLE })
  }

  function takePlaces(path: LoadPath, cost: number): void {
    queue.begin(path, cost)
    const owner = owners.get(path[0])!
    owner.underWay += cost
    owner.working += cost
    underWay += cost
  }

  /**
   * Smaller work never overtakes the work whose turn it is, so that large work is admitted, too.
   */
  function admit(): void {
    for (let waiter = next(); waiter; waiter = next()) {
      const { path, cost, begin } = waiter
      if (underWay + cost > capacity) return
      takePlaces(path, cost)
      queue.remove(path, waiter)
      begin()
    }
  }

  const forget = (name: string) => {
    const owner = owners.get(name)
    if (owner?.underWay !== 0 || owner.isCharged || queue.lengthOf([name]) > 0) return
    owners.delete(name)
    queue.forget(name)
  }

  function createLeave(name: string, cost: number, givesWay = false): Leave {
    const owner = owners.get(name)!
    const before = meter?.addPlaces(owner.use, cost) ?? 0
    let isOver = false
    const began = clock()
    const rested = () => {
      owner.underWay -= cost
      forget(name)
      admit()
    }
    const restedFromHeavy = () => {
      owner.resting--
      admit()
    }
    const isAlone = () =>
      !bounds.alwaysRests && !(givesWay ? unpolled.hasOthers(name) : sharing.isShared())
    const free = (restMs: number, heavyMs: number) => {
      underWay -= cost
      owner.working -= cost
      if (restMs === 0 || isAlone()) return rested()
      if (heavyMs > 0) {
        owner.resting++
        setTimeout(restedFromHeavy, heavyMs).unref()
      }
      setTimeout(rested, restMs).unref()
      admit()
    }
    return (least = 0) => {
      if (isOver) return
      isOver = true
      const workedMs = (meter?.addPlaces(owner.use, -cost) ?? 0) - before
      const heavyMs = givesWay ? 0 : workRest(owner.use, workedMs, clock())
      const restMs = Math.max(least, heavyMs)
      if (!bounds.pauses) return free(restMs, heavyMs)
      setTimeout(free, Math.min(limits.restMs, clock() - began), restMs, heavyMs).unref()
    }
  }

  const most = () => (bounds.share === undefined ? 'Too many' : `At most ${share()}`)
  const refusal = () => new TooManyRequests(`${most()} ${what} at once. Try again in a second.`)

  /** Whether work that cannot begin now may wait. */
  const hasRoomToWait = (path: LoadPath, partWaiting = ownerWaiting) =>
    queue.lengthOf([]) < bounds.waiting &&
    queue.lengthOf(path) < Math.min(partWaiting, ownerWaiting) &&
    queue.lengthOf([path[0]]) < Math.max(ownerWaiting, bounds.waiting / 2)

  const workingOf = (who: string) => owners.get(ownerPath(who)[0])?.working ?? 0

  const canBegin = (name: string, cost: number) =>
    underWay + cost <= capacity &&
    mayHave(owners.get(name), cost) &&
    next() === undefined &&
    queue.lengthOf([name]) === 0

  function tryEnter(who: string, request: AdmissionRequest = {}): Leave | undefined {
    const path = ownerPath(who)
    const [name] = path
    noteArrival(name, request)
    const cost = Math.min(request.cost ?? 1, aloneShare)
    if (!canBegin(name, cost)) return undefined
    addOwner(name)
    takePlaces(path, cost)
    return createLeave(name, cost)
  }

  async function enter(who: string, request: AdmissionRequest = {}): Promise<Leave> {
    const { cost: asked = 1, signal, line: partWaiting, givesWay = false } = request
    signal?.throwIfAborted()
    const path = ownerPath(who)
    const [name] = path
    if (!givesWay) noteArrival(name, request)
    const cost = Math.min(asked, aloneShare)
    if (!givesWay && !canBegin(name, cost) && !hasRoomToWait(path, partWaiting)) throw refusal()
    addOwner(name, givesWay)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let hasBegun = false
    const begin = () => {
      hasBegun = true
      resolve()
    }
    const waiter: Waiter = { path, cost, begin }
    queue.add(path, waiter)
    admit()
    if (!hasBegun) {
      const giveUp = (why: unknown) => {
        if (hasBegun) return
        queue.remove(path, waiter)
        forget(name)
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
    return createLeave(name, cost, givesWay)
  }

  return {
    /** Throws TooManyRequests when one more of `who` could not even wait. */
    check(who: string): void {
      const path = ownerPath(who)
      if (!canBegin(path[0], 1) && !hasRoomToWait(path)) throw refusal()
    },
    /** Begins work of this cost at once; undefined when it would have to wait. */
    tryEnter,
    /** Resolves when the work may begin. Throws TooManyRequests or the signal's reason. */
    enter,
    async run<T>(who: string, work: () => Promise<T>, request?: AdmissionRequest): Promise<T> {
      const leave = await enter(who, request)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    /**
     * Charges `who` alone for `ms` of processor time that a step of it, in a place or not, has just
     * used. Without a place, it counts for work that ends within limits.sharingMs.
     */
    charge(who: string, ms: number): void {
      if (!meter) return
      const [name] = ownerPath(who)
      addOwner(name)
      const owner = owners.get(name)!
      meter.charge(owner.use, ms)
      if (owner.isCharged) return
      owner.isCharged = true
      const forgetCharge = () => {
        owner.isCharged = false
        forget(name)
      }
      setTimeout(forgetCharge, limits.sharingMs).unref()
    },
    /** Whether a second owner came within limits.sharingMs. */
    isShared: sharing.isShared,
    /** Whether others than `who` came within limits.sharingMs, not counting polled requests. */
    hasOthers: (who: string): boolean => unpolled.hasOthers(ownerPath(who)[0]),
    /** Whether work of `who` is under way, all parts together; and whether work of others is. */
    works: (who: string): boolean => workingOf(who) > 0,
    othersWork: (who: string): boolean => underWay > workingOf(who),
    /** The cost under way, and the number of pieces of work that wait. */
    load: () => ({ underWay, waiting: queue.lengthOf([]) }),
  }
}
