import { limits } from '../limits.ts'

/** Milliseconds between checks of `isOver` while a task waits for a slot. */
const LOOK_MS = 50

/** Runs the task's own work within a wait for another system, in a slot. */
export type WithSlot = <T>(work: () => Promise<T>) => Promise<T>

/** The slot of a task that runs on this instance. */
export interface TaskSlot {
  /**
   * Waits for another system. After `slotReleaseMs` others get the slot; a slot is taken again for
   * each `withSlot` and at the end, unless `isOver`. A nested wait is part of the outer one.
   */
  withoutSlot<T>(work: (withSlot: WithSlot) => Promise<T>, isOver: () => boolean): Promise<T>
  leave(): void
}

interface SlotsOptions {
  /** Tasks that work at a time. */
  readonly concurrency: number
  /** Milliseconds for which a task that waits keeps its slot. */
  readonly slotReleaseMs: number
}

/** The task slots of an instance. Tasks that wait for another system hold none for long. */
export function createTaskSlots({ concurrency, slotReleaseMs }: SlotsOptions) {
  const held = concurrency * limits.tasksHeldPerSlot
  const all = new Set<HeldSlot>()
  /** Tasks waiting for a slot again, in order of arrival. */
  const line = new Map<HeldSlot, () => void>()

  const working = () => [...all].filter(({ isWorking }) => isWorking)
  const mayWork = (family: string) => leavesRoom(working(), concurrency, family)

  /** Gives slots in order of arrival, skipping tasks whose family has its share. */
  function admit(): void {
    for (const [{ family }, enter] of line) if (mayWork(family)) enter()
  }

  /** Waits for a slot again; a task that is over needs none. */
  async function regain(own: HeldSlot, isOver: () => boolean): Promise<void> {
    if (own.isWorking) return
    own.back ??= waitInLine(own, isOver).finally(() => {
      own.back = undefined
    })
    await own.back
  }

  async function waitInLine(own: HeldSlot, isOver: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const enter = () => {
      line.delete(own)
      own.isWorking = true
      resolve()
    }
    line.set(own, enter)
    const looking = setInterval(() => isOver() && enter(), LOOK_MS)
    admit()
    await promise
    clearInterval(looking)
  }

  function take(family: string): TaskSlot {
    const own: HeldSlot = { family, isWorking: true, back: undefined }
    let isWaiting = false
    let busy = 0
    let slow: NodeJS.Timeout | undefined
    const releaseSoon = () => {
      slow = setTimeout(() => {
        own.isWorking = false
        admit()
      }, slotReleaseMs)
    }
    all.add(own)
    return {
      async withoutSlot(work, isOver) {
        const withSlot: WithSlot = async (part) => {
          busy++
          clearTimeout(slow)
          try {
            await regain(own, isOver)
            return await part()
          } finally {
            if (--busy === 0 && isWaiting) releaseSoon()
          }
        }
        if (isWaiting) return work(withSlot)
        isWaiting = true
        if (busy === 0) releaseSoon()
        try {
          return await work(withSlot)
        } finally {
          isWaiting = false
          clearTimeout(slow)
          await regain(own, isOver)
        }
      },
      leave() {
        all.delete(own)
        line.get(own)?.()
        admit()
      },
    }
  }

  return {
    /**
     * Whether another task of a family (an organization with its parent and siblings) may run: it
     * must leave as many slots free as the family uses.
     */
    hasSlot: (family: string) => mayWork(family) && leavesRoom([...all], held, family),
    /** Whether no task of any family may run. */
    isFull: () => working().length >= concurrency || all.size >= held,
    take,
  }
}

interface HeldSlot {
  readonly family: string
  isWorking: boolean
  /** Resolves when it has a slot again. */
  back: Promise<void> | undefined
}

const leavesRoom = (taken: readonly HeldSlot[], slots: number, name: string): boolean =>
  slots - taken.length > taken.filter(({ family }) => family === name).length
