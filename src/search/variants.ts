import { fold } from '../text.ts'

/** Latin, Greek, Cyrillic, signs, fractions, numerals, kana, units, ligatures, full width. */
const BLOCKS = [
  [0x20, 0x52f],
  [0x1e00, 0x218f],
  [0x3000, 0x30ff],
  [0x338e, 0x338f],
  [0x339c, 0x33a6],
  [0x33c4, 0x33c4],
  [0xfb00, 0xfb06],
  [0xff01, 0xff9d],
] as const

const ALIKE: Record<string, string> = { '\u2044': '/', ς: 'σ' }

/** What a character is compared as: one letter or several (`ß`, `½`), none for a mark on another. */
export const formOf = (character: string): string =>
  fold(`|${character}|`)
    .slice(1, -1)
    .replace(/[\u2044ς]/g, (letter) => ALIKE[letter]!)

/** Characters by what they stand for: `e` → `eEéÉ…`, `ss` → `ßẞ`. */
type Variants = ReadonlyMap<string, string>

interface Table {
  readonly whole: Variants
  /** By a part of what they stand for, at its beginning or at its end: `s` → `ß…`. */
  readonly begin: Variants
  readonly end: Variants
}

/** The table of some characters; those that are marks only stand for nothing. Pure. */
function tableOf(characters: Iterable<string>): Table {
  const whole = new Map<string, string>()
  const begin = new Map<string, string>()
  const end = new Map<string, string>()
  const add = (map: Map<string, string>, form: string, character: string) =>
    map.set(form, (map.get(form) ?? '') + character)
  for (const character of characters) {
    const letters = [...formOf(character)]
    if (letters.length === 0) continue
    add(whole, letters.join(''), character)
    for (let at = 1; at < letters.length; at++) {
      add(begin, letters.slice(0, at).join(''), character)
      add(end, letters.slice(at).join(''), character)
    }
  }
  return { whole, begin, end }
}

const COMMON = tableOf(
  BLOCKS.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at)),
  ),
)

/** Some characters of a term that stand for the letters from one place to another. */
export interface Way {
  readonly from: number
  readonly to: number
  readonly characters: string
}

const LONGEST_FORM = 20

/** Every way in which characters of a term may stand for the letters of a typed text. Pure. */
export function waysOf(letters: readonly string[], typed: readonly string[]): Way[] {
  const own = tableOf(new Set([...letters, ...typed.flatMap(bothCases)]))
  const find = (part: keyof Table, form: string) =>
    (COMMON[part].get(form) ?? '') + (own[part].get(form) ?? '')
  const ways: Way[] = []
  for (let from = 0; from < letters.length; from++) {
    for (let to = from + 1; to <= Math.min(letters.length, from + LONGEST_FORM); to++) {
      const form = letters.slice(from, to).join('')
      const characters =
        find('whole', form) +
        (to === letters.length ? find('begin', form) : '') +
        (from === 0 ? find('end', form) : '')
      if (characters !== '') ways.push({ from, to, characters })
    }
  }
  return ways
}

/** Scripts beyond the table have cases too. */
const bothCases = (character: string): string[] => [
  character,
  ...[character.toLowerCase(), character.toUpperCase()].filter((one) => [...one].length === 1),
]
