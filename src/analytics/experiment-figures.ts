import { term } from '../elastic/clauses.ts'
import type { SearchBody } from '../elastic/search.ts'
import { VARIANTS, type Variant, VISITOR_GROUPS } from './experiment.ts'
import { type Counts, type RateDifference, rateDifference } from './rate-difference.ts'
import {
  FIGURES,
  type FigureBucket,
  type Figures,
  figuresIn,
  type ReportScope,
  reportQuery,
} from './report.ts'

/** Requests the figures of both variants, in total and by visitor group. */
export const experimentBody = (scope: ReportScope, experiment: string): SearchBody => {
  const groups = { terms: { field: 'group', size: VISITOR_GROUPS }, aggs: FIGURES }
  const aggs = { ...FIGURES, groups }
  return {
    size: 0,
    track_total_hits: false,
    query: reportQuery(scope, [term('experiment', experiment)]),
    aggs: Object.fromEntries(
      VARIANTS.map((variant) => [variant, { filter: term('variant', variant), aggs }]),
    ),
  }
}

type VariantBucket = FigureBucket & {
  readonly groups?: { readonly buckets: readonly FigureBucket[] }
}
export type ExperimentBuckets = Readonly<Partial<Record<Variant, VariantBucket>>>

const RATES = ['clickThroughRate', 'conversionRate', 'clickPosition'] as const

export interface ExperimentFigures extends Readonly<Record<Variant, Figures>> {
  /** The variant's rates minus the control's. */
  readonly difference: Readonly<Record<(typeof RATES)[number], RateDifference>>
}

/** Numerator and denominator of each rate for one visitor group. */
const COUNTS: Readonly<Record<(typeof RATES)[number], (figures: Figures) => Counts>> = {
  clickThroughRate: ({ chosen, tracked }) => ({ part: chosen, all: tracked }),
  conversionRate: ({ converted, tracked }) => ({ part: converted, all: tracked }),
  // Clicks on later pages of a walk have no position.
  clickPosition: ({ clickPosition, choices: { click } }) =>
    clickPosition === null ? { part: 0, all: 0 } : { part: clickPosition * click, all: click },
}

/** Reads the answer to `experimentBody`. Figures are zero when nothing was counted. */
export function experimentFigures(found: ExperimentBuckets | undefined): ExperimentFigures {
  const groupsOf = (variant: Variant) => (found?.[variant]?.groups?.buckets ?? []).map(figuresIn)
  const [control, variant] = [groupsOf('control'), groupsOf('variant')]
  const differences = RATES.map((rate) => [
    rate,
    rateDifference(control.map(COUNTS[rate]), variant.map(COUNTS[rate])),
  ])
  return {
    control: figuresIn(found?.control),
    variant: figuresIn(found?.variant),
    difference: Object.fromEntries(differences) as ExperimentFigures['difference'],
  }
}
