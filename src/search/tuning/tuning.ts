import { defined } from '../../platform/defined.ts'
import { atOnce, type Steps } from '../../platform/steps.ts'
import { fingerprint } from '../fingerprint.ts'
import { type StopPhrases, stopPhrasesOf } from '../understanding/stop-phrases.ts'
import { createSynonyms, STARTER_SYNONYMS, type Synonyms } from '../understanding/synonyms.ts'
import { type RuleBook, ruleBookOf } from './rules.ts'
import { DEFAULT_SETTINGS, type ExperimentSettings, type SearchSettings } from './settings.ts'

/** Search settings of a catalog, prepared once for all searches. */
export interface Tuning {
  /** Fingerprint of the settings. */
  readonly print: string
  readonly synonyms: Synonyms
  readonly stopPhrases: StopPhrases
  readonly ranking: Pick<SearchSettings['ranking'], 'fields' | 'signals'>
  readonly facets: SearchSettings['facets']
  readonly rules: RuleBook
  /** The settings that a share of the visitors uses instead. */
  readonly experiment?: Experiment | undefined
}

interface Experiment extends Pick<ExperimentSettings, 'name' | 'share'> {
  readonly tuning: Tuning
}

/** Prepares settings for searches, which takes long for large ones. */
export function* tuningOf(settings: SearchSettings): Steps<Tuning> {
  const { synonyms, rules, ranking, facets, experiment } = settings
  const { fields, signals, stopPhrases } = ranking
  const left = stopPhrasesOf(stopPhrases)
  return {
    print: fingerprint(settings),
    synonyms: yield* synonymsOf(synonyms),
    stopPhrases: left,
    rules: yield* ruleBookOf(rules, left),
    ranking: { fields, signals },
    facets,
    ...(experiment ? { experiment: yield* experimentOf(settings, experiment) } : {}),
  }
}

function* experimentOf(
  settings: SearchSettings,
  { name, share, variant }: ExperimentSettings,
): Steps<Experiment> {
  return { name, share, tuning: yield* tuningOf(withVariant(settings, variant)) }
}

/** The settings with those of a variant applied, and without the experiment. */
export const withVariant = (
  settings: SearchSettings,
  variant: ExperimentSettings['variant'],
): SearchSettings => ({ ...settings, ...defined(variant), experiment: null })

function* synonymsOf({ starter, groups }: SearchSettings['synonyms']): Steps<Synonyms> {
  const base = starter ? STARTER_SYNONYMS : undefined
  if (groups.length === 0 && base) return base
  const pairs = groups.map(({ words, from, to }) =>
    words.length > 0 ? ([words, words] as const) : ([from, to] as const),
  )
  return yield* createSynonyms(pairs, base)
}

/** The tuning of catalogs without settings. */
export const NO_TUNING: Tuning = atOnce(tuningOf(DEFAULT_SETTINGS))
