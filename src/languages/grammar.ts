import type { Language } from './language.ts'

/** The rules of a language for reading product texts and search queries. */
export interface Grammar {
  /** Whether the word for the product type comes first (`lampe rouge`) or last (`rote Lampe`). */
  readonly head: 'first' | 'last'
  /** The decimal separator. The other one of comma and point separates thousands. */
  readonly decimal: ',' | '.'
  /** Unit symbols by their names in this language, folded and in the singular. */
  readonly units: Readonly<Record<string, string>>
  /** Folded words that a product does not have to contain. */
  readonly functionWords: ReadonlySet<string>
  /** Words that negate the next one, like `without`. */
  readonly absent: readonly string[]
  /** Values that mean that a product has the named attribute: `Touchscreen: yes`. */
  readonly affirmative: ReadonlySet<string>
  /** Elided articles and prepositions, written with the next word: `l` in `l'écran`. */
  readonly elided: ReadonlySet<string>
}

const words = (text: string): string[] => text.split(' ')

const NO_WORDS: ReadonlySet<string> = new Set()

/** English has few entries, so that catalogs without a language are read as they always were. */
const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  en: {
    head: 'last',
    decimal: '.',
    units: {},
    functionWords: NO_WORDS,
    absent: [],
    affirmative: new Set(words('yes y true')),
    elided: NO_WORDS,
  },
  de: {
    head: 'last',
    decimal: ',',
    units: {},
    functionWords: new Set(
      words('ein eine einen einem einer den dem des am zu zur auf an ins vom beim'),
    ),
    absent: words('ohne kein keine keinen'),
    affirmative: new Set(words('ja yes y true')),
    elided: NO_WORDS,
  },
  es: {
    head: 'first',
    decimal: ',',
    units: {
      pulgada: 'inch',
      metro: 'm',
      litro: 'l',
      gramo: 'g',
      voltio: 'v',
      vatio: 'w',
      amperio: 'a',
    },
    functionWords: new Set(words('el los las un una unos unas del al en o')),
    absent: words('sin no'),
    affirmative: new Set(words('si yes y true')),
    elided: NO_WORDS,
  },
  fr: {
    head: 'first',
    decimal: ',',
    units: { pouce: 'inch', go: 'gb', mo: 'mb', to: 'tb', gramme: 'g' },
    functionWords: new Set(words('un une des du au aux en a ou d l')),
    absent: words('sans non'),
    affirmative: new Set(words('oui yes y true')),
    elided: new Set(words('l d c j m n s t qu jusqu lorsqu puisqu')),
  },
  it: {
    head: 'first',
    decimal: ',',
    units: {
      pollice: 'inch',
      pollici: 'inch',
      metro: 'm',
      metri: 'm',
      litro: 'l',
      litri: 'l',
      grammo: 'g',
      grammi: 'g',
    },
    functionWords: new Set(
      words('il lo gli i un uno una del dello della dei degli delle di da al alla in o'),
    ),
    absent: words('senza no'),
    affirmative: new Set(words('si yes y true')),
    elided: new Set(words('l un d c gl s t m v dell nell all dall sull coll quell quest bell')),
  },
  nl: {
    head: 'last',
    decimal: ',',
    units: { duim: 'inch' },
    functionWords: new Set(words('de het een van of op in te bij der')),
    absent: words('zonder geen'),
    affirmative: new Set(words('ja yes y true')),
    elided: NO_WORDS,
  },
}

export const grammarOf = (language: Language): Grammar => GRAMMARS[language]

/** A folded word without its elided article. */
export function withoutArticle(word: string, { elided }: Grammar): string {
  if (elided.size === 0) return word
  const mark = word.search(/['’]/)
  return mark > 0 && mark < word.length - 1 && elided.has(word.slice(0, mark).toLowerCase())
    ? word.slice(mark + 1)
    : word
}
