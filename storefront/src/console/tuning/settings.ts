import type { Answer } from 'aisle-client'

/** Search settings of a catalog. */
export type Settings = Answer<'getSearchSettings'>
/** What has an editor. */
export type Part = Exclude<keyof Settings, 'experiment' | 'version'>
export type Synonyms = Settings['synonyms']
export type SynonymGroup = Synonyms['groups'][number]
export type Rule = Settings['rules'][number]
export type Ranking = Settings['ranking']
export type NumberSignal = Ranking['signals']['numbers'][number]
export type FacetSettings = Settings['facets']
/** What products have; of a boost with its weight. */
export type Criterion = Rule['filters'][number] & { readonly weight?: number }

/** What each part is called. */
export const PART_TITLES: Readonly<Record<Part, string>> = {
  synonyms: 'Synonyms',
  rules: 'Rules',
  ranking: 'Ranking',
  facets: 'Facets',
}
const PARTS = Object.keys(PART_TITLES) as Part[]

export const NEW_RULE: Rule = {
  name: '',
  enabled: true,
  when: { query: '', match: 'exact', filters: [] },
  from: null,
  until: null,
  pins: [],
  boosts: [],
  hides: { products: [], criteria: [] },
  filters: [],
  redirect: null,
}

/** The parts that differ, since one that is sent replaces the one before. */
export function changedParts(saved: Settings, draft: Settings): Partial<Settings> {
  const next = { ...draft, synonyms: { ...draft.synonyms, groups: saidGroups(draft.synonyms) } }
  const changed = PARTS.filter((part) => JSON.stringify(saved[part]) !== JSON.stringify(next[part]))
  return Object.fromEntries(changed.map((part) => [part, next[part]]))
}

/** Parts of a draft that somebody else changed as well since it was begun. */
export function changedTwice(base: Settings, draft: Settings, theirs: Settings): Part[] {
  const mine = changedParts(base, draft)
  const others = changedParts(base, theirs)
  return PARTS.filter((part) => part in mine && part in others)
}

/** Their settings with what a draft changes, but for the parts that are left to them. */
export const onTopOf = (
  theirs: Settings,
  mine: Partial<Settings>,
  leaving: readonly Part[],
): Settings => ({
  ...theirs,
  ...Object.fromEntries(Object.entries(mine).filter(([part]) => !leaving.includes(part as Part))),
})

/** Rows in which nothing was typed are no synonyms. */
const saidGroups = ({ groups }: Synonyms): SynonymGroup[] =>
  groups
    .map((group) => ({ ...group, words: group.words.filter((word) => word !== '') }))
    .filter(({ words, from, to }) => words.length + from.length + to.length > 0)

/** With a synonym of what was searched in vain, whose other word is still to be said. */
export const withSynonymOf = (settings: Settings, query: string): Settings => ({
  ...settings,
  synonyms: {
    ...settings.synonyms,
    groups: [{ words: [], from: [query], to: [] }, ...settings.synonyms.groups],
  },
})

/** Texts between commas, or one on each line. */
export const splitTexts = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** A list with another entry in one place, or without that place. */
export const replaced = <T>(list: readonly T[], index: number, entry: T | undefined): T[] =>
  list.flatMap((one, at) => (at !== index ? [one] : entry === undefined ? [] : [entry]))
