import { bucketsIn } from '../../elastic/answer-parts.ts'
import { term } from '../../elastic/clauses.ts'
import type { SearchAnswer, SearchBody } from '../../elastic/search.ts'
import { limits } from '../../limits.ts'
import { memoize } from '../../platform/memoize.ts'
import type { Steps } from '../../platform/steps.ts'
import { singular } from '../../products/catalog-words.ts'
import { fold, foldedWords, SEPARATOR } from '../../text.ts'

/** A segment, a category or a sub-category of a catalog. */
export interface CategoryNode {
  /** Name of the last level. */
  readonly name: string
  readonly folded: string
  /** Folded words of the name (`above`: of the levels above), each after a space. */
  readonly words: string
  readonly above: string
  readonly levels: readonly [segment: string, category: string, subCategory: string]
  readonly products: number
}

interface CatalogMaker {
  readonly name: string
  readonly folded: string
}

/** The names in a catalog, or for one of its manufacturers, the most frequent first. */
export interface Vocabulary {
  readonly categories: readonly CategoryNode[]
  readonly makers: readonly CatalogMaker[]
}

/** Requests the vocabulary, with the same bytes each time for Elasticsearch's request cache. */
export const vocabularyBody = (manufacturer?: string): SearchBody => ({
  size: 0,
  track_total_hits: false,
  ...(manufacturer === undefined
    ? {}
    : { query: { bool: { filter: [term('search.manufacturer', manufacturer)] } } }),
  aggs: {
    paths: { terms: { field: 'search.path', size: limits.listedPaths } },
    ...(manufacturer === undefined
      ? { makers: { terms: { field: 'search.manufacturer', size: limits.listedNames } } }
      : {}),
  },
})

const LEVELS = [1, 2, 3] as const

export function* readVocabulary(answer: SearchAnswer<unknown>): Steps<Vocabulary> {
  const counts = new Map<string, number>()
  for (const { key, doc_count } of bucketsIn(answer, 'paths')) {
    const levels = key.split(SEPARATOR)
    for (const level of LEVELS) {
      if (!levels[level - 1]) continue
      const place = levels.slice(0, level).join(SEPARATOR)
      counts.set(place, (counts.get(place) ?? 0) + doc_count)
    }
  }
  const nodes: CategoryNode[] = []
  const words = memoize(spacedWords)
  for (const [place, products] of counts) {
    nodes.push(nodeOf(place, products, words))
    yield
  }
  return {
    categories: nodes.sort((a, b) => b.products - a.products || (a.name < b.name ? -1 : 1)),
    makers: bucketsIn(answer, 'makers').map(({ key }) => ({ name: key, folded: fold(key) })),
  }
}

/** Approximate size in characters. */
export const vocabularyLength = ({ categories, makers }: Vocabulary): number =>
  categories.reduce(
    (sum, { folded, words, above, levels }) =>
      sum + folded.length + words.length + above.length + levels.join('').length,
    makers.reduce((sum, { name, folded }) => sum + name.length + folded.length, 0),
  )

const spacedWords = (text: string): string =>
  foldedWords(text)
    .map((word) => ` ${word}`)
    .join('')

function nodeOf(place: string, products: number, wordsOf: (text: string) => string): CategoryNode {
  const [segment = '', category = '', subCategory = ''] = place.split(SEPARATOR)
  const above = place.split(SEPARATOR)
  const name = above.pop()!
  return {
    name,
    folded: fold(name),
    words: wordsOf(name),
    above: above.map(wordsOf).join(''),
    levels: [segment, category, subCategory],
    products,
  }
}

export interface FoundCategory {
  readonly node: CategoryNode
  /** Present if the text begins with a manufacturer's name. */
  readonly manufacturer?: string
}

export interface FoundNames {
  /** Manufacturers. */
  readonly makers: readonly string[]
  readonly categories: readonly FoundCategory[]
}

/** Manufacturers whose name begins with a text. */
export function makersBegunBy(text: string, { makers }: Vocabulary): string[] {
  const folded = fold(text)
  const begun = makers.filter((maker) => maker.folded.startsWith(folded))
  return begun.slice(0, limits.quicksearchValues).map(({ name }) => name)
}

/** Number of words that are looked for in category names: the last ones of the text. */
const LOOKED_FOR = 8

/**
 * Categories with a word that begins with each word of the text: with the last one in their own
 * name, with others also in the names above. Names that begin with the text come first.
 */
export function* categoriesBegunBy(
  text: string,
  { categories }: Vocabulary,
): Steps<CategoryNode[]> {
  const typed = foldedWords(text)
  const last = typed.pop()
  if (last === undefined) return []
  const others = [...new Set(typed.slice(1 - LOOKED_FOR))].map(beginningsOf)
  const own = beginningsOf(last)
  const folded = fold(text)
  const first: CategoryNode[] = []
  const rest: CategoryNode[] = []
  for (const node of categories) {
    yield
    const { words, above } = node
    const isFound =
      hasWord(words, own) && others.every((one) => hasWord(words, one) || hasWord(above, one))
    if (isFound) (node.folded.startsWith(folded) ? first : rest).push(node)
  }
  return [...first, ...rest]
}

/** Substrings that find words beginning with a word or its singular. */
const beginningsOf = (word: string): string[] => [
  ...new Set([word, singular(word)].map((form) => ` ${form}`)),
]

const hasWord = (words: string, beginnings: readonly string[]): boolean =>
  beginnings.some((one) => words.includes(one))

/**
 * The manufacturer whose name, or its first word, starts the text, and the rest of the text.
 * Undefined if there is none.
 */
export function makerIn(
  text: string,
  { makers }: Vocabulary,
): { readonly name: string; readonly rest: string } | undefined {
  const folded = fold(text)
  const isFirst = (name: string) => folded === name || folded.startsWith(`${name} `)
  const whole = makers
    .filter((maker) => isFirst(maker.folded))
    .sort((a, b) => b.folded.length - a.folded.length)[0]
  if (whole) return { name: whole.name, rest: folded.slice(whole.folded.length + 1) }
  const [first, ...rest] = folded.split(' ')
  const begun = makers.find((maker) => maker.folded.startsWith(`${first} `))
  return begun && rest.length > 0 ? { name: begun.name, rest: rest.join(' ') } : undefined
}
