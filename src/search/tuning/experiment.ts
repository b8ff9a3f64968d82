import { type Assignment, assignmentOf } from '../../analytics/experiment.ts'
import type { Tuning } from './tuning.ts'

export interface AssignedTuning {
  readonly tuning: Tuning
  /** Absent where no experiment compares the search. */
  readonly assignment?: Assignment | undefined
}

/** What a visitor searches by while an experiment runs; null: what everybody does, compared with nothing. */
export function assignedTuning(
  tuning: Tuning,
  { catalog, visitor }: { catalog: string; visitor: string | null },
): AssignedTuning {
  const { experiment } = tuning
  if (!experiment || visitor === null) return { tuning }
  const { name, share } = experiment
  const assignment = assignmentOf(visitor, { catalog, name, share })
  return { tuning: assignment.variant === 'variant' ? experiment.tuning : tuning, assignment }
}
