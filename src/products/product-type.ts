import { grammarOf, withoutArticle } from '../languages/grammar.ts'
import { DEFAULT_LANGUAGE, type Language } from '../languages/language.ts'
import { fold } from '../text.ts'
import { singular } from './catalog-words.ts'
import type { Product } from './product.ts'

/** Words that separate the product from what it is for or comes with. */
const PURPOSE = new Set([
  ...['for', 'with', 'without', 'by', 'from', 'of', 'in', 'to', 'on', 'incl', 'including', 'w'],
  ...['fur', 'mit', 'ohne', 'von', 'zum', 'zur', 'aus', 'inkl', 'pour', 'avec', 'sans', 'de'],
  ...['para', 'con', 'sin', 'per', 'senza', 'voor', 'met', 'zonder', 'compatible', 'replaces'],
])

/** Words after a type that do not change it: `Notebook PC`, `Mouse (Black)`. */
const TRAILING = new Set([
  ...['pc', 'usb', 'set', 'pack', 'black', 'white', 'grey', 'gray', 'silver', 'blue', 'red'],
  ...['green', 'yellow', 'original', 'new', 'series', 'edition', 'version', 'pro', 'plus'],
])

/** Accessories. A type before one and a number is what it is for (`Laptop 19 V adapter`). */
const ACCESSORIES = new Set([
  ...['adapter', 'charger', 'inverter', 'cover', 'sleeve', 'bag', 'backpack', 'bracket', 'mount'],
  ...['holder', 'cradle', 'dock', 'hub', 'protector', 'tray', 'cartridge'],
  ...['netzteil', 'ladegerat', 'tasche', 'hulle', 'halterung', 'halter', 'patrone'],
])

/** Whether a type is an accessory in every catalog. */
export const isKnownAccessory = (type: string): boolean => ACCESSORIES.has(type)

/** Punctuation that separates the parts of a name. */
const CHUNK = /[,;:()[\]{}|&+"”]|\s[-–—]\s/u

/** Attributes whose values are types. */
const TYPE_NAMES = new Set(['product type', 'item type', 'produkttyp', 'produktart', 'artikelart'])

/** Attributes whose values may be types (`Battery`) or not (`Original`). */
const MAY_NAME_TYPE = new Set(['type', 'typ', 'art'])

/** The fields of a product that determine its types. */
type TypedProduct = Pick<
  Product,
  'name' | 'manufacturer' | 'category' | 'subCategory' | 'attributes' | 'facets'
>

/**
 * The folded words for what a product is (`mouse`), not for what it is used with. They are the last
 * words of categories and of the parts of the name, or the first ones (`souris optique`) in some
 * languages, but no attribute values. English words are in the singular.
 */
export function productTypes(
  product: TypedProduct,
  language: Language = DEFAULT_LANGUAGE,
): string[] {
  const isFirst = grammarOf(language).head === 'first'
  const { category, subCategory, manufacturer, name } = product
  const types = new Set<string>()
  const headOf = (words: readonly string[], values: ReadonlySet<string>): string[] => {
    const head = isFirst ? firstWord(words, language) : lastWord(words, values)
    if (head === undefined || head.length < 2) return []
    return [language === 'en' ? singular(head) : head]
  }
  const text = fold(name ?? '')
  const explicit: string[] = []
  const values = new Set<string>()
  for (const named of [product.attributes, product.facets]) {
    for (const key of Object.keys(named)) {
      const value = named[key]!
      const attribute = fold(key)
      if (TYPE_NAMES.has(attribute)) explicit.push(value)
      else if (mayStandIn(text, value) && !MAY_NAME_TYPE.has(attribute)) values.add(fold(value))
    }
  }
  for (const text of [subCategory, category, ...explicit]) {
    if (text === null) continue
    for (const part of fold(text).split(CHUNK)) {
      for (const head of headOf(wordsOf(part), NO_VALUES)) types.add(head)
    }
  }
  const maker = [...nameParts(fold(manufacturer ?? ''))].flat(2)
  // If categories give a type, only the first part of the name is read; properties follow it.
  const read = types.size > 0 ? text.split(/[,;(]/)[0]! : text
  for (const parts of nameParts(read)) {
    const words = parts.map((part) => withoutMaker(part, maker)).filter(({ length }) => length > 0)
    const heads = (isFirst ? words.slice(0, 1) : words).flatMap((part) => headOf(part, values))
    for (const head of withoutPurpose(heads)) types.add(head)
    if (isFirst && words.length > 0) break
  }
  return [...types]
}

/** Drops types before an accessory: of `laptop`, `adapter` only the latter is the product. */
function withoutPurpose(heads: readonly string[]): string[] {
  const last = heads.findLastIndex((head) => ACCESSORIES.has(head))
  return heads.filter((head, at) => at >= last || ACCESSORIES.has(head))
}

/** A cheap check before folding, which usually does not make a value less than half as long. */
const mayStandIn = (name: string, value: string): boolean => value.length <= 2 * name.length

const NO_VALUES: ReadonlySet<string> = new Set()
/** The most words of an attribute value at the end of a name, like `Messenger case`. */
const VALUE_WORDS = 3

/** Removes the manufacturer, or its first words at the beginning of a name. */
function withoutMaker(words: readonly string[], maker: readonly string[]): readonly string[] {
  if (maker.length === 0) return words
  const differs = maker.findIndex((word, at) => words[at] !== word)
  const rest = words.slice(differs === -1 ? maker.length : differs)
  const at = rest.findIndex((_, from) => maker.every((word, i) => rest[from + i] === word))
  return at === -1 ? rest : rest.toSpliced(at, maker.length)
}

const firstWord = ([first]: readonly string[], language: Language): string | undefined =>
  first && withoutArticle(first, grammarOf(language))

/** The last word that is not a property of the product. */
function lastWord(words: readonly string[], values: ReadonlySet<string>): string | undefined {
  let end = words.length
  for (;;) {
    const property = propertyAt(words, end, values)
    if (property === 0) break
    end -= property
  }
  return words[end - 1]?.split('/').at(-1)
}

/** Number of words before `end` that form a property. */
function propertyAt(words: readonly string[], end: number, values: ReadonlySet<string>): number {
  if (values.size > 0) {
    for (let length = Math.min(VALUE_WORDS, end); length > 1; length--) {
      if (values.has(words.slice(end - length, end).join(' '))) return length
    }
    if (end > 0 && values.has(words[end - 1]!)) return 1
  }
  return end > 1 && TRAILING.has(words[end - 1]!) ? 1 : 0
}

// Constants, since a literal creates a new pattern on each use, and an import has a lot of names.
const VERSION = /^(?:\d\.\d|(?:1394|802\.\d+)\p{L}{0,2})$/u
const WORDS = /[\p{L}\p{M}][\p{L}\p{M}'’/-]*/gu
const WORD = /^[\p{L}\p{M}'’.®™/-]+$/u
const SIGNS = /[®™.]/g

const wordsOf = (folded: string): string[] => folded.match(WORDS) ?? []

/** For each part of a name, the runs of words without digits, up to a word in PURPOSE. */
function* nameParts(folded: string): Generator<string[][]> {
  for (const part of folded.split(CHUNK)) {
    const runs: string[][] = [[]]
    for (const word of part.split(' ')) {
      if (PURPOSE.has(word)) {
        yield runs
        return
      }
      if (WORD.test(word)) runs.at(-1)!.push(word.replace(SIGNS, ''))
      // A version or a standard does not end a run (`USB 2.0 adapter`), but a measure does.
      else if (!VERSION.test(word)) runs.push([])
    }
    yield runs
  }
}
