import type { ProductPatch } from '../products/patch.ts'
import type { SearchRequest } from '../search/request-schemas.ts'

export const SELECTION_KIND = 'selection'

/** The input of a task that deletes or updates what a search finds. */
export interface SelectionJob {
  readonly action: 'delete' | 'update'
  readonly catalog: string
  readonly search: SearchRequest
  /** Of an update. */
  readonly patch: Omit<ProductPatch, 'vendors'>
  /** Products that were found when it was asked for. */
  readonly total: number
}

/** Where it goes on after an interruption. */
export interface SelectionCheckpoint {
  /** Id of the last product that is done. */
  readonly after: string | null
  /** Products that it is to do; more that are found meanwhile stay as they are. */
  readonly planned: number
  /** Products that were found when it asked. */
  readonly asked?: number
  /** Those that somebody changed after they were found. */
  readonly left: number
}
