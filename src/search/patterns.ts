import { limits } from '../limits.ts'
import { fold } from '../text.ts'

/** Latin, Greek and Cyrillic letters by what they fold to, both cases: `e` → `eEéÉ…`. */
const VARIANTS = new Map<string, string>([[' ', ' \t\n\r\u00a0']])
for (let code = 0x41; code < 0x530; code++) {
  const letter = String.fromCharCode(code)
  const folded = fold(letter)
  if (/^\p{L}$/u.test(folded)) VARIANTS.set(folded, (VARIANTS.get(folded) ?? '') + letter)
}

/** The text itself in Elasticsearch's regular expressions: every mark escaped, letters never. */
export const literal = (text: string): string => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

/** Every term that begins with the text. */
export const prefixPattern = (prefix: string): string => `${literal(prefix)}.*`

/** Terms that begin with `prefix` and then hold `text` somewhere, whatever its case and accents. */
export function insidePattern(prefix: string, text: string): string {
  // Folding can make a text many times as long, and patterns have a limit.
  const inside = [...fold(text)].slice(0, limits.facetSearchLength).map((letter) => {
    const variants = VARIANTS.get(letter)
    return variants ? `[${variants}]` : literal(letter)
  })
  return `${literal(prefix)}.*${inside.join('')}.*`
}
