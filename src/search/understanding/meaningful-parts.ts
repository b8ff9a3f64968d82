import { fold } from '../../text.ts'
import { keyOf, type Synonyms } from './synonyms.ts'
import { hasDigit, type Word } from './words.ts'

/** Letters of a word that can be split, and the least of each part. */
const WORD = { shortest: 7, longest: 32, part: 3 } as const

/**
 * Splits a word without synonyms into two words that have some, as in `edelstahl schraube` for
 * `edelstahlschraube`. The last part names the product.
 */
export function splitByMeaning(
  { text, form, measures }: Word,
  { of }: Synonyms,
): Word[] | undefined {
  const word = fold(text)
  if (measures || form !== word || word.length < WORD.shortest || word.length > WORD.longest) return
  if (hasDigit(word) || of(keyOf(word)).length > 0) return
  for (let at = word.length - WORD.part; at >= WORD.part; at--) {
    const parts = [word.slice(0, at), word.slice(at)]
    if (parts.every((part) => of(keyOf(part)).length > 0)) {
      return parts.map((part) => ({ text: part, form: part }))
    }
  }
  return undefined
}
