import { type CatalogDocument, type CatalogMove, cacheId, catalogsOf } from '../catalogs/store.ts'
import { changeDocument } from '../elastic/change-document.ts'
import type { OwnIndex } from '../elastic/own-index.ts'
import type { Services } from '../operation.ts'
import { LeaseLost } from '../tasks/task.ts'

/** A catalog, by the keys of its document. */
export interface MovedCatalog {
  readonly root: string
  readonly name: string
}

/** The task that moves a catalog, and the fence of its claim. */
export interface Mover extends Pick<CatalogMove, 'task' | 'fence'> {}

/** Thrown when the catalog was deleted. */
export class CatalogDeleted extends Error {}

const CHANGE_MS = 10_000

/**
 * Changes a catalog's document. `change` may throw, or return the same object to leave it
 * unchanged.
 */
export async function changeCatalog(
  services: Services,
  { root, name }: MovedCatalog,
  change: (catalog: CatalogDocument) => CatalogDocument,
): Promise<CatalogDocument> {
  const catalogs = catalogsOf(services, root)
  const options = { signal: AbortSignal.timeout(CHANGE_MS), refresh: true } as const
  const changed = (found: CatalogDocument | undefined) => {
    if (!found || found.deleted) throw new CatalogDeleted()
    return change(found)
  }
  const after = await changeDocument(catalogs, name, changed, options)
  services.cache.drop('catalog', cacheId(root, name))
  return after
}

/**
 * Throws CatalogDeleted, or LeaseLost if another holder took the move over or ended it. What is
 * written within limits.catalogRemovalMs of the call is still removed with the catalog.
 */
export async function checkMover(
  services: Services,
  { root, name }: MovedCatalog,
  mover: Mover,
): Promise<void> {
  const found = (await catalogsOf(services, root).get(name))?.source
  if (!found || found.deleted) throw new CatalogDeleted()
  moveOf(found, mover)
}

/** The move, if this mover still holds it. Throws LeaseLost. */
function moveOf({ move }: CatalogDocument, { task, fence }: Mover): CatalogMove {
  if (move?.task !== task || move.fence !== fence) throw new LeaseLost()
  return move
}

/** The requested move, unless it is the one of this task. */
export const otherRequestedMove = ({ wanted = null }: CatalogDocument, task: string) =>
  wanted?.id === task ? null : wanted

/** Enters a phase, unless another holder took the move over. Throws LeaseLost. */
export const enterPhase = (
  services: Services,
  catalog: MovedCatalog,
  mover: Mover,
  phase: CatalogMove['phase'],
): Promise<CatalogDocument> =>
  changeCatalog(services, catalog, (document) => {
    const move = moveOf(document, mover)
    // An earlier attempt succeeded, but its answer was lost.
    if (move.phase === 'flipped') return document
    if (phase !== 'flipped') return { ...document, move: { ...move, phase } }
    if (move.phase !== 'sealed') throw new LeaseLost()
    return {
      ...document,
      ownIndex: move.to,
      wanted: otherRequestedMove(document, move.task),
      move: { ...move, phase, at: services.clock.now().toISOString() },
    }
  })

/**
 * Begins a move, or takes it over. Returns undefined while another move is not cleaned up, or when
 * the products are in the target already. Throws LeaseLost.
 */
export async function beginMove(
  services: Services,
  catalog: MovedCatalog,
  { task, fence }: Mover,
  to: OwnIndex | null,
): Promise<CatalogMove | undefined> {
  const { move, ownIndex } = await changeCatalog(services, catalog, (document) => {
    const { move, ownIndex = null } = document
    if (ownIndex?.kind === to?.kind) return document
    if (move?.task === task && !needsOnlyCleanup(move) && move.fence > fence) throw new LeaseLost()
    if (move && (move.task !== task || needsOnlyCleanup(move))) return document
    const at = services.clock.now().toISOString()
    return { ...document, move: { task, fence, from: ownIndex, to, phase: 'copying', at } }
  })
  if (ownIndex?.kind === to?.kind) return undefined
  return move?.task === task && !needsOnlyCleanup(move) ? move : undefined
}

/** Whether only cleanup is left to do. */
export const needsOnlyCleanup = ({ phase }: CatalogMove): boolean =>
  phase === 'flipped' || phase === 'undone'
