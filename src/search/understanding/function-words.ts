import { grammarOf, withoutArticle } from '../../languages/grammar.ts'
import type { Language } from '../../languages/language.ts'
import { fold, wordSet } from '../../text.ts'
import type { Word } from './words.ts'

const FUNCTION_WORDS = wordSet(' ', [
  'for with and or the of a an in on to by from',
  'fur mit und oder der die das von zum zur im aus',
  'pour avec et de la le les para con y per e',
  'voor met en',
])
/** Prepositions after which a text no longer says what the product is. */
export const PURPOSE = wordSet(' ', ['for with of fur mit pour avec para con per voor met'])
export const NEGATIONS = new Set(['without', 'ohne', 'sans', 'sin', 'senza', 'zonder'])

/** Whether a product may match without having the word. */
export const isFunctionWord = (word: Word, language: Language): boolean =>
  FUNCTION_WORDS.has(folded(word)) || grammarOf(language).functionWords.has(folded(word))

export const folded = ({ text }: Word): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, '')

/** Removes elided articles: `l'écran` becomes `écran`. */
export function withoutArticles(text: string, language: Language): string {
  const grammar = grammarOf(language)
  if (grammar.elided.size === 0) return text
  return text
    .split(' ')
    .map((word) => withoutArticle(word, grammar))
    .join(' ')
}
