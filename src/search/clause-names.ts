/** The part of the index in which a word was looked for. */
export type MatchedField =
  | 'name.whole'
  | 'name'
  | 'text'
  | 'description'
  | 'measures'
  | 'partNumbers'
  | 'words'
  | 'parts'

/** The kinds of match with which a word is looked for, besides the word itself. */
export const OTHER_MATCHES = [
  'measure',
  'compound',
  'synonym',
  'spelling',
  'prefix',
  'partNumber',
  'partNumberPrefix',
  'partNumberInside',
] as const

/** A match with which a word was looked for. */
export interface NamedMatch {
  readonly field: MatchedField
  readonly way: 'word' | (typeof OTHER_MATCHES)[number]
  /** The text that was looked for. */
  readonly text: string
}

/** The kind of a score part. One of kind `word` covers all matches of the word. */
export type PartKind = 'word' | 'signal' | 'boost' | 'rule'

/** The parsed name of a query clause that contributes to the score of a hit. */
export type ClauseName =
  | { readonly type: 'part'; readonly kind: PartKind; readonly name: string; readonly of: string }
  | (NamedMatch & { readonly type: 'match'; readonly word: number })

/**
 * Names a clause for a score part: `name` is the index of a word, a signal or the index of a boost,
 * and `of` is what a signal refers to (`type` of `printer`).
 */
export const partName = (kind: PartKind, name: string | number, of = ''): string =>
  JSON.stringify([kind, String(name), of])

/** Names a clause for a match of a word, given by its index among the wanted words. */
export const matchName = (word: number, { field, way, text }: NamedMatch): string =>
  JSON.stringify(['match', word, field, way, text])

/** Names the clause of a word in a relaxed query, to see whether a hit has it. */
export const wordName = (place: number): string => `word${place}`

/** Parses the name of a clause; undefined for names of `wordName`. */
export function readClauseName(name: string): ClauseName | undefined {
  if (!name.startsWith('[')) return undefined
  const [type, ...rest] = JSON.parse(name)
  if (type !== 'match') return { type: 'part', kind: type, name: rest[0], of: rest[1] }
  const [word, field, way, text] = rest
  return { type, word, field, way, text }
}
