import type { Answer } from 'aisle-client'

export type Settings = Answer<'getSearchSettings'>
/** A part of the settings that has an editor. */
export type Part = Exclude<keyof Settings, 'experiment' | 'version'>
export type Synonyms = Settings['synonyms']
export type SynonymGroup = Synonyms['groups'][number]
export type Rule = Settings['rules'][number]
export type Ranking = Settings['ranking']
export type NumberSignal = Ranking['signals']['numbers'][number]
export type FacetSettings = Settings['facets']
/** A criterion that products match; boosts have a weight. */
export type Criterion = Rule['filters'][number] & { readonly weight?: number }

/** Labels of the parts. */
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

/** The changed parts, whole: the service replaces each part that is sent. */
export function changedParts(saved: Settings, draft: Settings): Partial<Settings> {
  const next = { ...draft, synonyms: { ...draft.synonyms, groups: saidGroups(draft.synonyms) } }
  const changed = PARTS.filter((part) => JSON.stringify(saved[part]) !== JSON.stringify(next[part]))
  return Object.fromEntries(changed.map((part) => [part, next[part]]))
}

/** The parts that both users changed since the draft was begun. */
export function changedTwice(base: Settings, draft: Settings, theirs: Settings): Part[] {
  const mine = changedParts(base, draft)
  const others = changedParts(base, theirs)
  return PARTS.filter((part) => part in mine && part in others)
}

/** The other user's settings with one's own changes applied, except in `leaving`. */
export const onTopOf = (
  theirs: Settings,
  mine: Partial<Settings>,
  leaving: readonly Part[],
): Settings => ({
  ...theirs,
  ...Object.fromEntries(Object.entries(mine).filter(([part]) => !leaving.includes(part as Part))),
})

/** Drops empty rows. */
const saidGroups = ({ groups }: Synonyms): SynonymGroup[] =>
  groups
    .map((group) => ({ ...group, words: group.words.filter((word) => word !== '') }))
    .filter(({ words, from, to }) => words.length + from.length + to.length > 0)

/** Adds a synonym group for a query without results; the user fills in the other words. */
export const withSynonymOf = (settings: Settings, query: string): Settings => ({
  ...settings,
  synonyms: {
    ...settings.synonyms,
    groups: [{ words: [], from: [query], to: [] }, ...settings.synonyms.groups],
  },
})

/** Splits a text at commas and line breaks. */
export const splitTexts = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Replaces the entry at an index; removes it if `entry` is undefined. */
export const replaced = <T>(list: readonly T[], index: number, entry: T | undefined): T[] =>
  list.flatMap((one, at) => (at !== index ? [one] : entry === undefined ? [] : [entry]))
