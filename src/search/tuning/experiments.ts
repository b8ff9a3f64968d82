import { z } from 'zod'
import { eventsOf } from '../../analytics/events.ts'
import {
  type ExperimentBuckets,
  experimentBody,
  experimentFigures,
} from '../../analytics/experiment-figures.ts'
import { periodOf } from '../../analytics/report.ts'
import { shown, shownDifference } from '../../analytics/responses.ts'
import { DaysQuery, SearchFigures } from '../../analytics/schemas.ts'
import { CatalogKey } from '../../catalogs/schemas.ts'
import { type CatalogScope, writableCatalog } from '../../catalogs/store.ts'
import { all, term } from '../../elastic/clauses.ts'
import { Conflict, Invalid, NotFound } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { both, type Context, operation } from '../../operation.ts'
import { ActionResponse, done } from '../../shapes.ts'
import { AUDITED_EXPERIMENT } from './audited-settings.ts'
import { ExperimentSettings, type SearchSettings } from './settings.ts'
import { changeSettings, readSettings } from './store.ts'
import { adopted } from './tuning.ts'

const Name = z.string().trim().min(1).max(limits.experimentName)

const EndBody = z.object({
  name: Name.describe('Of the experiment that runs: another one is not ended.'),
  adopt: z
    .boolean()
    .describe('true: all search by the variant from now on; false: by what was set before.'),
})

const ReportQuery = DaysQuery.pick({ from: true, to: true }).extend({
  name: Name.or(z.literal(''))
    .optional()
    .transform((name) => name || undefined)
    .describe('Also of an experiment that has ended; the one that runs when absent.'),
})

const number = z.number().nullable()
const Difference = z.object({
  value: number.describe('What the variant has more than the control; null where one has none.'),
  low: number.describe('With 95 % confidence it is not below; null: of too few visitors to say.'),
  high: number.describe('With 95 % confidence it is not above; null as `low`.'),
})

const ExperimentReport = z
  .object({
    name: z.string().describe('Of the experiment.'),
    running: z.boolean().describe('Whether visitors are searching by it now.'),
    from: z.iso.date().describe('First day of the report, in UTC.'),
    to: z.iso.date().describe('Last day of the report, in UTC.'),
    control: SearchFigures.describe('Of searches by the settings of the catalog.'),
    variant: SearchFigures.describe('Of searches by the variant.'),
    difference: z
      .object({
        clickThroughRate: Difference.describe('Higher is better.'),
        conversionRate: Difference.describe('Higher is better.'),
        clickPosition: Difference.describe('Lower is better.'),
      })
      .describe(
        'Of the variant against the control. Where an interval holds 0 they are not told apart.',
      ),
  })
  .describe('What came of the searches of an experiment.')

async function reportOf(
  ctx: Context,
  { catalog, name: asked, ...days }: z.output<typeof CatalogKey> & z.output<typeof ReportQuery>,
) {
  const deed = 'Reading the experiments of'
  const scope = await writableCatalog(ctx, catalog, { role: 'editor', deed })
  const { experiment } = await readSettings(ctx, scope)
  const name = asked ?? experiment?.name
  if (name === undefined) {
    throw new Invalid('name: required, since no experiment runs in this catalog')
  }
  const period = periodOf(days, ctx.clock.now())
  const body = experimentBody({ ...period, catalog: scope.name }, name)
  const { aggregations } = await eventsOf(ctx).search(body, { signal: ctx.signal })
  const { control, variant, difference } = experimentFigures(aggregations as ExperimentBuckets)
  return {
    ...{ name, running: name === experiment?.name, ...period },
    control: shown(control),
    variant: shown(variant),
    difference: {
      clickThroughRate: shownDifference(difference.clickThroughRate),
      conversionRate: shownDifference(difference.conversionRate),
      clickPosition: shownDifference(difference.clickPosition),
    },
  }
}

/** Refuses to count under the name of an experiment that has ended. Throws Conflict. */
export async function checkNewName(
  ctx: Context,
  scope: CatalogScope,
  next: ExperimentSettings | null | undefined,
): Promise<void> {
  if (!next || (await readSettings(ctx, scope)).experiment?.name === next.name) return
  const past = all([term('catalog', scope.name), term('experiment', next.name)])
  if ((await eventsOf(ctx).count(past, { signal: ctx.signal })) === 0) return
  throw new Conflict(
    `experiment.name: searches were counted for "${next.name}" before; give this one a name of its own`,
  )
}

const PATH = '/api/Catalog/:catalog/search/experiment'

export const experimentOperations = [
  operation({
    name: 'Start Experiment',
    summary:
      'Has a share of the visitors search by other settings, to compare what they choose; in place of an experiment that runs.',
    access: 'editor',
    audit: AUDITED_EXPERIMENT,
    fails: ['conflict', 'preconditionFailed'],
    bindings: both('PUT', PATH, {
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
    summary: 'Has all visitors search by the same settings again: as before, or as in the variant.',
    access: 'editor',
    audit: AUDITED_EXPERIMENT,
    fails: ['preconditionFailed'],
    bindings: both('POST', `${PATH}/end`, {
      param: CatalogKey,
      body: EndBody,
      answer: ActionResponse,
    }),
    handle: async ({ catalog, ifMatch, body: { name, adopt } }, ctx) => {
      const scope = await writableCatalog(ctx, catalog)
      const end = (settings: SearchSettings) => {
        const { experiment } = settings
        if (experiment?.name !== name) throw new NotFound('Experiment')
        return adopt ? adopted(settings, experiment.variant) : { experiment: null }
      }
      await changeSettings(ctx, scope, end, { ifMatch })
      return done(adopt ? 'Experiment ended, its variant adopted.' : 'Experiment ended.', {
        id: scope.name,
      })
    },
  }),
  operation({
    name: 'Experiment Report',
    summary: 'What came of the searches of an experiment, and how sure the difference is.',
    access: 'editor',
    cost: 8,
    bindings: both('GET', PATH, {
      param: CatalogKey,
      query: ReportQuery,
      answer: ExperimentReport,
    }),
    handle: (asked: z.output<typeof CatalogKey> & z.output<typeof ReportQuery>, ctx) =>
      reportOf(ctx, asked),
  }),
]
