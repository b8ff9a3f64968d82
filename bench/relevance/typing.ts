import { fold } from '../../src/text.ts'
import { quantile } from '../statistics.ts'
import { sampleOf } from './known.ts'
import { mean } from './metrics.ts'
import type { CatalogProduct } from './products.ts'
import { type Found, forEach } from './searchers.ts'
import type { Shelf } from './stage.ts'

/** A text that is typed letter by letter. */
export interface Typed {
  readonly kind: 'title' | 'category' | 'family'
  readonly text: string
}

/** Results after one more letter. */
interface Step {
  readonly text: string
  readonly total: number
  /** Wanted products among the first ten. */
  readonly right: number
  /** Wanted products among all hits, if known. */
  readonly wanted?: number
}

export interface TypedWord extends Typed {
  readonly steps: readonly Step[]
}

export interface TypingFigures {
  readonly words: number
  /**
   * Letters until a wanted product is among the first ten; one more than its length if it never is.
   */
  readonly median: number
  readonly slowest: number
  /** Share of the words that show a wanted product by the second, third and fourth letter. */
  readonly second: number
  readonly third: number
  readonly fourth: number
  /** Words that show none even when complete. */
  readonly never: readonly string[]
  /** Prefixes whose last letter reduced the number of wanted products. */
  readonly fewer: readonly string[]
  readonly letters: number
}

export interface TypingRow {
  readonly catalog: string
  /** Whether the service was told that the last word is incomplete. */
  readonly told: boolean
  readonly kinds: Readonly<Record<Typed['kind'], TypingFigures>>
  /** Some words, letter by letter. */
  readonly examples: readonly TypedWord[]
}

const WORDS = 2
const LONGEST = 30

/** Families of the demo whose names are typed. The ids of their products begin with it. */
const FAMILIES = [
  'notebook',
  'monitor',
  'switch',
  'cable',
  'label printer',
  'toner',
  'drill',
  'bearing',
  'hex bolt',
  'glove',
] as const
const idStart = (family: string): string => `${family.replaceAll(' ', '-')}-`
const isOfFamily =
  (family: string) =>
  ({ id }: Pick<CatalogProduct, 'id'>): boolean =>
    id.startsWith(idStart(family))

/** The distinct first words of titles, the names of categories, and those of families. */
export function typedWords(products: readonly CatalogProduct[], titles: number): Typed[] {
  const firstWords = (name: string): string => name.split(/\s+/).slice(0, WORDS).join(' ')
  const texts = sampleOf(products, titles).map(({ name }) => firstWords(name))
  const names = products.flatMap(({ category, subCategory }) => [category, subCategory])
  const counts = Map.groupBy(names, (name) => name ?? '')
  const categories = [...counts].filter(([name, of]) => /^\p{L}{3}/u.test(name) && of.length > 4)
  return [
    ...[...new Set(texts)].map((text) => ({ kind: 'title' as const, text })),
    ...categories.map(([text]) => ({ kind: 'category' as const, text })),
    ...FAMILIES.filter((text) => products.some(isOfFamily(text))).map((text) => ({
      kind: 'family' as const,
      text,
    })),
  ]
}

/** All prefixes of a text that do not end in a space, the shortest first. */
export const prefixesOf = (text: string): string[] =>
  [...text.slice(0, LONGEST)]
    .map((_, at, letters) => letters.slice(0, at + 1).join(''))
    .filter((prefix) => !/\s$/.test(prefix))

/** Whether a product is what the complete text asks for. */
const isWanted =
  ({ kind, text }: Typed) =>
  (product: CatalogProduct): boolean => {
    const { name, category, subCategory } = product
    if (kind === 'family') return isOfFamily(text)(product)
    if (kind === 'title') return fold(name).startsWith(fold(text))
    return category === text || subCategory === text
  }

/** The categories by whose counts the wanted products among all hits are known. */
function countedCategories(
  { kind, text }: Typed,
  products: Iterable<CatalogProduct>,
): readonly string[] {
  if (kind !== 'family') return [text]
  const names = [...products].filter(isOfFamily(text)).map(({ subCategory }) => subCategory ?? '')
  return [...new Set(names)]
}

const TITLES = 200
const EXAMPLES = 10

/** Types everything letter by letter; a prefix that several words share is searched once. */
export async function measureTyping({ name, products, search, typing }: Shelf): Promise<TypingRow> {
  const asked = new Map<string, Promise<Found>>()
  const ask = (text: string, counts: boolean): Promise<Found> => {
    const key = `${counts} ${text}`
    const found = asked.get(key) ?? search.aisle(text, { typing: true, counts })
    asked.set(key, found)
    return found
  }
  const words = await forEach(typedWords([...products.values()], TITLES), async (typed) => {
    const steps: Step[] = []
    const counted = countedCategories(typed, products.values())
    for (const prefix of prefixesOf(typed.text)) {
      const { ids, total, categories } = await ask(prefix, typed.kind !== 'title')
      const right = ids.filter((id) => isWanted(typed)(products.get(id)!)).length
      const wanted = counted.reduce((sum, name) => sum + (categories?.get(name) ?? 0), 0)
      steps.push({ text: prefix, total, right, ...(categories ? { wanted } : {}) })
    }
    return { ...typed, steps }
  })
  const ofKind = (kind: Typed['kind']) => words.filter((word) => word.kind === kind)
  return {
    catalog: name,
    told: typing,
    kinds: {
      title: typingFigures(ofKind('title')),
      category: typingFigures(ofKind('category')),
      family: typingFigures(ofKind('family')),
    },
    examples: [...sampleOf(ofKind('category'), EXAMPLES), ...ofKind('family')],
  }
}

/** Computes the figures of words typed letter by letter. Pure. */
export function typingFigures(words: readonly TypedWord[]): TypingFigures {
  const firsts = words.map(({ steps }) => steps.findIndex(({ right }) => right > 0))
  const letters = firsts.map((at, word) => (at === -1 ? words[word]!.steps.length : at) + 1)
  const within = (most: number): number => mean(letters.map((count) => (count <= most ? 1 : 0)))
  return {
    words: words.length,
    median: quantile(letters, 0.5),
    slowest: quantile(letters, 0.9),
    second: within(2),
    third: within(3),
    fourth: within(4),
    never: words.filter((_, at) => firsts[at] === -1).map(({ text }) => text),
    fewer: words.flatMap(({ steps }) => steps.filter(isFewer).map(({ text }) => text)),
    letters: words.reduce((sum, { steps }) => sum + steps.length, 0),
  }
}

function isFewer(step: Step, at: number, steps: readonly Step[]): boolean {
  const before = steps[at - 1]
  if (!before) return false
  return step.right < before.right || (step.wanted ?? 0) < (before.wanted ?? 0)
}
