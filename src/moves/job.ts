import type { CopiedUpTo } from './copy.ts'

export const MOVE_KIND = 'move'

/** The input of a move's task, as stored. */
export interface MoveJob {
  readonly root: string
  readonly name: string
  /** The shards of the new index; 0 is the shared index. */
  readonly shards: number
}

/** How far the source is copied. */
export interface MoveCheckpoint {
  readonly upTo: CopiedUpTo
}
