import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../limits.ts'

/** Milliseconds after which a place that came free is seen. */
const LOOK_MS = 50

/** The place of a task that runs on this instance. */
export interface TaskPlace {
  /**
   * Waits for another system. When that takes long, others may have the place meanwhile; one is
   * waited for afterwards, until `isOver`. A wait inside another one is a part of that.
   */
  elsewhere<T>(work: () => Promise<T>, isOver: () => boolean): Promise<T>
  leave(): void
}

export interface TaskPlaces {
  /**
   * Whether one more task of a family, an organization with its parent and siblings, may run: it leaves
   * as many places free as it uses.
   */
  hasPlace(family: string): boolean
  /** Whether none of any family may. */
  isFull(): boolean
  take(family: string): TaskPlace
}

interface PlacesOptions {
  /** Tasks that work at once. */
  readonly concurrency: number
  /** Milliseconds for which a task that waits keeps its place. */
  readonly elsewhereMs: number
}

/** The places of an instance for tasks: those that wait for others cost hardly anything. */
export function createTaskPlaces({ concurrency, elsewhereMs }: PlacesOptions): TaskPlaces {
  const held = concurrency * limits.tasksHeldPerSlot
  const all = new Set<HeldPlace>()

  const working = () => [...all].filter(({ isWorking }) => isWorking)
  const mayWork = (family: string) => leavesRoom(working(), concurrency, family)

  /** Waits for a place again. A place that `isOver` ends needs none. */
  async function comeBack(own: HeldPlace, isOver: () => boolean): Promise<void> {
    while (!own.isWorking && !mayWork(own.family) && !isOver()) await sleep(LOOK_MS)
    own.isWorking = true
  }

  return {
    hasPlace: (family) => mayWork(family) && leavesRoom([...all], held, family),
    isFull: () => working().length >= concurrency || all.size >= held,
    take(family) {
      const own: HeldPlace = { family, isWorking: true, isElsewhere: false }
      all.add(own)
      return {
        async elsewhere(work, isOver) {
          if (own.isElsewhere) return work()
          own.isElsewhere = true
          const slow = setTimeout(() => {
            own.isWorking = false
          }, elsewhereMs)
          try {
            return await work()
          } finally {
            clearTimeout(slow)
            await comeBack(own, isOver)
            own.isElsewhere = false
          }
        },
        leave: () => void all.delete(own),
      }
    },
  }
}

interface HeldPlace {
  readonly family: string
  isWorking: boolean
  isElsewhere: boolean
}

const leavesRoom = (taken: readonly HeldPlace[], places: number, name: string): boolean =>
  places - taken.length > taken.filter(({ family }) => family === name).length
