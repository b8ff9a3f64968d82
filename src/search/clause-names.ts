/** Where in the index something was looked for. */
export type MatchedField =
  | 'name.whole'
  | 'name'
  | 'text'
  | 'description'
  | 'measures'
  | 'partNumbers'
  | 'words'
  | 'parts'

/** As what a word was looked for. */
export type Way =
  | 'word'
  | 'measure'
  | 'compound'
  | 'synonym'
  | 'spelling'
  | 'prefix'
  | 'partNumber'
  | 'partNumberPrefix'
  | 'partNumberInside'

/** What a part of a score is for; one of `word` stands for all that the word was found as. */
export type PartKind = 'word' | 'signal' | 'boost' | 'rule'

/** What a named clause of a query says of a hit, which it gives so much of its score. */
export type ClauseName =
  | { readonly type: 'part'; readonly kind: PartKind; readonly name: string; readonly of: string }
  | {
      readonly type: 'match'
      readonly word: number
      readonly field: MatchedField
      readonly way: Way
      readonly text: string
    }

/**
 * A part of the score: the place of a word; a signal, and the word that it is about (`type`,
 * `printer`); the place of a boost.
 */
export const partName = (kind: PartKind, name: string | number, of = ''): string =>
  JSON.stringify([kind, String(name), of])

/** What one of the words is found as, by its place among the wanted ones. */
export const matchName = (
  word: number,
  { field, way, text }: { field: MatchedField; way: Way; text: string },
): string => JSON.stringify(['match', word, field, way, text])

/** Says of a search for fewer words that a hit has this one. */
export const wordName = (place: number): string => `word${place}`

/** Reads a name; undefined is one of another kind. */
export function readClauseName(name: string): ClauseName | undefined {
  if (!name.startsWith('[')) return undefined
  const [type, ...rest] = JSON.parse(name)
  if (type !== 'match') return { type: 'part', kind: type, name: rest[0], of: rest[1] }
  const [word, field, way, text] = rest
  return { type, word, field, way, text }
}
