import { z } from 'zod'
import { limits } from '../../limits.ts'
import { allowIgnoredFields } from '../../platform/known-fields.ts'
import { FacetSettings, RankingSettings, SearchRules, SynonymSettings } from './schemas.ts'

/** What decides how searches are answered; a part that is absent is as elsewhere. */
export const SettingsParts = z.object({
  synonyms: SynonymSettings.optional(),
  rules: SearchRules.optional(),
  ranking: RankingSettings.optional(),
  facets: FacetSettings.optional(),
})

export const ExperimentSettings = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(limits.experimentName)
      .describe('Each experiment has its own: what was counted is kept under it.'),
    share: z
      .number()
      .gt(0)
      .lt(1)
      .describe('Of the visitors, above 0 and below 1, who search by the variant.'),
    variant: SettingsParts.describe(
      'Parts of the settings as they are in the variant; the others are those of the catalog.',
    ),
  })
  .describe(
    'Settings that a share of the visitors searches by, to be compared with those of the catalog.',
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
      .describe('The experiment that runs; null: none does.'),
  })
  .describe('What a shop sets for the searches of a catalog; ready to be sent back.')
export type SearchSettings = z.output<typeof SearchSettings>

export const SearchSettingsResponse = SearchSettings.extend({
  version: z
    .string()
    .describe('Another one after each change of any part; what If-Match is compared with.'),
}).describe('What a shop sets for the searches of a catalog; ready to be sent back.')

/** A part that is absent stays as it is. */
export const SearchSettingsChange = allowIgnoredFields(
  SettingsParts.extend({
    experiment: ExperimentSettings.nullish().describe(
      'Starts an experiment; null ends it, absent: it goes on.',
    ),
  }),
  ['version'],
)
export type SearchSettingsChange = z.output<typeof SearchSettingsChange>

type DefinedParts<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** The parts of a change that are given. */
export const given = <T extends SearchSettingsChange>(change: T): DefinedParts<T> =>
  Object.fromEntries(
    Object.entries(change).filter(([, part]) => part !== undefined),
  ) as DefinedParts<T>

/** As they are where nothing was set. */
export const DEFAULT_SETTINGS: SearchSettings = SearchSettings.parse({})
