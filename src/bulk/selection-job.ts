import type { CatalogScope, TaskCatalog } from '../catalogs/store.ts'
import { hashedId } from '../elastic/collection.ts'
import type { FoundId } from '../exports/found-ids.ts'
import type { ProductPatch } from '../products/patch.ts'
import type { SearchRequest } from '../search/request-schemas.ts'

export const SELECTION_KIND = 'selection'

/** The input of a task that deletes or updates what a search finds. */
export interface SelectionJob extends TaskCatalog {
  readonly action: 'delete' | 'update'
  readonly search: SearchRequest
  /** The patch of an update. */
  readonly patch: Omit<ProductPatch, 'vendors'>
  /** Products that were found when the task was requested. */
  readonly total: number
  /** What was confirmed. Absent in tasks of older versions, of which only `total` is compared. */
  readonly token?: string
}

/**
 * Stands for a request and the products that it finds: their number, and the ids of the first
 * limits.selectionIds.
 */
export const selectionToken = (
  {
    action,
    owner,
    catalog,
    search,
    patch,
    created,
  }: Omit<SelectionJob, 'total' | 'token' | 'catalogCreated'> &
    Pick<CatalogScope, 'owner' | 'created'>,
  { total, first }: { readonly total: number; readonly first: readonly FoundId[] },
): string =>
  hashedId([
    JSON.stringify([action, owner, catalog, created, search, patch]),
    String(total),
    ...first.map(({ id }) => id),
  ])

/** Where the task resumes after an interruption. */
export interface SelectionCheckpoint {
  /** Id of the last product that is done. */
  readonly after: string | null
  /** Number of products to process. Products that are created or changed later stay as they are. */
  readonly planned: number
  /** Products that were found when the task asked for confirmation, and their token. */
  readonly asked?: number
  readonly token?: string
  /** When the task began to write. Absent in checkpoints of older versions. */
  readonly since?: string
  /** Products skipped because they changed after they were found. */
  readonly left: number
}
