import { type Assignment, assignmentOf } from '../../analytics/experiment.ts'
import type { Tuning } from './tuning.ts'

export interface AssignedTuning {
  readonly tuning: Tuning
  /** Absent when the search is not part of an experiment. */
  readonly assignment?: Assignment | undefined
}

/** The settings for a visitor during an experiment; for null those of the catalog, uncounted. */
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
