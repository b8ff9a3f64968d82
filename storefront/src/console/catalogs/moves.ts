import type { Task } from '../types.ts'

/** A catalog's move to another index, in progress or failed. */
export interface Move {
  /** 0 to 100. */
  readonly percent: number
  readonly message: string
  readonly isOver: boolean
}

/** Moves requested on this page: by catalog name, the ids of the move tasks that existed before. */
export type Asked = ReadonlyMap<string, ReadonlySet<string>>

type MoveTask = Pick<
  Task,
  | 'id'
  | 'source'
  | 'sourceType'
  | 'status'
  | 'completed'
  | 'dismissed'
  | 'message'
  | 'percentCompleted'
>

const movesOf = (name: string, tasks: readonly MoveTask[]) =>
  tasks.filter(({ sourceType, source }) => sourceType === 'move' && source === name)

/** Adds a request for this catalog, with the move tasks that exist now. */
export const withAsked = (asked: Asked, name: string, tasks: readonly MoveTask[]): Asked =>
  new Map([...asked, [name, new Set(movesOf(name, tasks).map(({ id }) => id))]])

/**
 * The latest move of a catalog while it runs, or after it failed and until its task is dismissed.
 * Expects the newest task first.
 */
export function moveOf(
  name: string,
  tasks: readonly MoveTask[],
  asked: Asked = new Map(),
): Move | undefined {
  const [latest] = movesOf(name, tasks)
  const before = asked.get(name)
  if (before && (!latest || before.has(latest.id))) {
    return { percent: 0, message: 'Starts within seconds.', isOver: false }
  }
  if (!latest) return undefined
  const { completed, status, dismissed, message, percentCompleted: percent } = latest
  if (completed && (status !== 'failed' || dismissed)) return undefined
  return { percent, message, isOver: completed }
}
