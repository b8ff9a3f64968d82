import { z } from 'zod'
import { limits } from '../../limits.ts'
import { allowIgnoredFields } from '../../platform/known-fields.ts'
import { RequiredText } from '../../shapes.ts'
import { FacetSettings, RankingSettings, SearchRules, SynonymSettings } from './schemas.ts'

/** The parts of the search settings. Absent parts keep their saved values. */
export const SettingsParts = z.object({
  synonyms: SynonymSettings.optional(),
  rules: SearchRules.optional(),
  ranking: RankingSettings.optional(),
  facets: FacetSettings.optional(),
})

export const ExperimentSettings = z
  .object({
    name: RequiredText(limits.experimentName).describe(
      'Name of the experiment, under which its results are stored. Every experiment needs a name of its own.',
    ),
    share: z
      .number()
      .gt(0)
      .lt(1)
      .describe('Share of visitors who search with the variant, greater than 0 and less than 1.'),
    variant: SettingsParts.describe(
      'The parts of the settings that differ in the variant. Omitted parts are those of the catalog.',
    ),
  })
  .describe(
    'Settings that a share of the visitors searches with, for comparison with those of the catalog.',
  )
export type ExperimentSettings = z.output<typeof ExperimentSettings>

export const SearchSettings = z
  .object({
    synonyms: SynonymSettings.prefault({}),
    rules: SearchRules.default([]),
    ranking: RankingSettings.prefault({}),
    facets: FacetSettings.prefault({}),
    experiment: ExperimentSettings.nullable()
      .default(null)
      .describe('The running experiment. `null` if there is none.'),
  })
  .describe('Search settings of a catalog, in a form that can be sent back.')
export type SearchSettings = z.output<typeof SearchSettings>

export const SearchSettingsResponse = SearchSettings.extend({
  version: z
    .string()
    .describe(
      'Version of the settings, for use in `if-match`. It changes with every change to any part.',
    ),
}).describe('Search settings of a catalog, in a form that can be sent back.')

/** Absent parts stay as they are. */
export const SearchSettingsChange = allowIgnoredFields(
  SettingsParts.extend({
    experiment: ExperimentSettings.nullish().describe(
      'An experiment to start. `null` ends the running one, and omitting it lets it continue.',
    ),
  }),
  ['version'],
)
export type SearchSettingsChange = z.output<typeof SearchSettingsChange>

/** The settings of a catalog for which nothing was saved. */
export const DEFAULT_SETTINGS: SearchSettings = SearchSettings.parse({})
