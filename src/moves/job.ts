import type { CopiedUpTo } from './copy.ts'

export const MOVE_KIND = 'move'

/** The target of its task: a catalog is moved by one at a time, and imported into meanwhile. */
export const moveTarget = (owner: string, name: string): string => `${owner}/${name}/index`

/** What a move is about; as the task stores it. */
export interface MoveJob {
  readonly root: string
  readonly name: string
  /** Of the index to move to; 0: the shared one. */
  readonly shards: number
}

/** Up to where the source is copied. */
export interface MoveCheckpoint {
  readonly upTo: CopiedUpTo
}
