import { grammarOf } from '../../languages/grammar.ts'
import { DEFAULT_LANGUAGE, type Language } from '../../languages/language.ts'
import { measuresIn, unfinishedMeasure } from '../../products/measures.ts'
import type { FieldWeights } from '../tuning/schemas.ts'
import type { Alternative } from './alternative.ts'
import { compoundAlternatives } from './compound-alternatives.ts'
import { folded, isFunctionWord, NEGATIONS, PURPOSE, withoutArticles } from './function-words.ts'
import { splitByMeaning } from './meaningful-parts.ts'
import { type InTurn, keyOf, mostUseful, STARTER_SYNONYMS, type Synonyms } from './synonyms.ts'
import { distinct, type Word, wordsOf } from './words.ts'

/** What a search text asks for in its language. */
export interface Understanding {
  readonly language: Language
  /** The words in order, without excluded ones. */
  readonly words: readonly Word[]
  /** Function words like `for`, which a product need not have. */
  readonly optional: ReadonlySet<Word>
  /** Words that a product must not have: `without touchscreen`. */
  readonly excluded: readonly Word[]
  readonly alternatives: readonly Alternative[]
  /** The word that names the product: the last one before `for`, or in some languages the first. */
  readonly head: Word | undefined
  /** The last word, if it is still being typed. */
  readonly unfinished: Word | undefined
  /** The synonyms of the catalog. */
  readonly synonyms: Synonyms
  /** The field weights of the catalog; absent: all 1. */
  readonly fields?: FieldWeights | undefined
  /** Steps that were skipped. */
  readonly without?: ReadonlySet<StepName> | undefined
}

interface Step {
  readonly name: StepName
  readonly apply: (
    understanding: Understanding,
    request: { text: string; typing: boolean },
  ) => Understanding
}

/** The steps that understand a text, and those that rank its matches. */
export const STEPS = [
  'measures',
  'negation',
  'purpose',
  'compounds',
  'synonyms',
  'spelling',
  'types',
  'learned',
  'brands',
  'values',
  'whole',
  'stock',
] as const
export type StepName = (typeof STEPS)[number]

/** Excludes words after `without` or with a leading minus, but never the first word. */
function negation(understanding: Understanding): Understanding {
  const excluded = new Map<string, Word>()
  const words: Word[] = []
  let negated = false
  for (const [index, word] of understanding.words.entries()) {
    if (index > 0 && NEGATIONS.has(folded(word))) negated = true
    else if (negated || (index > 0 && /^-\p{L}/u.test(word.text))) {
      excluded.set(word.form, { ...word, text: word.text.replace(/^-+/, '') })
      negated = false
    } else words.push(word)
  }
  return { ...understanding, words, excluded: [...excluded.values()] }
}

function purpose(understanding: Understanding): Understanding {
  const { words, language } = understanding
  const optional = new Set(words.filter((word) => isFunctionWord(word, language)))
  if (words.every((word) => optional.has(word))) return understanding
  const end = words.findIndex((word, index) => index > 0 && PURPOSE.has(folded(word)))
  const before = end === -1 ? words : words.slice(0, end)
  const named = before.filter((word) => word.measures === undefined && !optional.has(word))
  const head = named.at(grammarOf(language).head === 'first' ? 0 : -1)
  return { ...understanding, optional, head: head ?? understanding.head }
}

/** Adds alternatives. */
export const withAlternatives = (
  understanding: Understanding,
  found: readonly Alternative[],
): Understanding => ({
  ...understanding,
  alternatives: [...understanding.alternatives, ...found],
})

function withMeaningfulParts(understanding: Understanding): Understanding {
  const { words, head, synonyms } = understanding
  const parts = new Map(
    distinct(words).map((word) => [word, splitByMeaning(word, synonyms)] as const),
  )
  if (![...parts.values()].some(Boolean)) return understanding
  return {
    ...understanding,
    words: words.flatMap((word) => parts.get(word) ?? [word]),
    head: (head && parts.get(head)?.at(-1)) ?? head,
  }
}

function compounds(typed: Understanding): Understanding {
  const understanding = withMeaningfulParts(typed)
  const { words, language } = understanding
  return withAlternatives(understanding, compoundAlternatives(words, language))
}

function synonymAlternatives(understanding: Understanding): Understanding {
  const { words, synonyms, without } = understanding
  const found: InTurn<Alternative>[] = []
  const wordKeys = words.map(({ text }) => keyOf(text))
  for (let first = 0; first < words.length; first++) {
    for (let last = first; last < Math.min(words.length, first + synonyms.longest); last++) {
      const key = wordKeys.slice(first, last + 1).join(' ')
      // `ear phones` has the synonyms of `earphones`.
      const joined = last === first + 1 && !without?.has('compounds')
      const keys = joined ? [key, keyOf(key.replaceAll(' ', ''))] : [key]
      for (const [turn, text] of keys.flatMap((key) => synonyms.of(key)).entries()) {
        found.push({ first, last, text, kind: 'synonym', turn })
      }
    }
  }
  return withAlternatives(understanding, mostUseful(found))
}

const steps: readonly Step[] = [
  {
    name: 'measures',
    apply: (understanding, { text, typing }) => {
      const { language } = understanding
      const begun = typing ? unfinishedMeasure(text, language) : undefined
      const complete = measuresIn(text, language).filter(
        ({ end }) => begun === undefined || end <= begun.start,
      )
      // Only the last term, for all sides together: `M8 x 60 mm` does not match 60 mm alone.
      const closest = complete.map((measure) => ({ ...measure, terms: measure.terms.slice(-1) }))
      const words = wordsOf(text, begun ? [...closest, begun] : closest)
      return { ...understanding, words, head: words.at(-1) }
    },
  },
  { name: 'negation', apply: negation },
  { name: 'purpose', apply: purpose },
  { name: 'compounds', apply: compounds },
  { name: 'synonyms', apply: synonymAlternatives },
]

export interface UnderstandingOptions {
  /** The last word is still being typed. */
  readonly typing?: boolean
  /** Steps to skip, for measuring what each contributes. */
  readonly without?: ReadonlySet<StepName> | undefined
  /** The language of the catalog that is searched. */
  readonly language?: Language
  /** The synonyms of the catalog; the starter set when absent. */
  readonly synonyms?: Synonyms | undefined
  readonly fields?: Understanding['fields']
}

/** Runs all steps that understand a text. */
export function understand(
  typed: string,
  {
    typing = false,
    without,
    language = DEFAULT_LANGUAGE,
    synonyms = STARTER_SYNONYMS,
    fields,
  }: UnderstandingOptions = {},
): Understanding {
  const text = withoutArticles(typed, language)
  const words = wordsOf(text)
  const start: Understanding = {
    language,
    words,
    optional: new Set(),
    excluded: [],
    alternatives: [],
    head: words.at(-1),
    unfinished: undefined,
    synonyms,
    without,
    fields,
  }
  const understood = steps
    .filter(({ name }) => !without?.has(name))
    .reduce((understanding, { apply }) => apply(understanding, { text, typing }), start)
  const unfinished = typing && !/\s$/.test(text) ? understood.words.at(-1) : undefined
  return { ...understood, unfinished, without }
}

/** The distinct words that a product must have. */
export const requiredWords = ({ words, optional }: Understanding): Word[] =>
  distinct(words.filter((word) => !optional.has(word)))
