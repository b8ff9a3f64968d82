import { limits } from '../limits.ts'

/** Milliseconds after which one who waits for a place sees that it is over. */
const LOOK_MS = 50

/** Within a wait: what the task itself does meanwhile, for which it has a place. */
export type Here = <T>(work: () => Promise<T>) => Promise<T>

/** The place of a task that runs on this instance. */
export interface TaskPlace {
  /**
   * Waits for another system. When that takes long, others may have the place meanwhile; one is
   * waited for before what is done `here` and afterwards, until `isOver`. A wait inside another one
   * is a part of that.
   */
  elsewhere<T>(work: (here: Here) => Promise<T>, isOver: () => boolean): Promise<T>
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
  /** Those who wait for a place again, in the order in which they came. */
  const line = new Map<HeldPlace, () => void>()

  const working = () => [...all].filter(({ isWorking }) => isWorking)
  const mayWork = (family: string) => leavesRoom(working(), concurrency, family)

  /** Who came first goes first. One whose family has its share keeps nobody behind it waiting. */
  function letIn(): void {
    for (const [{ family }, enter] of line) if (mayWork(family)) enter()
  }

  /** Waits for a place again. A place that `isOver` ends needs none. */
  async function comeBack(own: HeldPlace, isOver: () => boolean): Promise<void> {
    if (own.isWorking) return
    own.back ??= waitInLine(own, isOver).finally(() => {
      own.back = undefined
    })
    await own.back
  }

  async function waitInLine(own: HeldPlace, isOver: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const enter = () => {
      line.delete(own)
      own.isWorking = true
      resolve()
    }
    line.set(own, enter)
    const looking = setInterval(() => isOver() && enter(), LOOK_MS)
    letIn()
    await promise
    clearInterval(looking)
  }

  function take(family: string): TaskPlace {
    const own: HeldPlace = { family, isWorking: true, back: undefined }
    let isElsewhere = false
    let busy = 0
    let slow: NodeJS.Timeout | undefined
    const goSoon = () => {
      slow = setTimeout(() => {
        own.isWorking = false
        letIn()
      }, elsewhereMs)
    }
    all.add(own)
    return {
      async elsewhere(work, isOver) {
        const here: Here = async (part) => {
          busy++
          clearTimeout(slow)
          try {
            await comeBack(own, isOver)
            return await part()
          } finally {
            if (--busy === 0 && isElsewhere) goSoon()
          }
        }
        if (isElsewhere) return work(here)
        isElsewhere = true
        if (busy === 0) goSoon()
        try {
          return await work(here)
        } finally {
          isElsewhere = false
          clearTimeout(slow)
          await comeBack(own, isOver)
        }
      },
      leave() {
        all.delete(own)
        line.get(own)?.()
        letIn()
      },
    }
  }

  return {
    hasPlace: (family) => mayWork(family) && leavesRoom([...all], held, family),
    isFull: () => working().length >= concurrency || all.size >= held,
    take,
  }
}

interface HeldPlace {
  readonly family: string
  isWorking: boolean
  /** Resolves when it works again. */
  back: Promise<void> | undefined
}

const leavesRoom = (taken: readonly HeldPlace[], places: number, name: string): boolean =>
  places - taken.length > taken.filter(({ family }) => family === name).length
