import type { CopiedUpTo } from './copy.ts'
import type { MovedCatalog } from './marks.ts'

export const MOVE_KIND = 'move'

/** The target of a move's task: one task at a time moves a catalog, while imports may continue. */
export const moveTarget = (owner: string, name: string): string => `${owner}/${name}/index`

/** The input of a move's task. */
export interface MoveJob extends MovedCatalog {
  /** Shards of the index to move to; 0: the shared one. */
  readonly shards: number
}

/** How far the source is copied. */
export interface MoveCheckpoint {
  readonly upTo: CopiedUpTo
}
