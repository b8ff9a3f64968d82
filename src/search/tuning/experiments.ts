import { z } from 'zod'
import { eventsOf } from '../../analytics/events.ts'
import {
  type ExperimentBuckets,
  experimentBody,
  experimentFigures,
} from '../../analytics/experiment-figures.ts'
import { periodOf } from '../../analytics/report.ts'
import { figuresResponse, shownDifference } from '../../analytics/responses.ts'
import { DaysQuery, SearchFigures } from '../../analytics/schemas.ts'
import { CatalogKey } from '../../catalogs/schemas.ts'
import { type CatalogScope, writableCatalog } from '../../catalogs/store.ts'
import { all, term } from '../../elastic/clauses.ts'
import { Conflict, Invalid, NotFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { bothRevisions, type Context, operation } from '../../operation.ts'
import { ActionResponse, done, RequiredText } from '../../shapes.ts'
import { AUDITED_EXPERIMENT } from './audited-settings.ts'
import { ExperimentSettings, type SearchSettings } from './settings.ts'
import { changeSettings, readSettings } from './store.ts'
import { withVariant } from './tuning.ts'

const Name = RequiredText(limits.experimentName)

const EndBody = z.object({
  name: Name.describe(
    'Name of the running experiment. An experiment with another name is not ended.',
  ),
  adopt: z
    .boolean()
    .describe(
      'If `true`, all searches use the variant from now on. If `false`, they use the previous settings.',
    ),
})

const ReportQuery = DaysQuery.pick({ from: true, to: true }).extend({
  name: Name.or(z.literal(''))
    .optional()
    .transform((name) => name || undefined)
    .describe('Name of an experiment, which can already have ended. Defaults to the running one.'),
})

const number = z.number().nullable()
const Difference = z.object({
  value: number.describe(
    'Value of the variant minus that of the control. `null` if either has none.',
  ),
  low: number.describe(
    'Lower bound of the 95 % confidence interval. `null` if there are too few visitors.',
  ),
  high: number.describe(
    'Upper bound of the 95 % confidence interval. `null` if there are too few visitors.',
  ),
})

const ExperimentReport = z
  .object({
    name: z.string().describe('Name of the experiment.'),
    running: z.boolean().describe('Whether the experiment is running.'),
    from: z.iso.date().describe('First day of the report, in UTC.'),
    to: z.iso.date().describe('Last day of the report, in UTC.'),
    control: SearchFigures.describe('Figures of searches with the settings of the catalog.'),
    variant: SearchFigures.describe('Figures of searches with the variant.'),
    difference: z
      .object({
        clickThroughRate: Difference.describe(
          'Difference in `clickThroughRate`. Higher is better.',
        ),
        conversionRate: Difference.describe('Difference in `conversionRate`. Higher is better.'),
        clickPosition: Difference.describe('Difference in `clickPosition`. Lower is better.'),
      })
      .describe(
        'Differences between the variant and the control. A difference whose interval contains 0 is not significant.',
      ),
  })
  .describe('The results of an experiment.')

async function reportOf(
  ctx: Context,
  { catalog, name: asked, ...days }: z.output<typeof CatalogKey> & z.output<typeof ReportQuery>,
) {
  const deed = 'Reading the experiments of'
  const scope = await writableCatalog(ctx, catalog, { role: 'editor', deed })
  const { experiment } = await readSettings(ctx, scope)
  const name = asked ?? experiment?.name
  if (name === undefined) {
    throw new Invalid('name: required because no experiment is running in this catalog')
  }
  const period = periodOf(days, ctx.clock.now())
  const body = experimentBody({ ...period, catalog: scope.name }, name)
  const { aggregations } = await eventsOf(ctx).search(body, { signal: ctx.signal })
  const { control, variant, difference } = experimentFigures(aggregations as ExperimentBuckets)
  return {
    ...{ name, running: name === experiment?.name, ...period },
    control: figuresResponse(control),
    variant: figuresResponse(variant),
    difference: {
      clickThroughRate: shownDifference(difference.clickThroughRate),
      conversionRate: shownDifference(difference.conversionRate),
      clickPosition: shownDifference(difference.clickPosition),
    },
  }
}

/** Throws Conflict for the name of an experiment that has ended. */
export async function checkNewName(
  ctx: Context,
  scope: CatalogScope,
  next: ExperimentSettings | null | undefined,
): Promise<void> {
  if (!next || (await readSettings(ctx, scope)).experiment?.name === next.name) return
  const past = all([term('catalog', scope.name), term('experiment', next.name)])
  if ((await eventsOf(ctx).count(past, { signal: ctx.signal })) === 0) return
  throw new Conflict(
    `experiment.name: "${next.name}" was used by an earlier experiment; choose another name`,
  )
}

const PATH = '/api/Catalog/:catalog/search/experiment'

export const experimentOperations = [
  operation({
    name: 'Start Experiment',
    summary:
      'Starts an experiment, in which a share of the visitors searches with other settings so that their choices can be compared. It replaces a running experiment.',
    access: 'editor',
    audit: AUDITED_EXPERIMENT,
    fails: ['conflict', 'preconditionFailed'],
    bindings: bothRevisions('PUT', PATH, {
      param: CatalogKey,
      body: ExperimentSettings,
      answer: ActionResponse,
    }),
    handle: async ({ catalog, ifMatch, body }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      await checkNewName(ctx, scope, body)
      await changeSettings(ctx, scope, () => ({ experiment: body }), { ifMatch })
      return done('Experiment started.', { id: scope.name })
    },
  }),
  operation({
    name: 'End Experiment',
    summary:
      'Ends the running experiment. All visitors then search with the same settings again: either the previous ones or the variant.',
    access: 'editor',
    audit: AUDITED_EXPERIMENT,
    fails: ['preconditionFailed'],
    bindings: bothRevisions('POST', `${PATH}/end`, {
      param: CatalogKey,
      body: EndBody,
      answer: ActionResponse,
    }),
    handle: async ({ catalog, ifMatch, body: { name, adopt } }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      const end = (settings: SearchSettings) => {
        const { experiment } = settings
        if (experiment?.name !== name) throw new NotFound('Experiment')
        return adopt ? withVariant(settings, experiment.variant) : { experiment: null }
      }
      await changeSettings(ctx, scope, end, { ifMatch })
      return done(adopt ? 'Experiment ended and its variant adopted.' : 'Experiment ended.', {
        id: scope.name,
      })
    },
  }),
  operation({
    name: 'Experiment Report',
    summary:
      'Returns the results of an experiment and the confidence intervals of the differences.',
    access: 'editor',
    cost: 8,
    bindings: bothRevisions('GET', PATH, {
      param: CatalogKey,
      query: ReportQuery,
      answer: ExperimentReport,
    }),
    handle: (asked, ctx) => reportOf(ctx, asked),
  }),
]
