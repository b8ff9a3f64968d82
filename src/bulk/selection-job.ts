import type { ProductPatch } from '../products/patch.ts'
import type { SearchRequest } from '../search/request-schemas.ts'

export const SELECTION_KIND = 'selection'

/** The input of a task that deletes or updates what a search finds. */
export interface SelectionJob {
  readonly action: 'delete' | 'update'
  readonly catalog: string
  readonly search: SearchRequest
  /** The patch of an update. */
  readonly patch: Omit<ProductPatch, 'vendors'>
  /** Products that were found when the task was requested. */
  readonly total: number
}

/** Where the task resumes after an interruption. */
export interface SelectionCheckpoint {
  /** Id of the last product that is done. */
  readonly after: string | null
  /** Number of products to process. Products that are found later stay as they are. */
  readonly planned: number
  /** Products that were found when the task asked for confirmation. */
  readonly asked?: number
  /** Products skipped because they changed after they were found. */
  readonly left: number
}
