import { singular } from '../products/catalog-words.ts'
import { measuresIn } from '../products/measures.ts'
import { fold, foldedWords, normalisePartNumber, SEPARATOR } from '../text.ts'

/** Number of characters that may still be read. */
export interface TextBudget {
  left: number
}

/** How a value contains a text: the exact words, other forms of them, or inside longer words. */
export const DEGREES = ['exact', 'form', 'part'] as const
type Degree = (typeof DEGREES)[number]

/** Texts of one product, indexed so that each is read once for any number of lookups. */
export interface FoundTexts<V> {
  /** The first value that contains a text in the closest way. */
  best(text: string): { readonly how: Degree; readonly value: V } | undefined
  /** The first value that has a word with this beginning. */
  begunBy(beginning: string): V | undefined
  /** The first value that has one of the terms of a measure. */
  measuring(terms: readonly string[]): V | undefined
}

/** The values that have each word or term, in their order. */
type Places<V> = Map<string, Set<V>>

function placesOf<V>(values: readonly V[], partsOf: (value: V) => readonly string[]): Places<V> {
  const places: Places<V> = new Map()
  for (const value of values) {
    for (const part of partsOf(value)) {
      const known = places.get(part)
      if (known) known.add(value)
      else places.set(part, new Set([value]))
    }
  }
  return places
}

/** The first value that has all these parts. */
function firstWith<V>(places: Places<V>, parts: readonly string[]): V | undefined {
  const [some, ...others] = parts.map((part) => places.get(part))
  if (!some || others.includes(undefined)) return undefined
  for (const value of some) if (others.every((other) => other!.has(value))) return value
  return undefined
}

/** Indexes the texts as far as the budget allows. Nothing is found beyond it. */
export function foundTexts<V extends { readonly text: string }>(
  values: readonly V[],
  budget: TextBudget,
): FoundTexts<V> {
  const read = new Map(
    values.map((value) => {
      const text = value.text.slice(0, Math.max(0, budget.left)).toWellFormed()
      budget.left -= value.text.length
      return [value, text]
    }),
  )
  const textOf = (value: V) => read.get(value)!
  const places = new Map(values.map((value, at) => [value, at]))
  const inOrder = (some: readonly V[]) =>
    new Set(some.toSorted((a, b) => places.get(a)! - places.get(b)!))
  const words = once(() => placesOf(values, (value) => foldedWords(textOf(value))))
  const forms = once(() => {
    const found: Places<V> = new Map()
    for (const [word, having] of words()) {
      const form = singular(word)
      const known = found.get(form)
      found.set(form, known ? inOrder([...known, ...having]) : having)
    }
    return found
  })
  const numbers = once(() => joined(values.map((value) => normalisePartNumber(textOf(value)))))
  const measures = once(() =>
    placesOf(values, (value) => measuresIn(fold(textOf(value))).flatMap(({ terms }) => terms)),
  )
  return {
    best(text) {
      const wanted = foldedWords(text)
      const ways: Readonly<Record<Degree, () => V | undefined>> = {
        exact: () => (wanted.length === 0 ? values[0] : firstWith(words(), wanted)),
        form: () => firstWith(forms(), wanted.map(singular)),
        part: () => values[numbers().placeOf(normalisePartNumber(text))],
      }
      for (const how of DEGREES) {
        const value = ways[how]()
        if (value) return { how, value }
      }
      return undefined
    },
    begunBy(beginning) {
      for (const [word, [first]] of words()) if (word.startsWith(beginning)) return first
      return undefined
    },
    measuring: (terms) =>
      values.find((value) => terms.some((one) => measures().get(one)?.has(value))),
  }
}

/** Joins texts to search all at once. `placeOf` returns the index of the first match, else -1. */
function joined(texts: readonly string[]) {
  const all = texts.join(SEPARATOR)
  const starts: number[] = []
  let at = 0
  for (const text of texts) {
    starts.push(at)
    at += text.length + 1
  }
  return {
    placeOf(inside: string): number {
      const found = all.indexOf(inside)
      return found === -1 ? -1 : starts.findLastIndex((start) => start <= found)
    },
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
