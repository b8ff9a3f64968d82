import { fold } from '../../text.ts'

/** Phrases by their first word, each split into words, the longest first. */
export type StopPhrases = ReadonlyMap<string, readonly (readonly string[])[]>

const compared = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, '')

const wordsOf = (text: string): string[] => text.split(/\s+/).map(compared)

export function stopPhrasesOf(phrases: readonly string[]): StopPhrases {
  const all = phrases.map((phrase) => wordsOf(phrase).filter((word) => word !== ''))
  const byFirst = Map.groupBy(
    all.filter(({ length }) => length > 0),
    ([first]) => first!,
  )
  for (const list of byFirst.values()) list.sort((a, b) => b.length - a.length)
  return byFirst
}

/**
 * Removes these phrases from a text, unless nothing would be left. While typing, the last word is
 * kept, since it may become another one.
 */
export function withoutPhrases(text: string, phrases: StopPhrases, typing = false): string {
  if (phrases.size === 0) return text
  const words = text.split(/\s+/).filter((word) => word !== '')
  const folded = words.map(compared)
  const complete = typing && !/\s$/.test(text) ? words.length - 1 : words.length
  const kept: string[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = phrases
      .get(folded[at]!)
      ?.find(
        (one) => at + one.length <= complete && one.every((word, i) => folded[at + i] === word),
      )
    if (!phrase) kept.push(words[at]!)
    at += phrase?.length ?? 1
  }
  return kept.length === 0 || kept.length === words.length ? text : kept.join(' ')
}
