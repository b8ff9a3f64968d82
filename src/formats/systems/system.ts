import { splitTrimmed } from '../../text.ts'
import type { Decimal } from '../rows/cell-values.ts'
import { isPurchasePrice } from '../rows/headings.ts'
import { NAMES_READ, type RowValues } from '../rows/named-values.ts'

/** The values of a row by the system's names of columns, without empty ones. */
export type RowTexts = Readonly<Record<string, string | undefined>>

/**
 * The role of a row: a product, a variant, the head of variants (a product only if it has none),
 * part of the family around it such as a picture, or nothing to import.
 */
export type RowRole = 'product' | 'variant' | 'head' | 'part' | 'nothing'

/** How the rows of a product and its variants are found. */
export type Families =
  /** The rows follow each other and share the pictures of the family. */
  | {
      readonly stand: 'together'
      /** Whether a row begins the next family; `first` began the one before. */
      begins(row: RowTexts, first: RowTexts): boolean
      /** Headings of pictures. */
      readonly pictures: readonly string[]
      readonly own: RegExp
    }
  /** A variant names its head, which is before it. */
  | {
      readonly stand: 'apart'
      /** The names of a head; a variant refers to one of them. */
      namesOf(head: RowTexts): readonly string[]
      headOf(variant: RowTexts): string
      readonly own: RegExp
    }
  /** A head lists its variants, which have rows elsewhere. */
  | { readonly stand: 'listed'; listed(head: RowTexts): readonly RowValues[] }

/** The context of a row. */
interface Around {
  /** The head of its family. */
  readonly head: RowTexts | undefined
  readonly pictures: readonly string[]
  /** The decimal separator of the file. */
  readonly decimal: Decimal
  /** Whether the file has a column of this name, since an empty cell may be meaningful. */
  has(name: string): boolean
}

type NamedTexts = readonly (readonly [name: string, text: string | undefined])[]

/** Values of a product, of which empty ones are ignored. */
interface SystemValues {
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly options?: NamedTexts
  readonly attributes?: NamedTexts
  readonly images?: readonly string[]
}

/** The product file of a shop or catalog system. */
export interface ShopSystem {
  /** The name that users know. */
  readonly name: string
  /** Files are recognized by all headings in one of these lists. */
  readonly signatures: readonly (readonly string[])[]
  /** Fields by heading. Of several headings for one field, the first non-empty one counts. */
  readonly fields: Readonly<Record<string, string>>
  /** The English heading for one in another language. */
  english?(heading: string): string | undefined
  /** Fields of headings that follow a pattern. */
  fieldOf?(heading: string): string | undefined
  /** The currency that the heading of a price names. */
  currencyOf?(heading: string): string | undefined
  /** Headings that `values` reads, and the field that they fill; null for none. */
  readonly read: readonly (readonly [RegExp, string | null])[]
  /** Absent if each row is a product. */
  readonly families?: Families
  roleOf?(row: RowTexts): RowRole
  /** Reverts the escaping of the system. */
  textOf?(heading: string, text: string): string
  /** Values besides `fields`, with precedence over them. */
  values?(row: RowTexts, around: Around): SystemValues
  /** Whether the shop does not show the product. */
  isHidden?(row: RowTexts): boolean
}

/** A heading for comparisons, stricter than for files of unknown origin. */
export const folded = (heading: string): string => heading.trim().toLowerCase()

/**
 * Whether a column, or an attribute such as `cost-EUR`, says what a product costs the shop, since
 * systems have other columns for prices.
 */
export function isConfidential(name: string): boolean {
  const [plain = ''] = name.split('-')
  return isPurchasePrice(name) || isPurchasePrice(plain)
}

/** The texts that have a name and are not empty. */
export const filled = (texts: NamedTexts): [name: string, text: string][] =>
  texts.flatMap(([name, text]): [string, string][] => (name && text ? [[name, text]] : []))

/** The first text of each name, without empty ones, up to `NAMES_READ`. */
export function named(
  texts: Iterable<readonly (string | undefined)[]>,
): [name: string, text: string][] {
  const found = new Map<string, string>()
  for (const [name, text] of texts) {
    if (found.size === NAMES_READ) break
    if (name && text && !found.has(name)) found.set(name, text)
  }
  return [...found]
}

/** Remembers what was read in the last text, which variants have from their head. */
export function rememberingLast(read: (text: string) => string): (text?: string) => string {
  let last = { text: '', found: read('') }
  return (text = '') => {
    if (text !== last.text) last = { text, found: read(text) }
    return last.found
  }
}

/** An amount; undefined for 0, which shops write if there is no such price. */
export const unlessZero = (text: string | undefined): string | undefined =>
  text !== undefined && /^[0.,]*$/.test(text) ? undefined : text

/** A text with its unit. */
export const withUnit = (text: string | undefined, unit: string | undefined): string | undefined =>
  unlessZero(text) === undefined ? undefined : `${text} ${unit ?? ''}`.trim()

/** Parses a list whose entries are parts separated by colons, such as `Color:color:0`. */
export function* listOfParts(text = ''): Generator<string[]> {
  for (const entry of text.split(',')) {
    if (entry.trim() !== '') yield entry.split(':').map((part) => part.trim())
  }
}

/** Converts a category path with this separator to the notation of Aisle. */
export const categoryPath = (text: string, sign: string): string =>
  splitTrimmed(text, sign).join(' > ')

/** The deepest category path, the first of equally deep ones; empty if there are none. */
export function deepestOf(paths: readonly string[], sign: string): string {
  let deepest = { path: '', depth: 0 }
  for (const path of paths) {
    const depth = path.split(sign).length
    if (depth > deepest.depth) deepest = { path, depth }
  }
  return deepest.path
}
