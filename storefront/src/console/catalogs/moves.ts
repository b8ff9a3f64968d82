import type { Task } from '../types.ts'

/** A catalog on its way to another index, or one that did not get there. */
export interface Move {
  /** 0 to 100. */
  readonly percent: number
  readonly message: string
  readonly isOver: boolean
}

/** Moves that an operator asked for here: names of catalogs, with the ids of the tasks that there were. */
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

/** With the tasks that there are of it now. */
export const withAsked = (asked: Asked, name: string, tasks: readonly MoveTask[]): Asked =>
  new Map([...asked, [name, new Set(movesOf(name, tasks).map(({ id }) => id))]])

/**
 * The latest move of a catalog, from tasks of which the newest is the first: while it goes on, and
 * after it failed until somebody puts its task away.
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
