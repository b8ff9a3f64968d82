import type { Decimal } from '../rows/cell-values.ts'
import type { FieldValue, RowValues } from '../rows/named-values.ts'

/** What a row says, by its headings as the system spells them; what it leaves out is not there. */
export type Said = Readonly<Record<string, string | undefined>>

/**
 * What a row is: a product of its own; a variant; the head of its variants, a product only where it
 * has none; part of the family that it stands in, as a picture; or nothing to import.
 */
export type RowRole = 'product' | 'variant' | 'head' | 'part' | 'nothing'

/** How the rows of one product with its variants are found. */
export type Families =
  /** They stand together; all share the pictures of the family. */
  | {
      readonly stand: 'together'
      /** Whether a row begins the next family; `first` began the one before. */
      begins(row: Said, first: Said): boolean
      /** Headings of pictures. */
      readonly pictures: readonly string[]
      readonly own: RegExp
    }
  /** A variant names its head, which stands before it. */
  | {
      readonly stand: 'apart'
      /** The names of a head, any of which a variant may say. */
      namesOf(head: Said): readonly string[]
      headOf(variant: Said): string
      readonly own: RegExp
    }
  /** A head lists its variants, which are rows of their own elsewhere. */
  | { readonly stand: 'listed'; listed(head: Said): readonly RowValues[] }

/** What stands around a row. */
interface Around {
  /** The head of its family. */
  readonly head: Said | undefined
  readonly pictures: readonly string[]
  /** How the file writes numbers. */
  readonly decimal: Decimal
  /** Whether the file has a column of this name: an empty cell may say something, too. */
  has(name: string): boolean
}

/** How the products file of a shop or catalog system is read. */
export interface ShopSystem {
  /** As its users call it. */
  readonly name: string
  /** Its files are known by all headings of one of these lists. */
  readonly signatures: readonly (readonly string[])[]
  /** The field that a heading fills; of several with one field the first that says something. */
  readonly fields: Readonly<Record<string, string>>
  /** A heading of an export in another language as English ones have it. */
  english?(heading: string): string | undefined
  /** The same of headings with a system to them. */
  fieldOf?(heading: string): string | undefined
  /** Headings that `values` reads, and what they fill then; null: nothing is made of them. */
  readonly read: readonly (readonly [RegExp, string | null])[]
  /** Absent: each row is a product. */
  readonly families?: Families
  roleOf?(row: Said): RowRole
  /** A text as it was before the system wrote it. */
  textOf?(heading: string, text: string): string
  /** What a row says besides `fields`, and before them. */
  values?(row: Said, around: Around): RowValues
  /** Whether the shop does not show the product. */
  isHidden?(row: Said): boolean
}

/** A heading as it is compared: not as loosely as those of files that anybody wrote. */
export const folded = (heading: string): string => heading.trim().toLowerCase()

/** Fields with their texts, without those that are empty. */
export const filled = (values: Readonly<Record<string, string | undefined>>): FieldValue[] =>
  Object.entries(values).flatMap(([field, text]) => (text ? [[field, text]] : []))

/** Values with a name of their own, without those that are empty. */
export const named = (
  field: 'attribute' | 'option',
  values: readonly (readonly [name: string, text: string | undefined])[],
): FieldValue[] =>
  values.flatMap(([name, text]) => (name && text ? [[field, text, name] as const] : []))

/** An amount that is none: shops write 0 where there is no such price. */
export const unlessZero = (text: string | undefined): string | undefined =>
  text !== undefined && /^[0.,]*$/.test(text) ? undefined : text

/** A text with its unit, as attributes have them. */
export const withUnit = (text: string | undefined, unit: string | undefined): string | undefined =>
  unlessZero(text) === undefined ? undefined : `${text} ${unit ?? ''}`.trim()

/** `Color:color:0` and the like: the parts of a list, each of parts between colons. */
export const listOfParts = (text: string | undefined): string[][] =>
  (text ?? '')
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => entry.split(':').map((part) => part.trim()))

/** A path of categories between these signs as Aisle reads it. */
export const pathOf = (text: string, sign: string): string =>
  text
    .split(sign)
    .map((level) => level.trim())
    .filter((level) => level !== '')
    .join(' > ')
