import { setTimeout } from 'node:timers/promises'
import type { OwnIndex } from '../elastic/own-index.ts'
import { Unavailable } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Services } from '../operation.ts'
import { type CatalogDocument, CatalogNotFound, lookUpCatalog } from './look-up.ts'
import type { ProductPlace } from './store.ts'

/**
 * Milliseconds from looking up the index to the end of a write that relies on it. A move waits this
 * long before it seals the catalog; a write that took longer looks the index up again.
 */
export const WRITE_MS = limits.cacheMs + 1_000
/** The same during a move, when each write looks the index up itself. */
export const MOVING_WRITE_MS = 1_000

/** Milliseconds between two checks of a sealed catalog. */
const LOOK_MS = 50

/** The index of a catalog's products, and whether it may be written. */
export interface IndexLocation {
  readonly index: OwnIndex | null
  /** A write has to end before this, by `performance.now()`. */
  readonly until: number
  /** Whether a move is about to end, so that writes have to wait. */
  readonly isSealed: boolean
}

type LocationServices = Pick<Services, 'elastic'> & Partial<Pick<Services, 'cache'>>

/** The location found when the catalog was opened, while it is still valid. */
export function recentLocation({ index, known }: ProductPlace): IndexLocation | undefined {
  if (!known) return { index, until: Infinity, isSealed: false }
  const { since, isMoving } = known
  if (isMoving || performance.now() - since >= limits.cacheMs) return undefined
  return { index, until: since + WRITE_MS, isSealed: false }
}

/**
 * The current index. `fresh` bypasses the cache. Throws CatalogNotFound, even if there is a later
 * catalog of the same name, into which nothing that was meant for this one may be written.
 */
export async function locateIndex(
  services: LocationServices,
  place: ProductPlace,
  { fresh = false } = {},
): Promise<IndexLocation> {
  const { name, index, known } = place
  const { elastic, cache } = services
  if (!known || !cache) return { index, until: Infinity, isSealed: false }
  const found = await lookUpCatalog({ elastic, cache }, { root: known.root, name }, { fresh })
  if (!found || !isSameCatalog(found.catalog, place)) throw new CatalogNotFound()
  const { isMoving, since, catalog } = found
  const { ownIndex = null, move } = catalog
  const ms = isMoving ? MOVING_WRITE_MS : WRITE_MS
  return { index: ownIndex, until: since + ms, isSealed: move?.phase === 'sealed' }
}

const isSameCatalog = (
  found: CatalogDocument,
  { owner, created = found.created }: ProductPlace,
): boolean => found.owner === owner && found.created === created

const isSame = (a: OwnIndex | null, b: OwnIndex | null) => a?.kind === b?.kind

/**
 * The index to write to. Waits while the catalog is sealed, for `limits.elasticMs` at most, then
 * throws Unavailable.
 */
export async function writableLocation(
  services: LocationServices,
  place: ProductPlace,
  signal?: AbortSignal,
): Promise<IndexLocation> {
  const end = performance.now() + limits.elasticMs
  for (let looks = 0; ; looks++) {
    const opened = looks === 0 ? recentLocation(place) : undefined
    const found = opened ?? (await locateIndex(services, place, { fresh: looks > 0 }))
    if (!found.isSealed && performance.now() < found.until) return found
    if (performance.now() >= end) {
      throw new Unavailable('The catalog is being moved to another index. Try again shortly.')
    }
    // An older look-up leaves a write too little time: look again.
    if (found.isSealed) await setTimeout(LOOK_MS, undefined, signal ? { signal } : {})
  }
}

/** Whether the index written to is still the catalog's, however long the write took. */
export async function isStillCurrent(
  services: LocationServices,
  place: ProductPlace,
  at: IndexLocation,
): Promise<boolean> {
  if (performance.now() < at.until) return true
  const now = await locateIndex(services, place, { fresh: true })
  return isSame(now.index, at.index) && !now.isSealed
}

/** Writes to the catalog's index. Throws Unavailable when a move may have lost the write. */
export async function writeToCurrentIndex<A>(
  services: LocationServices,
  place: ProductPlace,
  write: (at: IndexLocation) => Promise<A>,
): Promise<A> {
  const at = await writableLocation(services, place)
  const answer = await write(at)
  if (await isStillCurrent(services, place, at)) return answer
  throw new Unavailable(
    'The catalog was moved to another index during the request. Try again shortly.',
  )
}
