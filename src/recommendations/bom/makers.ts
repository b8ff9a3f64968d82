import { memoize } from '../../platform/memoize.ts'
import { mapSteps, type Steps } from '../../platform/steps.ts'
import type { ManufacturerNames } from '../../products/manufacturer-names.ts'
import { withoutEnds } from '../../text.ts'

/** The manufacturers that lines can name. */
export interface Makers {
  /** The normalized form of a name, for comparisons. */
  form(name: string): string
  /** Whether a text is the name of a manufacturer in the catalog, or of a well-known one. */
  known(text: string): boolean
  /** The spellings of a manufacturer in the catalog. */
  spellings(form: string): readonly string[]
  /** The manufacturers that a text names, in the order of their first places. */
  within(text: string): readonly MakerInText[]
}

interface MakerInText {
  readonly form: string
  /** The texts before, between and after its places. */
  readonly parts: readonly string[]
  /** Whether the text begins with it. */
  readonly first: boolean
}

/** Numbers of words in a manufacturer's name, the longest name first. */
const LENGTHS = [4, 3, 2, 1] as const
/** Minimum length of a name that stands for longer ones, as in `Kyocera Document Solutions`. */
const ROOT = 4

/** Recognizes manufacturers by their names in a catalog and by equivalent spellings. */
export function* createMakers(names: ManufacturerNames, catalog: readonly string[]): Steps<Makers> {
  const forms = yield* mapSteps(catalog, names.form)
  const spellings = Map.groupBy(catalog, (_, at) => forms[at]!)
  spellings.delete('')
  const formOf = memoize((name: string) => names.form(name))
  const known = (text: string): boolean =>
    spellings.has(formOf(text)) || names.usual(formOf(text)) !== undefined
  return {
    form: formOf,
    known,
    spellings: (form) => spellings.get(form) ?? [],
    within(text) {
      const words = text.split(' ').slice(0, MOST_WORDS)
      const rest = text.split(' ').slice(MOST_WORDS)
      const formAt = (at: number, length: number) => {
        if (at + length > words.length) return undefined
        const name = trimmed(words.slice(at, at + length).join(' '))
        return isName(name) ? formOf(name) : undefined
      }
      const lengthAt = (at: number) => LENGTHS.find((length) => formAt(at, length) !== undefined)
      const places = words.flatMap((_, at) => {
        const length = lengthAt(at)
        return length === undefined ? [] : [{ at, form: formAt(at, length)! }]
      })
      const named = [...new Set(places.map(({ form }) => form))].slice(0, MOST_NAMES)
      return named.map((form) => {
        const nameHere = (at: number) => LENGTHS.find((length) => formAt(at, length) === form)
        const parts = partsOf([...words, ...rest], nameHere)
        return { form, parts, first: places[0]!.at === 0 && places[0]!.form === form }
      })
    },
  }

  /** In a text `3m` is a length, `3M` is a manufacturer. */
  function isName(name: string): boolean {
    if (!/\p{L}/u.test(name) || !known(name)) return false
    return !/^\d/.test(name) || (spellings.get(formOf(name)) ?? []).includes(name)
  }
}

/** Maximum number of words to search, and of manufacturers to return. */
const MOST_WORDS = 60
const MOST_NAMES = 4

/**
 * The texts between names; `nameHere` returns the number of words of a name that begins at a word.
 */
function partsOf(words: readonly string[], nameHere: (at: number) => number | undefined) {
  const parts: string[][] = [[]]
  for (let at = 0; at < words.length; ) {
    const length = nameHere(at)
    if (length === undefined) parts.at(-1)!.push(words[at]!)
    else parts.push([])
    at += length ?? 1
  }
  return parts.map((part) => part.join(' ')).filter((part) => part !== '')
}

const trimmed = (name: string): string => withoutEnds(name, ' ,;:()-')

/** Whether two manufacturers are the same, such as `kyocera` and `kyoceradocumentsolutions`. */
export const isSameMaker = (one: string, other: string): boolean =>
  one === other ||
  (Math.min(one.length, other.length) >= ROOT && (one.startsWith(other) || other.startsWith(one)))
