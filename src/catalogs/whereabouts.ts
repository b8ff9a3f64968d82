import { setTimeout } from 'node:timers/promises'
import type { OwnIndex } from '../elastic/own-index.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { lookUpCatalog } from './look-up.ts'
import type { ProductPlace } from './store.ts'

/**
 * Milliseconds from asking where products lie until a write that follows from it has ended. Whoever
 * moves them waits as long after saying so; what took longer looks once more.
 */
export const WRITE_MS = limits.cacheMs + 1_000
/** The same while products move: then every write asks for itself. */
export const MOVING_WRITE_MS = 1_000

/** Milliseconds between two looks at a catalog whose writes have to wait. */
const LOOK_MS = 50

/** Where the products of a catalog lie, and what may be done with that. */
export interface Whereabouts {
  readonly index: OwnIndex | null
  /** By `performance.now()`: until then a write may end. */
  readonly until: number
  /** They are about to lie elsewhere: nothing may be written. */
  readonly isSealed: boolean
}

type WhereaboutServices = Pick<Services, 'elastic'> & Partial<Pick<Services, 'cache'>>

/** What was found when the catalog was opened, while that holds; at once. */
export function openedLately({ index, known }: ProductPlace): Whereabouts | undefined {
  if (!known) return { index, until: Infinity, isSealed: false }
  const { since, isMoving } = known
  if (isMoving || performance.now() - since >= limits.cacheMs) return undefined
  return { index, until: since + WRITE_MS, isSealed: false }
}

/** Where they lie now; of a catalog that is gone, where they lay. `fresh`: asked after the call. */
export async function whereabouts(
  services: WhereaboutServices,
  place: ProductPlace,
  { fresh = false } = {},
): Promise<Whereabouts> {
  const { owner, name, index, known } = place
  const { elastic, cache } = services
  const gone = { index, until: Infinity, isSealed: false }
  if (!known || !cache) return gone
  const found = await lookUpCatalog({ elastic, cache }, { root: known.root, name }, { fresh })
  if (found?.catalog.owner !== owner) return gone
  const { isMoving, since, catalog } = found
  const { ownIndex = null, move } = catalog
  const ms = isMoving ? MOVING_WRITE_MS : WRITE_MS
  return { index: ownIndex, until: since + ms, isSealed: move?.phase === 'sealed' }
}

const isSame = (a: OwnIndex | null, b: OwnIndex | null) => a?.kind === b?.kind

/** Where to write; waits while nobody may. Throws Unavailable after a while. */
export async function whereToWrite(
  services: WhereaboutServices,
  place: ProductPlace,
  signal?: AbortSignal,
): Promise<Whereabouts> {
  const end = performance.now() + limits.elasticMs
  for (let looks = 0; ; looks++) {
    const opened = looks === 0 ? openedLately(place) : undefined
    const found = opened ?? (await whereabouts(services, place, { fresh: looks > 0 }))
    if (!found.isSealed && performance.now() < found.until) return found
    if (performance.now() >= end) {
      throw new Unavailable('The products of the catalog move to another index. Try again shortly.')
    }
    // What was found some time ago leaves a write no time: it is asked for anew.
    if (found.isSealed) await setTimeout(LOOK_MS, undefined, signal ? { signal } : {})
  }
}

/** Whether what was written is where products lie, however long it took. */
export async function isWellWritten(
  services: WhereaboutServices,
  place: ProductPlace,
  at: Whereabouts,
): Promise<boolean> {
  if (performance.now() < at.until) return true
  const now = await whereabouts(services, place, { fresh: true })
  return isSame(now.index, at.index) && !now.isSealed
}

/** Writes where products lie. Throws Unavailable where it may have been written in vain. */
export async function writeThere<A>(
  services: WhereaboutServices,
  place: ProductPlace,
  write: (at: Whereabouts) => Promise<A>,
): Promise<A> {
  const at = await whereToWrite(services, place)
  const answer = await write(at)
  if (await isWellWritten(services, place, at)) return answer
  throw new Unavailable('The products of the catalog moved meanwhile. Try again shortly.')
}
